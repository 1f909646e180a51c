import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { FormField, FormValue, FormValues } from '../../contract/forms/formFields.ts';
import { answerProblem, defaultAnswers } from '../../schemaForms/elicitationForm.ts';
import { Icon, Problem } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { type ControlProps, type FieldOf, NumberControl, Select, TextLine } from './controls.tsx';
import { answerSentence } from './formTexts.ts';

/** What the person has filled in so far of a form that a server asks for. */
export interface FormDraft {
  readonly values: Record<string, FormValue>;
  /** The first problem, while there is one: the form cannot be sent. */
  readonly problem: string | undefined;
  problemOf(field: FormField): string | undefined;
  set(field: FormField, value: FormValue | undefined): void;
}

export function useFormDraft(fields: readonly FormField[]): FormDraft {
  const [values, setValues] = useState<FormValues>(() => ({ ...unchecked(fields), ...defaultAnswers(fields) }));
  const problemOf = (field: FormField): string | undefined => {
    const problem = answerProblem(field, values[field.name]);
    return problem === undefined ? undefined : answerSentence(problem);
  };
  return {
    values,
    problem: fields.map(problemOf).find((problem) => problem !== undefined),
    problemOf,
    set: (field, value) => setValues((before) => withValue(before, field.name, value)),
  };
}

/** A required box that nobody has ticked counts as "no". */
function unchecked(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.filter(({ type, isRequired }) => type === 'boolean' && isRequired).map(({ name }) => [name, false]));
}

function withValue(values: FormValues, name: string, value: FormValue | undefined): FormValues {
  const others = Object.entries(values).filter(([key]) => key !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

interface FlatFieldProps {
  readonly id: string;
  /** The label; undefined where the control has one of its own, as a checkbox has. */
  readonly label: string | undefined;
  readonly help: string;
  /** The control. */
  readonly children: ComponentChildren;
  /** What else to show below the control. */
  readonly below?: ComponentChildren;
  readonly onLeave?: () => void;
  /** In the composer the form has a look of its own. */
  readonly isInComposer?: boolean;
}

/** The frame of a field in a form of one level: its label, its control, and what it is for (`ID-help`). */
export function FlatField({ id, label, help, children, below, onLeave, isInComposer = false }: FlatFieldProps): JSX.Element {
  return (
    <div class={isInComposer ? 'form-field' : 'section'} onFocusOut={onLeave}>
      {label !== undefined && (
        <label class={isInComposer ? undefined : 'section-label'} for={id}>
          {label}
        </label>
      )}
      {children}
      <div id={`${id}-help`} class="secondary">
        {wholeText(help)}
      </div>
      {below}
    </div>
  );
}

/** One field of a form that a server asks for. What is wrong with it is said once the person has been there. */
export function AnswerField({ field, form }: { readonly field: FormField; readonly form: FormDraft }): JSX.Element {
  const id = useId();
  const [isTouched, setTouched] = useState(false);
  const problem = isTouched ? form.problemOf(field) : undefined;
  const label = field.isRequired ? t('{0} (required)', wholeText(field.label)) : wholeText(field.label);
  const below = (
    <>
      {field.type === 'text' && field.looksSecret === true && (
        <p class="danger-mark">
          <Icon name="warning" tone="warning" />
          {t('This looks like a password or a key. Honest servers do not ask for those here.')}
        </p>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </>
  );
  const isLabelledInside = field.type === 'boolean' || field.type === 'list';
  return (
    <FlatField id={id} label={isLabelledInside ? undefined : label} help={field.description} below={below} onLeave={() => setTouched(true)}>
      <AnswerControl
        field={field}
        value={form.values[field.name]}
        // A form of one level has no other values than these.
        onChange={(value) => form.set(field, value as FormValue | undefined)}
        id={id}
        label={label}
        describedBy={`${id}-help`}
        isInvalid={problem !== undefined}
        saysRequired={field.isRequired}
      />
    </FlatField>
  );
}

function AnswerControl(props: ControlProps): JSX.Element {
  const { field, value } = props;
  switch (field.type) {
    case 'text':
      return <AnswerLine {...props} field={field} />;
    case 'number':
      return <NumberControl {...props} field={field} />;
    case 'boolean':
      return <AnswerCheck {...props} />;
    case 'choice':
      return <Select {...props} options={field.options} none={value === undefined || !field.isRequired ? t('Not chosen') : undefined} />;
    case 'list':
      return <ManyChoices {...props} field={field} />;
    case 'group':
    case 'variants':
    case 'json':
      return <></>;
  }
}

function AnswerLine({ field, value, onChange, id, describedBy, isInvalid, saysRequired }: ControlProps<FieldOf<'text'>>): JSX.Element {
  const attributes = {
    id,
    value: typeof value === 'string' ? value : '',
    'aria-invalid': isInvalid,
    'aria-required': saysRequired,
    'aria-describedby': describedBy,
  };
  return field.isPassword === true ? (
    <input class="input" type="password" autocomplete="off" {...attributes} onInput={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextLine {...attributes} onInput={onChange} />
  );
}

function AnswerCheck({ value, onChange, id, label, describedBy, isInvalid, saysRequired }: ControlProps): JSX.Element {
  return (
    <div class="role">
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        aria-invalid={isInvalid}
        aria-required={saysRequired}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}

/** A list of options to tick. */
function ManyChoices({ field, value, onChange, id, label, describedBy }: ControlProps<FieldOf<'list'>>): JSX.Element {
  const options = field.item.type === 'choice' ? field.item.options : [];
  const chosen = new Set(Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : []);
  const toggle = (option: string, isChosen: boolean): void => {
    const others = [...chosen].filter((each) => each !== option);
    onChange((isChosen ? [...others, option] : others).map((each) => JSON.parse(each) as string));
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      <div class="section-label" id={`${id}-label`}>
        {label}
      </div>
      {options.map((option, index) => (
        <div class="role" key={option.value}>
          <input
            type="checkbox"
            id={`${id}-${index}`}
            checked={chosen.has(option.value)}
            onChange={(event) => toggle(option.value, event.currentTarget.checked)}
          />
          <label for={`${id}-${index}`}>{wholeText(option.label)}</label>
        </div>
      ))}
    </div>
  );
}
