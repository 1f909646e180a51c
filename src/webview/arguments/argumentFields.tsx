import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath, ArgumentValue } from '../../contract/argumentFields.ts';
import { extraFields, pathText, valueAt } from '../../schemaForms/argumentValues.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ControlProps } from './argumentControl.tsx';
import { ListControl, ScalarControl } from './argumentList.tsx';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { formatHint } from './argumentTexts.ts';
import { isShownAsIs } from './argumentsState.ts';
import { Problem, Remark } from './fieldProblem.tsx';

interface GroupProps {
  readonly group: ArgumentGroup;
  readonly path: ArgumentPath;
  readonly draft: ArgumentsDraft;
  /** A remark on the value at a path, from whoever shows the form. */
  readonly remarkAt: (path: string) => string | undefined;
}

/** The members of an object: those that are given or needed, then what is given beyond the schema; the others are folded. */
export function ArgumentFields({ group, path, draft, remarkAt }: GroupProps): JSX.Element {
  const value = valueAt(draft.value ?? {}, path);
  const isGiven = ({ name, isRequired }: ArgumentField): boolean => isRequired || valueAt(value ?? {}, [name]) !== undefined;
  // As it was at first: what is typed into must not move.
  const [given] = useState(() => group.fields.filter(isGiven));
  const others = group.fields.filter((field) => !given.includes(field));
  const extras = extraFields(group, value, revealInvisible);
  const draw = (field: ArgumentField, note?: string): JSX.Element => (
    <FieldInput key={field.name} {...{ field, path: [...path, field.name], draft, remarkAt, note }} />
  );
  return (
    <div class="argument-fields">
      {given.map((field) => draw(field))}
      {extras.map((field) => draw(field, group.isWhole ? t('not in the tool’s schema') : undefined))}
      {given.length === 0 && extras.length === 0 && <p class="secondary">{t('No arguments.')}</p>}
      {others.length > 0 && (
        <Disclosure
          label={t('Not given')}
          inside={plural(
            others.length,
            () => t('1 more parameter'),
            (count) => t('{0} more parameters', count),
          )}
        >
          <div class="argument-fields">{others.map((field) => draw(field))}</div>
        </Disclosure>
      )}
    </div>
  );
}

interface FieldInputProps {
  readonly field: ArgumentField;
  readonly path: ArgumentPath;
  readonly draft: ArgumentsDraft;
  readonly remarkAt: GroupProps['remarkAt'];
  readonly note?: string | undefined;
}

/** Longer ones stand below, with the parameters. */
const maxHelpLength = 160;

function FieldInput({ field, path, draft, remarkAt, note }: FieldInputProps): JSX.Element {
  const id = useId();
  const value = valueAt(draft.value ?? {}, path);
  // As it was at first: what is typed must not change the control under the hand.
  const [isAsIs] = useState(() => isShownAsIs(field, value));
  const problem = draft.problemAt(path);
  const label = wholeText(field.label);
  const control: ControlProps = {
    field,
    path,
    value,
    draft,
    id,
    label,
    describedBy: `${id}-help ${id}-problem`,
    isInvalid: problem !== undefined,
    remarkAt,
  };
  const isNested = isAsIs && (field.type === 'group' || field.type === 'list');
  return (
    <div
      class="section argument"
      {...(isNested ? { role: 'group', 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-help ${id}-problem` } : {})}
    >
      <FieldLabel field={field} id={id} note={note} isNested={isNested} />
      {isAsIs && field.type === 'group' ? (
        <ArgumentFields group={field} path={path} draft={draft} remarkAt={remarkAt} />
      ) : (
        <Control {...control} isAsIs={isAsIs} />
      )}
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
}

/** A title is the server's choice of words: the name that is sent stands beside it. */
function FieldLabel({ field, id, note, isNested }: FieldLabelProps): JSX.Element {
  const label = wholeText(field.label);
  const name = wholeText(revealInvisible(field.name));
  const details = [...(field.isRequired ? [t('required')] : []), ...(note === undefined ? [] : [note])];
  return (
    <div class="section-label">
      {isNested ? <span id={`${id}-label`}>{label}</span> : <label for={id}>{label}</label>}
      {name !== label && <code class="argument-name">{name}</code>}
      {details.length > 0 && <span class="argument-note">{details.join(', ')}</span>}
    </div>
  );
}

function Control({ isAsIs, ...props }: ControlProps & { readonly isAsIs: boolean }): JSX.Element {
  const { field } = props;
  return isAsIs && field.type === 'list' ? <ListControl {...props} field={field} /> : <ScalarControl {...props} isAsIs={isAsIs} />;
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
