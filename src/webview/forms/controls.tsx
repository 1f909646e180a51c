import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ArgumentField, ArgumentPath, ArgumentValue } from '../../contract/forms/argumentFields.ts';
import { exactProblem } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { jsonOf, numberOrText, parsedJson } from './argumentsState.ts';

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

interface WholeTextAreaProps {
  readonly id: string;
  readonly text: string;
  /** For the text that is only shown. */
  readonly label: string;
  readonly editLabel: string;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  readonly isCode?: boolean;
  readonly onInput: (text: string) => void;
}

/**
 * Text to edit, whole: as high as it is long. Text with long runs of white space is shown with those counted, and edited only
 * on request: in an editable field they could be nothing but empty room.
 */
export function WholeTextArea(props: WholeTextAreaProps): JSX.Element {
  const { id, text, label, editLabel, isInvalid, describedBy, isCode = true, onInput } = props;
  const [isEditing, setEditing] = useState(false);
  const whole = wholeText(text);
  const edit = (): void => {
    setEditing(true);
    // The button is gone then, and the focus must not be.
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  if (!isEditing && whole !== text) {
    return (
      <>
        <pre id={id} class="act-text" tabIndex={0} role="region" aria-label={label}>
          {whole}
        </pre>
        <button type="button" class="button is-quiet edit-arguments" onClick={edit}>
          {editLabel}
        </button>
      </>
    );
  }
  return (
    <textarea
      id={id}
      class={isCode ? 'input code-input' : 'input text-input'}
      spellcheck={false}
      autocomplete="off"
      rows={text.split('\n').length}
      value={text}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      onInput={(event) => {
        setEditing(true);
        onInput(event.currentTarget.value);
      }}
    />
  );
}
