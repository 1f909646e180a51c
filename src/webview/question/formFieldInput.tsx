import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { FormField, FormValue } from '../../contract/forms/formFields.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { FormDraft } from './formDraft.ts';

interface FieldProps {
  readonly field: FormField;
  readonly form: FormDraft;
}

/** One field of a server's form. What is wrong with it is said once the person has been there. */
export function FormFieldInput({ field, form }: FieldProps): JSX.Element {
  const id = useId();
  const [isTouched, setTouched] = useState(false);
  const problem = isTouched ? form.problemOf(field) : undefined;
  const label = field.isRequired ? t('{0} (required)', wholeText(field.label)) : wholeText(field.label);
  return (
    <div class="section" onFocusOut={() => setTouched(true)}>
      {field.type === 'boolean' || field.type === 'choices' ? null : (
        <label class="section-label" for={id}>
          {label}
        </label>
      )}
      <FieldControl field={field} form={form} id={id} label={label} isInvalid={problem !== undefined} />
      <div id={`${id}-help`} class="secondary">
        {wholeText(field.description)}
      </div>
      {field.type === 'text' && field.looksSecret && (
        <p class="danger-mark">
          <Icon name="warning" tone="warning" />
          {t('This looks like a password or a key. Honest servers do not ask for those here.')}
        </p>
      )}
      <div class="field-problem" aria-live="polite">
        {problem !== undefined && (
          <>
            <Icon name="error" tone="error" />
            {problem}
          </>
        )}
      </div>
    </div>
  );
}

interface ControlProps extends FieldProps {
  readonly id: string;
  readonly label: string;
  readonly isInvalid: boolean;
}

function FieldControl({ field, form, id, label, isInvalid }: ControlProps): JSX.Element {
  const value = form.values[field.name];
  const common = { id, 'aria-invalid': isInvalid, 'aria-required': field.isRequired, 'aria-describedby': `${id}-help` };
  switch (field.type) {
    case 'text':
      return (
        <input
          {...common}
          class="input"
          type="text"
          autocomplete="off"
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => form.set(field, event.currentTarget.value)}
        />
      );
    case 'number':
      return (
        <input
          {...common}
          class="input"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={value === undefined ? '' : String(value)}
          onInput={(event) => form.set(field, toNumber(event.currentTarget.value))}
        />
      );
    case 'boolean':
      return (
        <div class="role">
          <input {...common} type="checkbox" checked={value === true} onChange={(event) => form.set(field, event.currentTarget.checked)} />
          <label for={id}>{label}</label>
        </div>
      );
    case 'choice':
      return <OneChoice field={field} form={form} common={common} />;
    case 'choices':
      return <ManyChoices field={field} form={form} id={id} label={label} />;
  }
}

interface OneChoiceProps extends Omit<FieldProps, 'field'> {
  readonly field: Extract<FormField, { type: 'choice' }>;
  readonly common: { readonly id: string };
}

function OneChoice({ field, form, common }: OneChoiceProps): JSX.Element {
  const value = form.values[field.name];
  return (
    <select
      {...common}
      class="input"
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => form.set(field, event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    >
      {value === undefined || !field.isRequired ? <option value="">{t('Not chosen')}</option> : null}
      {field.options.map((option) => (
        <option key={option.value} value={option.value}>
          {wholeText(option.label)}
        </option>
      ))}
    </select>
  );
}

interface ManyChoicesProps extends Omit<ControlProps, 'field' | 'isInvalid'> {
  readonly field: Extract<FormField, { type: 'choices' }>;
}

function ManyChoices({ field, form, id, label }: ManyChoicesProps): JSX.Element {
  const value = form.values[field.name];
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (option: string, isChosen: boolean): void => {
    const others = chosen.filter((each) => each !== option);
    form.set(field, isChosen ? [...others, option] : others);
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-help`}>
      <div class="section-label" id={`${id}-label`}>
        {label}
      </div>
      {field.options.map(({ value: option, label: optionLabel }, index) => (
        <div class="role" key={option}>
          <input
            type="checkbox"
            id={`${id}-${index}`}
            checked={chosen.includes(option)}
            onChange={(event) => toggle(option, event.currentTarget.checked)}
          />
          <label for={`${id}-${index}`}>{wholeText(optionLabel)}</label>
        </div>
      ))}
    </div>
  );
}

/** What is no number yet stays as text, so that typing "-" or "1." is possible; it cannot be sent. */
function toNumber(text: string): FormValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') {
    return undefined;
  }
  const value = Number(trimmed);
  return Number.isFinite(value) && String(value) === trimmed ? value : text;
}
