import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { wholeText } from '../shared/wholeText.ts';

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
