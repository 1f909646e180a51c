import { type JsonObject, type JsonValue, parsedJson } from '../base/json.ts';
import { endWithin, revealInvisible } from '../base/visibleText.ts';
import type { FormField, FormGroup, FormVariant, TextFormat } from '../contract/forms/formFields.ts';
import { kindNames, kindsOf, withoutAllOf, withoutNull } from './composition.ts';
import { type LimitName, readSchema, type SchemaBounds, type SchemaField } from './readSchema.ts';

const bounds: SchemaBounds = { maxDepth: 14, maxFields: 1_000, followsReferences: true };
/** How deep objects and lists may lie within each other as groups of fields; what lies deeper becomes a field of JSON. */
const maxFormDepth = 6;

/**
 * Makes the form for a tool's arguments. Every member that the schema names is in it: as a control where there is one for it,
 * else as a field of JSON. The form is sound, not complete: whatever a field refuses the schema refuses too, but the schema may
 * refuse more. Returns undefined for a form larger than anybody can read: then the person edits JSON.
 */
export function readableArgumentForm(schema: JsonObject): FormGroup | undefined {
  const budget = new FormBudget();
  const form = new FormMaker(budget).form(readSchema(schema, bounds));
  return budget.isSpent ? undefined : form;
}

type Common = Pick<FormField, 'name' | 'label' | 'description' | 'isRequired' | 'isNullable' | 'default'>;

class FormMaker {
  readonly #budget: FormBudget;

  constructor(budget: FormBudget) {
    this.#budget = budget;
  }

  form(root: SchemaField): FormGroup {
    const whole = withoutAllOf(root);
    const kinds = whole.anyOf === undefined && whole.oneOf === undefined ? undefined : kindsOf(whole);
    const common: Common = { name: '', label: '', description: '', isRequired: false, isNullable: false };
    if (kinds === undefined || kinds.length === 0) {
      return this.#group(whole, common, 0);
    }
    const names = kindNames(kinds);
    const groups = kinds.map((kind, index) => ({ label: revealInvisible(names[index] ?? ''), field: this.#root(kind, common) }));
    return { ...common, type: 'group', fields: [], isClosed: false, isWhole: false, variants: groups };
  }

  /** Alternatives within an alternative are not shown: the schema's own check looks at them. */
  #root(kind: SchemaField, common: Common): FormGroup {
    return this.#group(withoutAllOf(kind), common, 0);
  }

  #group(field: SchemaField, common: Common, depth: number): FormGroup {
    const { properties = [], required, isClosed } = field;
    const members = [...new Set([...properties, ...required])];
    const isWhole = !field.isCut && !field.isOpen && !isComposed(field);
    const rest = isClosed ? undefined : this.#rest(field, isWhole, depth);
    return {
      ...common,
      type: 'group',
      fields: members.map((member) => this.field(member, required.includes(member), depth + 1)),
      isClosed,
      isWhole,
      ...(field.types.length === 0 && { isUntyped: true }),
      ...(rest === undefined ? {} : { rest }),
    };
  }

  /**
   * The field for members that the schema does not name, where it expects some. If the schema was not read to its end, nobody
   * knows what they are, and the field takes any JSON.
   */
  #rest({ additional, isCut }: SchemaField, isWhole: boolean, depth: number): FormField | undefined {
    if (additional !== undefined && !isCut) {
      // The field counts as required because an entry that exists has a value, if only an empty text.
      return this.field({ ...additional, name: '' }, true, depth + 1);
    }
    return isWhole ? undefined : { name: '', label: '', description: '', isRequired: false, isNullable: false, type: 'json', types: [] };
  }

