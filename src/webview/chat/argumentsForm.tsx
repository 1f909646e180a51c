import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ArgumentsForm as Form } from '../../contract/chat/attachments.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ChatIntents } from './chatIntents.ts';
import type { ChatStore } from './chatStore.ts';
import { ArgumentField } from './argumentField.tsx';
import { messageId } from './messageBox.tsx';
import { useCompletions } from './useCompletions.ts';

export interface ArgumentsFormProps {
  readonly form: Form;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
}

/** What a prompt or a pattern of addresses needs, with what the server proposes for it. */
export function ArgumentsForm({ form, store, intents }: ArgumentsFormProps): JSX.Element {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const completions = useCompletions(form.id, store, intents);
  const frame = useRef<HTMLFormElement>(null);
  useEffect(() => {
    frame.current?.querySelector('input')?.focus();
    return () => document.getElementById(messageId)?.focus();
  }, []);
  const isComplete = form.fields.every(({ name, isRequired }) => !isRequired || (values[name] ?? '') !== '');
  const set = (name: string, value: string): void => {
    const next = { ...values, [name]: value };
    setValues(next);
    completions.ask(name, next);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isComplete) {
      intents.context.fill(form.id, values);
    }
  };
  const closeOnEscape = (event: TargetedKeyboardEvent<HTMLFormElement>): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.preventDefault();
      intents.context.closeForm();
    }
  };
  const name = t('Arguments of {0}', wholeText(form.name));
  return (
    <form ref={frame} class="arguments-form" aria-label={name} onKeyDown={closeOnEscape} onSubmit={submit}>
      <div class="form-title">{t('{0} of {1}', wholeText(form.name), wholeText(form.server))}</div>
      {form.description !== '' && <p class="secondary">{wholeText(form.description)}</p>}
      {form.fields.map((field) => (
        <ArgumentField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          completions={completions}
          onFocus={() => completions.ask(field.name, values)}
          onChange={(value) => set(field.name, value)}
        />
      ))}
      <Buttons isComplete={isComplete} onCancel={() => intents.context.closeForm()} />
    </form>
  );
}

function Buttons({ isComplete, onCancel }: { readonly isComplete: boolean; readonly onCancel: () => void }): JSX.Element {
  return (
    <div class="button-row">
      <button type="submit" class="button is-primary" aria-disabled={!isComplete}>
        {t('Add to message')}
      </button>
      <button type="button" class="button" onClick={onCancel}>
        {t('Cancel')}
      </button>
    </div>
  );
}
