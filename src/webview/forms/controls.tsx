import type { InputHTMLAttributes, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type JsonValue, parsedJson } from '../../base/json.ts';
import type { FieldValue, FormField } from '../../contract/forms/formFields.ts';
import { exactProblem } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { jsonOf, numberOrText } from './argumentsState.ts';

/** What every control of a field gets: the value to show, and a function to call with another one. */
export interface ControlProps<Field extends FormField = FormField> {
  readonly field: Field;
  readonly value: FieldValue;
  readonly onChange: (value: FieldValue) => void;
  readonly id: string;
  readonly label: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  /** Says to screen readers that the field has to be filled in, where its label does not. */
  readonly saysRequired?: boolean | undefined;
}

export type FieldOf<T extends FormField['type']> = Extract<FormField, { readonly type: T }>;

/** A text that may have many lines. */
export function TextControl({ field, value, onChange, id, label, describedBy, isInvalid }: ControlProps<FieldOf<'text'>>): JSX.Element {
  return (
    <WholeTextArea
      id={id}
      text={typeof value === 'string' ? value : ''}
      label={label}
      editLabel={t('Edit {0}', label)}
      isInvalid={isInvalid}
      describedBy={describedBy}
      isCode={false}
      onInput={(text) => onChange(text === '' && !field.isRequired ? undefined : text)}
    />
  );
}

export type TextLineAttributes = Pick<
  InputHTMLAttributes,
  | 'id'
  | 'inputMode'
  | 'placeholder'
  | 'spellcheck'
  | 'onFocus'
  | 'onBlur'
  | 'onKeyDown'
  | 'aria-activedescendant'
  | 'aria-autocomplete'
  | 'aria-controls'
  | 'aria-describedby'
  | 'aria-expanded'
  | 'aria-invalid'
  | 'aria-required'
> & { readonly role?: 'combobox' };

type TextLineProps = TextLineAttributes & { readonly value: string; readonly onInput: (text: string) => void };

/** A text of one line. */
export function TextLine({ onInput, ...attributes }: TextLineProps): JSX.Element {
  return <input class="input" type="text" autocomplete="off" {...attributes} onInput={(event) => onInput(event.currentTarget.value)} />;
}

export function NumberControl(props: ControlProps<FieldOf<'number'>>): JSX.Element {
  const { value, onChange, id, describedBy, isInvalid, saysRequired } = props;
  const own = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  // The text as it is typed: "1.0" is the number 1, and may become 1.05.
  const [typed, setTyped] = useState(own);
  return (
    <TextLine
      id={id}
      inputMode="decimal"
      value={numberOrText(typed) === value ? typed : own}
      aria-invalid={isInvalid}
      aria-required={saysRequired}
      aria-describedby={describedBy}
      onInput={(text) => {
        setTyped(text);
        onChange(numberOrText(text));
      }}
    />
  );
}

interface SelectProps extends Omit<ControlProps, 'field' | 'label'> {
  readonly options: FieldOf<'choice'>['options'];
  /** The words for "none of them"; undefined where one has to be chosen. */
  readonly none: string | undefined;
}

/** A drop-down list of options, whose values are JSON text. */
export function Select({ options, none, value, onChange, id, describedBy, isInvalid, saysRequired }: SelectProps): JSX.Element {
  return (
    <select
      id={id}
      class="input"
      value={value === undefined ? '' : JSON.stringify(value)}
      aria-invalid={isInvalid}
      aria-required={saysRequired}
      aria-describedby={describedBy}
      onChange={(event) => onChange(parsedJson(event.currentTarget.value) as JsonValue | undefined)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {wholeText(option.label)}
        </option>
      ))}
    </select>
  );
}

/** As many characters as a drop-down list shows in the narrowest sidebar; a longer choice is repeated below it, whole. */
const maxOptionLength = 20;

/** A constant, an enumeration, or yes and no, as a list in which "not given" can be told from each value. */
export function ChoiceControl({ field, ...props }: ControlProps<FieldOf<'choice' | 'boolean'>>): JSX.Element {
  const { value } = props;
  const own = field.type === 'choice' ? field.options : ['true', 'false'].map((each) => ({ value: each, label: each }));
  const options = field.isNullable && !own.some((option) => option.value === 'null') ? [...own, { value: 'null', label: 'null' }] : own;
  const shown = wholeText(options.find((option) => option.value === JSON.stringify(value))?.label ?? '');
  return (
    <div class="choice">
      <Select {...props} options={options} none={value === undefined || !field.isRequired ? t('Not given') : undefined} />
      {shown.length > maxOptionLength && <div class="chosen-value">{shown}</div>}
    </div>
  );
}

interface JsonControlProps extends ControlProps {
  /** Called with whether the text is no JSON that could be sent; such text is kept in the control only. */
  readonly onUnread: (isUnread: boolean) => void;
}

/** A field of JSON, for every value that has no control of its own. */
export function JsonControl({ field, value, onChange, onUnread, id, label, describedBy, isInvalid }: JsonControlProps): JSX.Element {
  const [text, setText] = useState(() => (value === undefined ? '' : jsonOf(value)));
  // When the field goes, its unread text goes with it, and the value that both tabs know counts again.
  useEffect(() => () => onUnread(false), []);
  const change = (next: string): void => {
    setText(next);
    // Text that would be sent otherwise than it stands here is not taken over either.
    const parsed = exactProblem(next) === undefined ? (parsedJson(next) as JsonValue | undefined) : undefined;
    const isLeftOut = next.trim() === '' && !field.isRequired;
    onUnread(parsed === undefined && !isLeftOut);
    if (parsed !== undefined || isLeftOut) {
      onChange(parsed);
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
  /** The accessible name of the text while it is only shown. */
  readonly label: string;
  readonly editLabel: string;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  readonly isCode?: boolean;
  readonly onInput: (text: string) => void;
}

/**
 * A text to edit that is as high as it is long. Text with long runs of white space is shown with those counted, and can be edited
 * on request only: in a text field such runs would look like empty room.
 */
export function WholeTextArea(props: WholeTextAreaProps): JSX.Element {
  const { id, text, label, editLabel, isInvalid, describedBy, isCode = true, onInput } = props;
  const [isEditing, setEditing] = useState(false);
  const whole = wholeText(text);
  const edit = (): void => {
    setEditing(true);
    // The button that was pressed is gone now; the focus must not be.
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

const typedInto = 'input, textarea, select';

/**
 * Returns a function that says what is being added to a form: once that is drawn, where `find` finds it, the focus moves into its
 * first field.
 */
export function useFocusAdded<Place>(find: (place: Place) => Element | null | undefined): (place: Place) => void {
  const added = useRef<{ readonly place: Place } | undefined>(undefined);
  useLayoutEffect(() => {
    const element = added.current && find(added.current.place);
    if (element instanceof HTMLElement) {
      added.current = undefined;
      const field = element.matches(typedInto) ? element : element.querySelector<HTMLElement>(typedInto);
      (field ?? element.querySelector('button') ?? element).focus();
    }
  });
  return (place) => {
    added.current = { place };
  };
}
