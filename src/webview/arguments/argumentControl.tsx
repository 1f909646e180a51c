import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ArgumentField, ArgumentPath, ArgumentValue } from '../../contract/argumentFields.ts';
import { t } from '../shared/localize.ts';
import { exactProblem } from '../shared/jsonText.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { jsonOf, numberOrText, parsedJson } from './argumentsState.ts';
import { WholeTextArea } from './wholeTextArea.tsx';

export interface ControlProps<Field extends ArgumentField = ArgumentField> {
  readonly field: Field;
  readonly path: ArgumentPath;
  readonly value: ArgumentValue;
  readonly draft: ArgumentsDraft;
  readonly id: string;
  readonly label: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  /** A remark on the value that was asked for at a path, from whoever shows the form. */
  readonly remarkAt: (path: string) => string | undefined;
  /** A field within this one, with its label, its help and what is wrong with it. */
  readonly draw: DrawField;
}

export interface DrawOptions {
  readonly note?: string | undefined;
  /** An element to come back to it by. */
  readonly id?: string | undefined;
  /** Takes it away, where it is one of many. */
  readonly onRemove?: (() => void) | undefined;
}
export type DrawField = (field: ArgumentField, path: ArgumentPath, options?: DrawOptions) => JSX.Element;

/** What a closed list shows of its choice in the narrowest sidebar; what is longer stands below it once more, whole. */
const maxOptionLength = 20;

type FieldOf<T extends ArgumentField['type']> = Extract<ArgumentField, { readonly type: T }>;

export function TextControl({ field, path, value, draft, id, label, describedBy, isInvalid }: ControlProps<FieldOf<'text'>>): JSX.Element {
  return (
    <WholeTextArea
      id={id}
      text={typeof value === 'string' ? value : ''}
      label={label}
      editLabel={t('Edit {0}', label)}
      isInvalid={isInvalid}
      describedBy={describedBy}
      isCode={false}
      onInput={(text) => draft.set(path, text === '' && !field.isRequired ? undefined : text)}
    />
  );
}

export function NumberControl({ path, value, draft, id, describedBy, isInvalid }: ControlProps<FieldOf<'number'>>): JSX.Element {
  const own = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  // As it is typed: "1.0" is the number 1, and may become 1.05.
  const [typed, setTyped] = useState(own);
  return (
    <input
      id={id}
      class="input"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      value={numberOrText(typed) === value ? typed : own}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        draft.set(path, numberOrText(event.currentTarget.value));
      }}
    />
  );
}

/** A constant, an enumeration, yes and no: also that nothing is given is seen. */
export function ChoiceControl({
  field,
  path,
  value,
  draft,
  id,
  describedBy,
  isInvalid,
}: ControlProps<FieldOf<'choice' | 'boolean'>>): JSX.Element {
  const own = field.type === 'choice' ? field.options : ['true', 'false'].map((each) => ({ value: each, label: each }));
  const options = field.isNullable && !own.some((option) => option.value === 'null') ? [...own, { value: 'null', label: 'null' }] : own;
  const chosen = value === undefined ? '' : JSON.stringify(value);
  const shown = wholeText(options.find((option) => option.value === chosen)?.label ?? '');
  return (
    <div class="choice">
      <select
        id={id}
        class="input"
        value={chosen}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={(event) => draft.set(path, parsedJson(event.currentTarget.value)?.value)}
      >
        {(value === undefined || !field.isRequired) && <option value="">{t('Not given')}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {wholeText(option.label)}
          </option>
        ))}
      </select>
      {shown.length > maxOptionLength && <div class="chosen-value">{shown}</div>}
    </div>
  );
}

/** For whatever has no control of its own. What is no JSON yet is kept here, and said. */
export function JsonControl({ field, path, value, draft, id, label, describedBy, isInvalid }: ControlProps): JSX.Element {
  const [text, setText] = useState(() => (value === undefined ? '' : jsonOf(value)));
  // With the field its unread text is gone; the value that both tabs know counts again.
  useEffect(() => () => draft.setUnread(path, false), []);
  const change = (next: string): void => {
    setText(next);
    // What would be sent otherwise than it stands here is not taken over either.
    const parsed = exactProblem(next) === undefined ? parsedJson(next) : undefined;
    const isLeftOut = next.trim() === '' && !field.isRequired;
    draft.setUnread(path, parsed === undefined && !isLeftOut);
    if (parsed !== undefined || isLeftOut) {
      draft.set(path, parsed?.value);
    }
  };
  return (
    <WholeTextArea
      id={id}
      text={text}
      label={label}
      editLabel={t('Edit {0}', label)}
      isInvalid={isInvalid}
      describedBy={describedBy}
      onInput={change}
    />
  );
}
