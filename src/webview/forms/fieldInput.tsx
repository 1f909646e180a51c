import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { FormField, FormGroup, ValuePath, FieldValue, FormVariant } from '../../contract/forms/formFields.ts';
import { pathText, startingItem, valueAt, valueForVariant } from '../../schemaForms/argumentValues.ts';
import { Icon, IconButton, Problem, Remark } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { hasNullSwitch, isShownAsIs, isShownInLine, placesAsked } from './argumentsState.ts';
import { ChoiceControl, type ControlProps, type FieldOf, JsonControl, NumberControl, TextControl, useFocusAdded } from './controls.tsx';
import { formatHint, variantLabels } from './formTexts.ts';

/** Draws a field within another one, with its label, its help and what is wrong with it. */
export type DrawField = (field: FormField, path: ValuePath, options?: DrawOptions) => JSX.Element;

export interface DrawOptions {
  readonly note?: string | undefined;
  /** The id of the control, for whoever moves the focus there. */
  readonly id?: string | undefined;
  /** Removes the field, where it is an item or an extra member. */
  readonly onRemove?: (() => void) | undefined;
}

/** What a control gets in a form of any depth: also where its value is. */
interface PlacedControlProps<Field extends FormField = FormField> extends ControlProps<Field> {
  readonly path: ValuePath;
  readonly draft: ArgumentsDraft;
  /** A remark on the original value at a path, from whoever shows the form. */
  readonly remarkAt: (path: string) => string | undefined;
  readonly draw: DrawField;
}

interface FieldInputProps {
  readonly field: FormField;
  readonly path: ValuePath;
  readonly draft: ArgumentsDraft;
  readonly remarkAt: PlacedControlProps['remarkAt'];
  readonly draw: DrawField;
  /** Draws the fields of an object that is the value of this field. */
  readonly members: (group: FormGroup) => JSX.Element;
  readonly options?: DrawOptions | undefined;
}

/** The longest description shown with the field; a longer one is in the list of parameters below the form. */
const maxHelpLength = 160;

export function FieldInput({ field, path, draft, remarkAt, draw, members, options = {} }: FieldInputProps): JSX.Element {
  const ownId = useId();
  const id = options.id ?? ownId;
  const value = valueAt(draft.value ?? {}, path);
  // Decided once: what is typed must not change the kind of control.
  const [isAsIs] = useState(() => isShownAsIs(field, value));
  const problem = draft.problemAt(path) ?? (isAsIs ? undefined : draft.problemWithin(path));
  const label = wholeText(field.label);
  const describedBy = `${id}-help ${id}-problem`;
  const onChange = (next: FieldValue): void => draft.set(path, next);
  const isInvalid = problem !== undefined;
  const control: PlacedControlProps = { field, path, value, onChange, draft, id, label, describedBy, isInvalid, remarkAt, draw };
  const isNested = isAsIs && (field.type === 'group' || field.type === 'list' || field.type === 'variants');
  const isNull = isAsIs && value === null && hasNullSwitch(field);
  const leaveOut = isNested && !field.isRequired && value !== undefined ? () => draft.set(path, undefined) : undefined;
  const [isShort] = useState(() => isAsIs && isShownInLine(field) && fitsBesideLabel(label, value));
  return (
    <div
      class={isShort ? 'section argument is-short' : 'section argument'}
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

/** As many characters as stand whole beside a label in the narrowest sidebar, in a control that does not wrap them. */
const maxBeside = 14;

/** Whether a value and its label have room in one line of a page that wants them there. */
function fitsBesideLabel(label: string, value: FieldValue): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return label.length <= maxBeside && text.length <= maxBeside && /^[\x20-\x7e]*$/.test(label + text);
}

interface FieldLabelProps {
  readonly field: FormField;
  readonly id: string;
  readonly note: string | undefined;
  readonly isNested: boolean;
  readonly onRemove: (() => void) | undefined;
}

/** The title of a field, and beside it the name that is sent: a title is only the server's choice of words. */
function FieldLabel({ field, id, note, isNested, onRemove }: FieldLabelProps): JSX.Element {
  const label = wholeText(field.label);
  const name = wholeText(revealInvisible(field.name));
  const details = [...(field.isRequired && onRemove === undefined ? [t('required')] : []), ...(note === undefined ? [] : [note])];
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
        <IconButton
          icon="close"
          class="remove-argument"
          label={t('Remove {0}', label)}
          onClick={(event) => {
            keepFocusAround(event.currentTarget);
            onRemove();
          }}
        />
      )}
    </div>
  );
}

/** Moves the focus to a neighbour when the button that was pressed is gone with its field. */
function keepFocusAround(button: HTMLElement): void {
  const around = button.closest('.argument')?.parentElement;
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) {
      around?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
    }
  });
}