  field(field: SchemaField, isRequired: boolean, depth: number): FormField {
    const { inner, isNullable } = withoutNull(withoutAllOf(field));
    const common = { ...this.#common(inner, isRequired), isNullable };
    const control = this.#budget.takeField() ? this.#control(inner, common, depth) : undefined;
    return control ?? { ...common, type: 'json', types: inner.types };
  }

  #common({ name, title = '', description = '', default: given }: SchemaField, isRequired: boolean): Common {
    this.#budget.take(name, title, description, given);
    const text = (each: string): string => (this.#budget.isSpent ? '' : revealInvisible(each));
    return {
      name,
      label: text(title.trim() === '' ? name : title),
      description: text(description),
      isRequired,
      isNullable: false,
      ...(given === undefined ? {} : { default: text(JSON.stringify(given)) }),
    };
  }

  /** The control for a field; undefined where the form has none for it. */
  #control(field: SchemaField, common: Common, depth: number): FormField | undefined {
    this.#budget.take(field.enum, field.enumNames, field.const, field.pattern);
    this.#budget.take(...(field.oneOf ?? field.anyOf ?? []).flatMap((each) => [each.const, each.title]));
    const options = this.#budget.isSpent ? undefined : optionsOf(field);
    if (options !== undefined) {
      return { ...common, type: 'choice', options };
    }
    const kinds = kindsOf(field);
    if (kinds !== undefined) {
      const [only] = kinds;
      return kinds.length === 1 && only !== undefined ? this.#only(only, field, common, depth) : this.#variants(kinds, common, depth);
    }
    if (field.anyOf !== undefined || field.oneOf !== undefined || field.types.length > 1) {
      return undefined;
    }
    switch (field.types[0] ?? (field.properties === undefined ? undefined : 'object')) {
      case 'string':
        return textField(field, common);
      case 'number':
      case 'integer':
        return numberField(field, common);
      case 'boolean':
        return { ...common, type: 'boolean' };
      case 'array':
        return this.#list(field, common, depth);
      case 'object':
        return field.isCut || depth >= maxFormDepth || !hasMembers(field) ? undefined : this.#group(field, common, depth);
      case undefined:
      default:
        return undefined;
    }
  }

  #list(field: SchemaField, common: Common, depth: number): FormField | undefined {
    if (field.items === undefined || field.isTuple || depth >= maxFormDepth) {
      return undefined;
    }
    const item = this.field({ ...field.items, name: '' }, true, depth + 1);
    const isUnique = field.hasUniqueItems ? { isUnique: true } : {};
    return { ...common, type: 'list', item, ...limitsOf(field, 'minItems', 'maxItems'), ...isUnique };
  }

  /** A field with one alternative is drawn as that alternative, under the title, description and default of the field itself. */
  #only(kind: SchemaField, { title, description, default: given }: SchemaField, common: Common, depth: number): FormField {
    const annotated: SchemaField = {
      ...kind,
      title: title ?? kind.title,
      description: description ?? kind.description,
      default: given === undefined ? kind.default : given,
    };
    const field = this.field(annotated, common.isRequired, depth);
    return common.isNullable ? { ...field, isNullable: true } : field;
  }

  #variants(kinds: readonly SchemaField[], common: Common, depth: number): FormField | undefined {
    const names = kindNames(kinds);
    const variants = kinds.map((kind, index): FormVariant => {
      this.#budget.take(names[index]);
      return { label: this.#budget.isSpent ? '' : revealInvisible(names[index] ?? ''), field: this.field(kind, true, depth) };
    });
    return variants.every(({ field }) => field.type === 'json') ? undefined : { ...common, type: 'variants', variants };
  }
}

/** Whether the schema says more about the value than its own keywords do, so that its fields are not the whole story. */
function isComposed({ anyOf, oneOf, allOf, hasMore }: SchemaField): boolean {
  return anyOf !== undefined || oneOf !== undefined || allOf !== undefined || hasMore;
}

function hasMembers({ properties = [], required, additional }: SchemaField): boolean {
  return properties.length > 0 || required.length > 0 || additional !== undefined;
}

export function textField(field: SchemaField, common: Common): Extract<FormField, { readonly type: 'text' }> {
  const pattern = field.pattern === undefined ? {} : { pattern: revealInvisible(field.pattern) };
  return { ...common, type: 'text', format: formatOf(field.format), ...limitsOf(field, 'minLength', 'maxLength'), ...pattern };
}

