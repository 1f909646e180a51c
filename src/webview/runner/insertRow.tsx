import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { valueSources, type ValueSource } from '../../contract/pageLimits.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { insertInto, isTextField } from './fieldInsertion.ts';
import { sourceWords } from './runnerTexts.ts';
import type { RunnerIntents } from './runnerView.ts';

interface InsertRowProps {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly intents: Pick<RunnerIntents, 'value'>;
}

/** Values of the editor, for the field that was used last; the first one that takes text before that. */
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
