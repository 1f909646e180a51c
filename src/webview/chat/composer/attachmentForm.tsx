import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { ArgumentsForm } from '../../../contract/chat/attachments.ts';
import type { FormField } from '../../../contract/forms/formFields.ts';
import { answerProblem } from '../../../schemaForms/elicitationForm.ts';
import { TextLine, type TextLineAttributes } from '../../forms/controls.tsx';
import { FlatField } from '../../forms/flatForm.tsx';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import type { ChatIntents } from '../chatIntents.ts';
import type { ChatStore } from '../chatStore.ts';
import { decideListKey } from './composerRules.ts';
import { messageId } from './messageBox.tsx';

export interface AttachmentFormProps {
  readonly form: ArgumentsForm;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
}

/** The form for the arguments of a prompt or a resource template, with the values that the server proposes. */
export function AttachmentForm({ form, store, intents }: AttachmentFormProps): JSX.Element {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const completions = useCompletions(form.id, store, intents);
  const frame = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    frame.current?.querySelector('input')?.focus();
    return () => document.getElementById(messageId)?.focus();
  }, []);
  const fields = form.fields.map(toFormField);
  const isComplete = fields.every((field) => answerProblem(field, values[field.name]) === undefined);
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
      {fields.map((field) => (
        <CompletedField
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

/** Whatever a prompt or a resource template needs is text. */
function toFormField({ name, description, isRequired }: ArgumentsForm['fields'][number]): FormField {
  return { type: 'text', name, label: revealInvisible(name), description, isRequired, isNullable: false, format: 'plain' };
}

interface CompletedFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly completions: Completions;
  readonly onFocus: () => void;
  readonly onChange: (value: string) => void;
}

/** A text field with the values that the server proposes for it. */
function CompletedField({ field, value, completions, onFocus, onChange }: CompletedFieldProps): JSX.Element {
  const id = useId();
  const [active, setActive] = useState(-1);
  const found = completions.of(field.name).filter((each) => each !== value);
  const choose = (chosen: string | undefined): void => {
    if (chosen !== undefined) {
      onChange(chosen);
      completions.close();
      setActive(-1);
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const key = found.length === 0 ? 'none' : decideListKey(event);
    if (key === 'none' || (key === 'choose' && active < 0)) {
      return;
    }
    event.preventDefault();
    if (key === 'choose') {
      choose(found[active]);
    } else if (key === 'dismiss') {
      completions.close();
    } else {
      setActive((active + (key === 'next' ? 1 : active < 0 ? 0 : -1) + found.length) % found.length);
    }
  };
  const label = field.isRequired ? field.label : `${field.label} ${t('(optional)')}`;
  return (
    <FlatField id={id} label={label} help={field.description} isInComposer>
      <TextLine
        {...{ id, value, onFocus, onKeyDown, ...boxAttributes(id, found.length > 0 ? active : undefined) }}
        {...(field.description === '' ? {} : { 'aria-describedby': `${id}-help` })}
        aria-required={field.isRequired}
        onBlur={completions.close}
        onInput={(text) => {
          setActive(-1);
          onChange(text);
        }}
      />
      <CompletionList id={id} found={found} active={active} onPoint={setActive} onChoose={choose} />
    </FlatField>
  );
}

/** The attributes of the text box. `active` is undefined while no list is shown, and -1 while nothing in it is chosen. */
function boxAttributes(id: string, active: number | undefined): TextLineAttributes {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': active !== undefined,
    'aria-controls': `${id}-list`,
    ...(active === undefined || active < 0 ? {} : { 'aria-activedescendant': `${id}-${active}` }),
  };
}

interface CompletionListProps {
  readonly id: string;
  readonly found: readonly string[];
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (value: string) => void;
}

function CompletionList({ id, found, active, onPoint, onChoose }: CompletionListProps): JSX.Element {
  return (
    <div id={`${id}-list`} class="completion-list" role="listbox" aria-label={t('Suggestions')} hidden={found.length === 0}>
      {found.map((each, index) => (
        <div
          key={each}
          id={`${id}-${index}`}
          class={index === active ? 'suggestion-line is-active' : 'suggestion-line'}
          role="option"
          aria-selected={index === active}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => onPoint(index)}
          onClick={() => onChoose(each)}
        >
          {revealInvisible(each)}
        </div>
      ))}
    </div>
  );
}

/** How long, in ms, nobody must have typed before the server is asked for completions. */
const pauseMs = 150;
/** The most completions that are shown. */
const maxShown = 20;

interface Completions {
  readonly of: (argument: string) => readonly string[];
  readonly ask: (argument: string, values: Readonly<Record<string, string>>) => void;
  readonly close: () => void;
}

let lastRequest = 0;

/** Asks for the values that the server proposes, for one argument at a time; only the answer to the last request counts. */
function useCompletions(formId: string, store: ChatStore, intents: ChatIntents): Completions {
  const [found, setFound] = useState<{ readonly argument: string; readonly values: readonly string[] }>({ argument: '', values: [] });
  const [asked, timer] = [useRef({ id: 0, argument: '' }), useRef<number | undefined>(undefined)];
  useEffect(() => {
    const subscription = store.onCompletions(({ requestId, values }) => {
      if (requestId === asked.current.id) {
        setFound({ argument: asked.current.argument, values: values.slice(0, maxShown) });
      }
    });
    return () => {
      window.clearTimeout(timer.current);
      subscription.dispose();
    };
  }, [store, asked, timer]);
  return {
    of: (argument) => (found.argument === argument ? found.values : []),
    ask: (argument, values) => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        lastRequest += 1;
        asked.current = { id: lastRequest, argument };
        intents.context.complete(lastRequest, formId, argument, values);
      }, pauseMs);
    },
    close: () => {
      window.clearTimeout(timer.current);
      asked.current = { id: 0, argument: '' };
      setFound({ argument: '', values: [] });
    },
  };
}