export function numberField(field: SchemaField, common: Common): FormField {
  const limits = limitsOf(field, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf');
  return { ...common, type: 'number', isInteger: field.types[0] === 'integer', ...limits };
}

const formats: ReadonlyMap<string | undefined, TextFormat> = new Map([
  ['email', 'email'],
  ['uri', 'uri'],
  ['url', 'uri'],
  ['date', 'date'],
  ['date-time', 'dateTime'],
  ['time', 'time'],
  ['uuid', 'uuid'],
]);

function formatOf(format: string | undefined): TextFormat {
  return formats.get(format) ?? 'plain';
}

export function limitsOf<K extends LimitName>({ limits }: SchemaField, ...names: readonly K[]): { [name in K]?: number } {
  const known = names.flatMap((name) => (limits[name] === undefined ? [] : [[name, limits[name]]]));
  return Object.fromEntries(known) as { [name in K]?: number };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The most values of a field among which one is chosen; a field with more offers no choice. */
const maxOptions = 200;

/** The values to choose from: an `enum` (with the older `enumNames`), a constant, or alternatives that are all titled constants. */
function optionsOf(field: SchemaField): readonly Option[] | undefined {
  const { enum: values, enumNames, const: constant, anyOf, oneOf, isCut } = field;
  if (constant !== undefined) {
    return [toOption(constant, undefined)];
  }
  if (values !== undefined) {
    return values.length > maxOptions ? undefined : values.map((value, index) => toOption(value, enumNames?.[index]));
  }
  // The alternatives of a schema that was cut off are not all that there are.
  const alternatives = isCut ? undefined : (anyOf ?? oneOf);
  const known = alternatives?.flatMap(({ const: value, title }) => (value === undefined ? [] : [toOption(value, title)]));
  return known !== undefined && known.length > 0 && known.length === alternatives?.length && known.length <= maxOptions ? known : undefined;
}

function toOption(value: JsonValue, label: unknown): Option {
  const text = typeof value === 'string' && value.trim() !== '' && !isJson(value) ? value : JSON.stringify(value);
  const own = revealInvisible(text);
  const title = typeof label === 'string' && label.trim() !== '' && label !== text ? revealInvisible(label) : undefined;
  // A person always sees the value that is sent, whatever title the server gives it.
  return { value: JSON.stringify(value), label: title === undefined ? own : `${title} (${own})` };
}

/** Whether a text looks like another JSON value: without its quotes nobody could tell "5" from 5. */
function isJson(text: string): boolean {
  return parsedJson(text) !== undefined;
}

/** The most fields of one form: with `$ref` and alternatives a small schema can repeat a large part of itself in every field. */
const maxFormFields = 3_000;
/** The most characters of all texts of a form together. */
const maxFormLength = 500_000;
/** How many more a character counts for that is written out: it becomes as many as nine, and takes its time. */
const weightOfInvisible = 40;

/** Counts what a form still may hold while it is made. */
class FormBudget {
  readonly #known = new Map<object, number>();
  #fields = maxFormFields;
  #characters = maxFormLength;

  /** Whether the form has become larger than anybody can read. */
  get isSpent(): boolean {
    return this.#characters < 0;
  }

  /** Whether there is room for a field with a control of its own. */
  takeField(): boolean {
    this.#fields -= 1;
    return this.#fields >= 0 && !this.isSpent;
  }

  take(...values: readonly unknown[]): void {
    for (const value of values) {
      this.#characters -= this.isSpent ? 0 : this.#sizeOf(value);
    }
  }

  #sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' ? this.#weightOf(value) : 5;
    }
    const size = this.#known.get(value) ?? this.#weightOf(JSON.stringify(value));
    this.#known.set(value, size);
    return size;
  }

  #weightOf(text: string): number {
    const { end, weight } = endWithin(text, maxFormLength, weightOfInvisible);
    return end < text.length ? maxFormLength + 1 : weight;
  }
}
