import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ValueSource, valueSources } from '../../contract/pages/pageLimits.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { sourceWords } from './runnerTexts.ts';
import type { RunnerIntents } from './runnerView.ts';

interface InsertRowProps {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly intents: Pick<RunnerIntents, 'value'>;
}

/** Buttons that insert values of the editor into the field that was used last, or into the first text field before one was used. */
export function InsertRow({ form, intents }: InsertRowProps): JSX.Element {
  const last = useRef<HTMLElement | null>(null);
  const [note, setNote] = useState('');
  useEffect(() => {
    const element = form.current;
    const remember = ({ target }: FocusEvent): void => {
      if (isTextField(target)) {
        last.current = target;
      }
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, []);
  const insert = async (source: ValueSource): Promise<void> => {
    const field = fieldFor(form.current, last.current);
    if (field === undefined) {
      setNote(t('There is no field here that takes text.'));
      return;
    }
    const { text, problem } = await intents.value(source);
    setNote(problem ?? '');
    if (text !== undefined && field.isConnected) {
      insertInto(field, text);
    }
  };
  return (
    <div class="section runner-insert">
      <div class="button-row is-quiet" role="group" aria-label={t('Insert into the field')}>
        <span class="secondary runner-insert-label" aria-hidden="true">
          {t('Insert')}
        </span>
        {valueSources.map((source) => (
          <button key={source} type="button" class="button is-quiet" onClick={() => void insert(source)}>
            <Icon name={sourceWords(source).icon} />
            {sourceWords(source).label}
          </button>
        ))}
      </div>
      <p class="secondary runner-insert-note" role="status">
        {note}
      </p>
    </div>
  );
}

function fieldFor(form: HTMLFormElement | null, last: HTMLElement | null): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (isTextField(last) && last.isConnected) {
    return last;
  }
  return [...(form?.querySelectorAll('textarea, input') ?? [])].find(isTextField);
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Whether an element is a field that text can be inserted into. */
function isTextField(element: unknown): element is TextField {
  return (element instanceof HTMLInputElement && element.type === 'text') || element instanceof HTMLTextAreaElement;
}

/**
 * Inserts a text at the caret of a field, in place of what is selected, as if it had been typed, so that whoever owns the field
 * notices. Into JSON it goes as JSON.
 */
function insertInto(field: TextField, text: string): void {
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  const fitting = field.classList.contains('code-input') ? asJson(field.value, start, text) : text;
  field.focus();
  field.setRangeText(fitting, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}

/** Writes the text as JSON fits at this place: within quotes as the inside of a string, elsewhere as a whole string. */
export function asJson(json: string, place: number, text: string): string {
  const whole = JSON.stringify(text);
  return isInString(json, place) ? whole.slice(1, -1) : whole;
}

function isInString(json: string, place: number): boolean {
  let isInside = false;
  for (let index = 0; index < place; index += 1) {
    if (json[index] === '\\' && isInside) {
      index += 1;
    } else if (json[index] === '"') {
      isInside = !isInside;
    }
  }
  return isInside;
}
