import type { FormField, FormVariant, TextFormat } from '../../contract/forms/formFields.ts';
import type { FieldProblem, PlacedProblem } from '../../schemaForms/argumentProblems.ts';
import { pathText } from '../../schemaForms/argumentValues.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';

/** The sentence beside a field that says what is wrong with its value. */
export function problemSentence(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'required':
      return t('The tool needs this.');
    case 'unknown':
      return t('The tool does not take this.');
    case 'notAnOption':
      return t('Choose one of the values.');
    case 'notAnInteger':
      return t('A whole number, please.');
    case 'notUnique':
      return t('This stands here already.');
    case 'notMultiple':
      return t('A multiple of {0}.', problem.limit);
    case 'wrongType':
      return typeSentence(problem.expected);
    case 'badFormat':
      return formatSentence(problem.format) ?? t('This does not fit.');
    case 'tooShort':
      return t('At least {0} characters.', problem.limit);
    case 'tooLong':
      return t('At most {0} characters.', problem.limit);
    case 'tooSmall':
      return t('At least {0}.', problem.limit);
    case 'tooLarge':
      return t('At most {0}.', problem.limit);
    case 'notAbove':
      return t('More than {0}.', problem.limit);
    case 'notBelow':
      return t('Less than {0}.', problem.limit);
    case 'tooFew':
      return t('Too few: at least {0}.', problem.limit);
    case 'tooMany':
      return t('Too many: at most {0}.', problem.limit);
    case 'refused':
      return problem.inner === '' ? refusalSentence(problem) : t('{0}: {1}', wholeText(problem.inner), refusalSentence(problem));
  }
}

/** The sentence beside a field of a form that a server asks for, in which the only lists are choices. */
export function answerSentence(problem: FieldProblem): string {
  if (problem.kind === 'required') {
    return t('The server needs this.');
  }
  if (problem.kind === 'tooFew' || problem.kind === 'tooMany') {
    return problem.kind === 'tooFew' ? t('Choose at least {0}.', problem.limit) : t('Choose at most {0}.', problem.limit);
  }
  return problemSentence(problem);
}

/** The sentence for what the validator found, by the keyword of the schema. */
function refusalSentence(problem: Extract<FieldProblem, { readonly kind: 'refused' }>): string {
  const wanted = wholeText(problem.wanted);
  const sentences: Readonly<Record<string, () => string>> = {
    required: () => t('The tool needs this.'),
    dependentRequired: () => t('The tool needs this together with what else is given.'),
    additionalProperties: () => t('The tool does not take this.'),
    unevaluatedProperties: () => t('The tool does not take this.'),
    'false schema': () => t('The tool does not take this.'),
    type: () => typeSentence(problem.wanted),
    enum: () => t('This is none of the values that the tool takes.'),
    const: () => t('This is none of the values that the tool takes.'),
    pattern: () => t('This must fit the pattern {0}', wanted),
    format: () => t('This is not of the format “{0}”.', wanted),
    multipleOf: () => t('A multiple of {0}.', wanted),
    minLength: () => t('At least {0} characters.', wanted),
    maxLength: () => t('At most {0} characters.', wanted),
    minimum: () => t('At least {0}.', wanted),
    maximum: () => t('At most {0}.', wanted),
    exclusiveMinimum: () => t('More than {0}.', wanted),
    exclusiveMaximum: () => t('Less than {0}.', wanted),
    minItems: () => t('Too few: at least {0}.', wanted),
    minProperties: () => t('Too few: at least {0}.', wanted),
    maxItems: () => t('Too many: at most {0}.', wanted),
    maxProperties: () => t('Too many: at most {0}.', wanted),
    uniqueItems: () => t('This stands here already.'),
    not: () => t('The tool excludes this.'),
    anyOf: () => t('This fits none of the kinds of value that the tool takes.'),
    oneOf: () =>
      wanted === ''
        ? t('This fits none of the kinds of value that the tool takes.')
        : t('This fits several kinds of value, and the tool takes exactly one.'),
  };
  const sentence = Object.hasOwn(sentences, problem.keyword) ? sentences[problem.keyword] : undefined;
  return sentence?.() ?? t('The tool’s schema refuses this: {0}', wholeText(problem.reason));
}

/** The sentence below the JSON, with the place of the value, since there is no field beside it. */
export function placedSentence({ path, problem }: PlacedProblem): string {
  return path.length === 0 ? problemSentence(problem) : t('{0}: {1}', wholeText(pathText(path)), problemSentence(problem));
}

function typeSentence(expected: string): string {
  switch (expected) {
    case 'integer':
    case 'number':
      return t('This is not a number.');
    default:
      return t('This must be of the type {0}.', wholeText(expected));
  }
}

/** A hint below a field of arguments, where a format is not checked. */
export function formatHint(field: FormField): string | undefined {
  if (field.type !== 'text') {
    return undefined;
  }
  return formatSentence(field.format) ?? (field.pattern === undefined ? undefined : t('Fits the pattern {0}', wholeText(field.pattern)));
}

function formatSentence(format: TextFormat): string | undefined {
  switch (format) {
    case 'email':
      return t('An e-mail address, such as name@example.com.');
    case 'uri':
      return t('An address, such as https://example.com.');
    case 'date':
      return t('A date, such as 2026-01-31.');
    case 'dateTime':
      return t('A date and time, such as 2026-01-31T12:00:00Z.');
    case 'time':
      return t('A time, such as 12:00:00Z.');
    case 'uuid':
      return t('A UUID, such as 123e4567-e89b-42d3-a456-426614174000.');
    case 'plain':
      return undefined;
  }
}

/** A name for each variant: the schema's own word, else its type. Equal names are numbered. */
export function variantLabels(variants: readonly FormVariant[]): readonly string[] {
  const labels = variants.map(({ label, field }) => (label.trim() === '' ? kindWord(field) : shortened(wholeText(label))));
  return labels.map((label, index) => (labels.indexOf(label) === labels.lastIndexOf(label) ? label : t('{0} {1}', label, index + 1)));
}

/** The most characters of the label of a variant; the rest is cut. */
const maxVariantLabelLength = 80;

function shortened(text: string): string {
  return text.length > maxVariantLabelLength ? `${text.slice(0, maxVariantLabelLength)}…` : text;
}

function kindWord(field: FormField): string {
  switch (field.type) {
    case 'text':
      return t('Text');
    case 'number':
      return field.isInteger ? t('Whole number') : t('Number');
    case 'boolean':
      return t('Yes or no');
    case 'choice':
      return field.options.length === 1 ? shortened(field.options[0]?.label ?? '') : t('One of {0} values', field.options.length);
    case 'list':
      return t('List');
    case 'group':
      return t('Object');
    case 'variants':
    case 'json':
      return t('JSON');
  }
}
