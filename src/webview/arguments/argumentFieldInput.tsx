import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath, ArgumentValue } from '../../contract/argumentFields.ts';
import { pathText, valueAt } from '../../schemaForms/argumentValues.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ControlProps, DrawField, DrawOptions } from './argumentControl.tsx';
import { ListControl, ScalarControl } from './argumentList.tsx';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { formatHint } from './argumentTexts.ts';
import { hasNullSwitch, isShownAsIs } from './argumentsState.ts';
import { Problem, Remark } from './fieldProblem.tsx';
import { VariantChoice } from './variantChoice.tsx';

interface FieldInputProps {
  readonly field: ArgumentField;
  readonly path: ArgumentPath;
  readonly draft: ArgumentsDraft;
  readonly remarkAt: ControlProps['remarkAt'];
  readonly draw: DrawField;
  /** The fields of an object at this very place. */
  readonly members: (group: ArgumentGroup) => JSX.Element;
  readonly options?: DrawOptions | undefined;
}

/** Longer ones stand below, with the parameters. */
const maxHelpLength = 160;

export function FieldInput({ field, path, draft, remarkAt, draw, members, options = {} }: FieldInputProps): JSX.Element {
  const ownId = useId();
  const id = options.id ?? ownId;
  const value = valueAt(draft.value ?? {}, path);
  // As it was at first: what is typed must not change the control under the hand.
  const [isAsIs] = useState(() => isShownAsIs(field, value));
  const problem = draft.problemAt(path) ?? (isAsIs ? undefined : draft.problemWithin(path));
  const label = wholeText(field.label);
  const describedBy = `${id}-help ${id}-problem`;
  const control: ControlProps = { field, path, value, draft, id, label, describedBy, isInvalid: problem !== undefined, remarkAt, draw };
  const isNested = isAsIs && (field.type === 'group' || field.type === 'list' || field.type === 'variants');
  const isNull = isAsIs && value === null && hasNullSwitch(field);
  const leaveOut = isNested && !field.isRequired && value !== undefined ? () => draft.set(path, undefined) : undefined;
  return (
    <div
      class="section argument"
      {...(isNested || isNull ? { role: 'group', 'aria-labelledby': `${id}-label`, 'aria-describedby': describedBy } : {})}
    >
      <FieldLabel {...{ field, id, isNested: isNested || isNull, note: options.note, onRemove: options.onRemove ?? leaveOut }} />
      {!isNull && <Control {...control} isAsIs={isAsIs} members={members} />}
      {isAsIs && hasNullSwitch(field) && <NullSwitch {...{ path, draft, label, isNull }} />}
      <Help field={field} id={`${id}-help`} value={value} />
      {!isNested && !draft.isChangedAt(path) && <Remark text={remarkAt(pathText(path))} />}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

interface FieldLabelProps {
  readonly field: ArgumentField;
  readonly id: string;
  readonly note: string | undefined;
  readonly isNested: boolean;
  readonly onRemove: (() => void) | undefined;
}

/** A title is the server's choice of words: the name that is sent stands beside it. */
function FieldLabel({ field, id, note, isNested, onRemove }: FieldLabelProps): JSX.Element {
  const label = wholeText(field.label);
  const name = wholeText(revealInvisible(field.name));
  const details = [...(field.isRequired && field.name !== '' ? [t('required')] : []), ...(note === undefined ? [] : [note])];
  return (
    <div class="section-label">
      {isNested ? (
        <span id={`${id}-label`}>{label}</span>
      ) : (
        <label id={`${id}-label`} for={id}>
          {label}
        </label>
      )}
      {name !== label && name !== '' && <code class="argument-name">{name}</code>}
      {details.length > 0 && <span class="argument-note">{details.join(', ')}</span>}
      {onRemove !== undefined && (
        <button
          type="button"
          class="icon-button remove-argument"
          aria-label={t('Remove {0}', label)}
          title={t('Remove {0}', label)}
          onClick={(event) => {
            keepFocusAround(event.currentTarget);
            onRemove();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** What was pressed is gone then, and the focus must not be. */
function keepFocusAround(button: HTMLElement): void {
  const around = button.closest('.argument')?.parentElement;
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) {
      around?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
    }
  });
}

interface InnerControlProps extends ControlProps {
  readonly isAsIs: boolean;
  readonly members: FieldInputProps['members'];
}

function Control({ isAsIs, members, ...props }: InnerControlProps): JSX.Element {
  const { field } = props;
  switch (isAsIs ? field.type : 'json') {
    case 'group':
      return field.type === 'group' ? members(field) : <></>;
    case 'list':
      return field.type === 'list' ? <ListControl {...props} field={field} /> : <></>;
    case 'variants':
      return field.type === 'variants' ? <VariantsControl {...props} field={field} members={members} /> : <></>;
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'json':
      return <ScalarControl {...props} isAsIs={isAsIs} />;
  }
}

interface VariantsControlProps extends ControlProps<Extract<ArgumentField, { readonly type: 'variants' }>> {
  readonly members: FieldInputProps['members'];
}

/** Of which kind the value is, and below it the value as one of that kind. */
function VariantsControl({ field, members, ...props }: VariantsControlProps): JSX.Element {
  const { path, value, draft, id, label } = props;
  const { variants, isRequired } = field;
  const chosen = draft.variantAt(path, variants);
  const inner = variants[chosen ?? -1]?.field;
  return (
    <div class="argument-fields">
      <VariantChoice {...{ label, variants, path, draft, chosen, isRequired }} />
      {inner !== undefined && (
        <div key={chosen}>
          {inner.type !== 'group' && inner.type !== 'list' && (
            <label class="screen-reader-only" for={id}>
              {label}
            </label>
          )}
          <Control {...props} field={inner} members={members} isAsIs={isShownAsIs(inner, value)} />
        </div>
      )}
    </div>
  );
}

interface NullSwitchProps {
  readonly path: ArgumentPath;
  readonly draft: ArgumentsDraft;
  readonly label: string;
  readonly isNull: boolean;
}

function NullSwitch({ path, draft, label, isNull }: NullSwitchProps): JSX.Element {
  return (
    <label class="null-switch">
      <input
        type="checkbox"
        checked={isNull}
        aria-label={t('{0}: send null', label)}
        onChange={(event) => draft.set(path, event.currentTarget.checked ? null : undefined)}
      />
      {t('send null')}
    </label>
  );
}

function Help({ field, id, value }: { readonly field: ArgumentField; readonly id: string; readonly value: ArgumentValue }): JSX.Element {
  const { description, default: given } = field;
  const hint = formatHint(field);
  const isShort = description.length <= maxHelpLength && !description.includes('\n');
  return (
    <div id={id} class="argument-help">
      {isShort && description !== '' && <div>{wholeText(description)}</div>}
      {hint !== undefined && <div>{hint}</div>}
      {value === undefined && given !== undefined && <div>{t('Default: {0}', wholeText(given))}</div>}
    </div>
  );
}
