import { useState } from 'preact/hooks';
import type { FormField, FormValue, FormValues } from '../../contract/forms/formFields.ts';
import { defaultValues, fieldProblem, type FieldProblem } from '../../schemaForms/formValues.ts';
import { t } from '../shared/localize.ts';

/** What the person has filled in so far of a server's form. */
export interface FormDraft {
  readonly values: Record<string, FormValue>;
  /** The first one, while there is one: the form cannot be sent. */
  readonly problem: string | undefined;
  problemOf(field: FormField): string | undefined;
  set(field: FormField, value: FormValue | undefined): void;
}

export function useFormDraft(fields: readonly FormField[]): FormDraft {
  const [values, setValues] = useState<FormValues>(() => ({ ...unchecked(fields), ...defaultValues(fields) }));
  const problemOf = (field: FormField): string | undefined => {
    const problem = fieldProblem(field, values[field.name]);
    return problem === undefined ? undefined : problemText(problem, field);
  };
  return {
    values,
    problem: fields.map(problemOf).find((problem) => problem !== undefined),
    problemOf,
    set: (field, value) => setValues((before) => withValue(before, field.name, value)),
  };
}

/** A box that is there and not ticked says no. */
function unchecked(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.filter(({ type, isRequired }) => type === 'boolean' && isRequired).map(({ name }) => [name, false]));
}

function withValue(values: FormValues, name: string, value: FormValue | undefined): FormValues {
  const others = Object.entries(values).filter(([key]) => key !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

export function problemText(problem: FieldProblem, field: FormField): string {
  const limit = (name: 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems'): string => {
    const value: unknown = (field as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'number' ? String(value) : '';
  };
  switch (problem) {
    case 'required':
      return t('The server needs this.');
    case 'tooShort':
      return t('At least {0} characters.', limit('minLength'));
    case 'tooLong':
      return t('At most {0} characters.', limit('maxLength'));
    case 'badFormat':
      return formatText(field);
    case 'notANumber':
      return t('This is not a number.');
    case 'notAnInteger':
      return t('A whole number, please.');
    case 'tooSmall':
      return t('At least {0}.', limit('minimum'));
    case 'tooLarge':
      return t('At most {0}.', limit('maximum'));
    case 'tooFew':
      return t('Choose at least {0}.', limit('minItems'));
    case 'tooMany':
      return t('Choose at most {0}.', limit('maxItems'));
    case 'notAnOption':
    case 'wrongType':
      return t('Choose one of the values.');
  }
}

function formatText(field: FormField): string {
  switch (field.type === 'text' ? field.format : 'plain') {
    case 'email':
      return t('An e-mail address, such as name@example.com.');
    case 'uri':
      return t('An address, such as https://example.com.');
    case 'date':
      return t('A date, such as 2026-01-31.');
    case 'dateTime':
      return t('A date and time, such as 2026-01-31T12:00:00Z.');
    case 'plain':
      return t('This does not fit.');
  }
}