interface InnerControlProps extends PlacedControlProps {
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

interface VariantsControlProps extends PlacedControlProps<FieldOf<'variants'>> {
  readonly members: FieldInputProps['members'];
}

/** Lets the person choose the kind of the value, and shows below it the value as one of that kind. */
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
  readonly path: ValuePath;
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

function Help({ field, id, value }: { readonly field: FormField; readonly id: string; readonly value: FieldValue }): JSX.Element {
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

/** The control of a single value; JSON for a value that has none, or that its control could not show as it is. */
function ScalarControl({ isAsIs, ...props }: PlacedControlProps & { readonly isAsIs: boolean }): JSX.Element {
  const { field, path, draft } = props;
  const json = <JsonControl {...props} onUnread={(isUnread) => draft.setUnread(path, isUnread)} />;
  if (!isAsIs) {
    return json;
  }
  switch (field.type) {
    case 'text':
      return <TextControl {...props} field={field} />;
    case 'number':
      return <NumberControl {...props} field={field} />;
    case 'boolean':
    case 'choice':
      return <ChoiceControl {...props} field={field} />;
    case 'list':
    case 'group':
    case 'variants':
    case 'json':
      return json;
  }
}

/** The items of a list one below the other: a control each, or a field of its own for an item with parts. */
function ListControl(props: PlacedControlProps<FieldOf<'list'>>): JSX.Element {
  const { field, path, value, draft, id, label, remarkAt, draw } = props;
  const [generation, setGeneration] = useState(0);
  const items: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const remove = (index: number): void => {
    setGeneration(generation + 1);
    const isLast = items.length === 1 && !field.isRequired;
    draft.set(isLast ? path : [...path, index], undefined);
    // Moves the focus to a neighbour when the button that was pressed is gone with its field.
    requestAnimationFrame(() => (document.getElementById(`${id}-${index}`) ?? document.getElementById(`${id}-add`))?.focus());
  };
  const focusAdded = useFocusAdded(
    (place: number) => document.getElementById(`${id}-${place}`) ?? document.getElementById(`${id}-${place}-label`)?.closest('.argument'),
  );
  const add = (): void => {
    focusAdded(items.length);
    draft.set(path, [...items, startingItem(field.item)]);
  };
  const asked = draft.askedAt(path);
  return (
    <div class="argument-list">
      {items.map((item, index) =>
        isShownInLine(field.item) ? (
          <ListItem
            key={`${generation}-${index}`}
            {...{ field, path: [...path, index], item, draft, id: `${id}-${index}`, index, label, remove, remarkAt, draw }}
            remark={placesAsked(asked, item)
              .map((place) => remarkAt(pathText([...path, place])))
              .find((text) => text !== undefined)}
          />
        ) : (
          <div class="argument-block" key={`${generation}-${index}`}>
            {draw({ ...field.item, label: t('{0} {1}', label, index + 1) }, [...path, index], {
              id: `${id}-${index}`,
              onRemove: () => remove(index),
            })}
          </div>
        ),
      )}
      <button type="button" id={`${id}-add`} class="button is-quiet add-item" onClick={add}>
        <Icon name="add" />
        {t('Add to {0}', label)}
      </button>
    </div>
  );
}

interface ListItemProps {
  readonly field: FieldOf<'list'>;
  readonly path: ValuePath;
  readonly item: FieldValue;
  readonly draft: ArgumentsDraft;
  readonly id: string;
  readonly index: number;
  readonly label: string;
  readonly remove: (index: number) => void;
  readonly remarkAt: PlacedControlProps['remarkAt'];
  readonly draw: DrawField;
  readonly remark: string | undefined;
}

function ListItem({ field, path, item, draft, id, index, label, remove, remarkAt, draw, remark }: ListItemProps): JSX.Element {
  const [isAsIs] = useState(() => isShownAsIs(field.item, item) || (field.item.type === 'number' && item === ''));
  const problem = draft.problemAt(path);
  const name = t('{0} {1}', label, index + 1);
  return (
    <>
      <div class="argument-item">
        <label class="screen-reader-only" for={id}>
          {name}
        </label>
        <ScalarControl
          field={field.item}
          value={item}
          onChange={(value) => draft.set(path, value)}
          label={name}
          describedBy={`${id}-problem`}
          isInvalid={problem !== undefined}
          {...{ path, draft, id, isAsIs, remarkAt, draw }}
        />
        <IconButton icon="close" label={t('Remove {0}', name)} onClick={() => remove(index)} />
      </div>
      <Remark text={remark} />
      <Problem id={`${id}-problem`} text={problem} />
    </>
  );
}

interface VariantChoiceProps {
  /** The label of the value whose kind is chosen. */
  readonly label: string;
  readonly variants: readonly FormVariant[];
  readonly path: ValuePath;
  readonly draft: ArgumentsDraft;
  readonly chosen: number | undefined;
  readonly isRequired: boolean;
}

export function VariantChoice({ label, variants, path, draft, chosen, isRequired }: VariantChoiceProps): JSX.Element {
  const labels = variantLabels(variants);
  const choose = (text: string): void => {
    const variant = variants[text === '' ? -1 : Number(text)];
    draft.set(path, variant && valueForVariant(variant.field, valueAt(draft.value ?? {}, path)));
    draft.choose(path, variant && variants.indexOf(variant));
  };
  return (
    <select
      class="input variant-choice"
      aria-label={t('Kind of {0}', label)}
      value={chosen === undefined ? '' : String(chosen)}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {(chosen === undefined || !isRequired) && <option value="">{t('Not given')}</option>}
      {labels.map((each, index) => (
        <option key={each} value={String(index)}>
          {each}
        </option>
      ))}
    </select>
  );
}
