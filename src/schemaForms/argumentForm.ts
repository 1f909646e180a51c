import type { JsonObject, JsonValue } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { ArgumentField, ArgumentGroup, ArgumentVariant, TextFormat } from '../contract/forms/argumentFields.ts';
import { kindNames, kindsOf, withoutAllOf, withoutNull } from './composition.ts';
import { type LimitName, readSchema, type SchemaBounds, type SchemaField } from './readSchema.ts';

const bounds: SchemaBounds = { maxDepth: 14, maxFields: 1_000, followsReferences: true };
/** Objects and lists within each other, as groups; what is deeper is a field of JSON. */
const maxFormDepth = 6;

/**
 * The form for a tool's arguments. Every member that the schema names is there: as a control where there is one for it, else
 * as a field of JSON. Sound, not complete: whatever a field refuses the schema refuses too, and the schema may refuse more.
 * Undefined where it would be larger than anybody can read: then JSON has to do.
 */
export function readableArgumentForm(schema: JsonObject): ArgumentGroup | undefined {
  const budget = new FormBudget();
  const form = new FormMaker(budget).form(readSchema(schema, bounds));
  return budget.isSpent ? undefined : form;
}

type Common = Pick<ArgumentField, 'name' | 'label' | 'description' | 'isRequired' | 'isNullable' | 'default'>;

class FormMaker {
  readonly #budget: FormBudget;

  constructor(budget: FormBudget) {
    this.#budget = budget;
  }

  form(root: SchemaField): ArgumentGroup {
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

  /** Alternatives of alternatives are left to the schema's own check. */
  #root(kind: SchemaField, common: Common): ArgumentGroup {
    return this.#group(withoutAllOf(kind), common, 0);
  }

  #group(field: SchemaField, common: Common, depth: number): ArgumentGroup {
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

  /** What a member is that is not named, where one is expected; nobody knows what it is if the schema is not fully read. */
  #rest({ additional, isCut }: SchemaField, isWhole: boolean, depth: number): ArgumentField | undefined {
    if (additional !== undefined && !isCut) {
      // An entry that is there has a value: an empty text is one.
      return this.field({ ...additional, name: '' }, true, depth + 1);
    }
    return isWhole ? undefined : { name: '', label: '', description: '', isRequired: false, isNullable: false, type: 'json', types: [] };
  }

  field(field: SchemaField, isRequired: boolean, depth: number): ArgumentField {
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

  /** Undefined where the form has none. */
  #control(field: SchemaField, common: Common, depth: number): ArgumentField | undefined {
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

  #list(field: SchemaField, common: Common, depth: number): ArgumentField | undefined {
    if (field.items === undefined || field.isTuple || depth >= maxFormDepth) {
      return undefined;
    }
    const item = this.field({ ...field.items, name: '' }, true, depth + 1);
    const isUnique = field.hasUniqueItems ? { isUnique: true } : {};
    return { ...common, type: 'list', item, ...limitsOf(field, 'minItems', 'maxItems'), ...isUnique };
  }

  /** What is written about the field stands outside of its only alternative. */
  #only(kind: SchemaField, { title, description, default: given }: SchemaField, common: Common, depth: number): ArgumentField {
    const annotated: SchemaField = {
      ...kind,
      title: title ?? kind.title,
      description: description ?? kind.description,
      default: given === undefined ? kind.default : given,
    };
    const field = this.field(annotated, common.isRequired, depth);
    return common.isNullable ? { ...field, isNullable: true } : field;
  }

  #variants(kinds: readonly SchemaField[], common: Common, depth: number): ArgumentField | undefined {
    const names = kindNames(kinds);
    const variants = kinds.map((kind, index): ArgumentVariant => {
      this.#budget.take(names[index]);
      return { label: this.#budget.isSpent ? '' : revealInvisible(names[index] ?? ''), field: this.field(kind, true, depth) };
    });
    return variants.every(({ field }) => field.type === 'json') ? undefined : { ...common, type: 'variants', variants };
  }
}

/** More is said about it than stands in its own keywords. */
function isComposed({ anyOf, oneOf, allOf, hasMore }: SchemaField): boolean {
  return anyOf !== undefined || oneOf !== undefined || allOf !== undefined || hasMore;
}

function hasMembers({ properties = [], required, additional }: SchemaField): boolean {
  return properties.length > 0 || required.length > 0 || additional !== undefined;
}

function textField(field: SchemaField, common: Common): ArgumentField {
  const pattern = field.pattern === undefined ? {} : { pattern: revealInvisible(field.pattern) };
  return { ...common, type: 'text', format: formatOf(field.format), ...limitsOf(field, 'minLength', 'maxLength'), ...pattern };
}

function numberField(field: SchemaField, common: Common): ArgumentField {
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

function limitsOf<K extends LimitName>({ limits }: SchemaField, ...names: readonly K[]): { [name in K]?: number } {
  const known = names.flatMap((name) => (limits[name] === undefined ? [] : [[name, limits[name]]]));
  return Object.fromEntries(known) as { [name in K]?: number };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

const maxOptions = 200;

/** `enum` (with the older `enumNames`), a constant, or alternatives that are all titled constants. */
function optionsOf(field: SchemaField): readonly Option[] | undefined {
  const { enum: values, enumNames, const: constant, anyOf, oneOf, isCut } = field;
  if (constant !== undefined) {
    return [toOption(constant, undefined)];
  }
  if (values !== undefined) {
    return values.length > maxOptions ? undefined : values.map((value, index) => toOption(value, enumNames?.[index]));
  }
  // Cut, there may be other values than those that were read.
  const alternatives = isCut ? undefined : (anyOf ?? oneOf);
  const known = alternatives?.flatMap(({ const: value, title }) => (value === undefined ? [] : [toOption(value, title)]));
  return known !== undefined && known.length > 0 && known.length === alternatives?.length && known.length <= maxOptions ? known : undefined;
}

function toOption(value: JsonValue, label: unknown): Option {
  const text = typeof value === 'string' && value.trim() !== '' && !isJson(value) ? value : JSON.stringify(value);
  const own = revealInvisible(text);
  const title = typeof label === 'string' && label.trim() !== '' && label !== text ? revealInvisible(label) : undefined;
  // What is sent is always seen, whatever it is called.
  return { value: JSON.stringify(value), label: title === undefined ? own : `${title} (${own})` };
}

/** Without its quotes it would look like something else than a text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** With `$ref` and alternatives a small schema can repeat a large part of itself in every field. */
const maxFormFields = 3_000;
/** Of all texts of a form. */
const maxFormLength = 500_000;

/** How large a form may become. */
class FormBudget {
  readonly #known = new Map<object, number>();
  #fields = maxFormFields;
  #characters = maxFormLength;

  /** It is larger than anybody can read. */
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
      this.#characters -= this.#sizeOf(value);
    }
  }

  #sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' ? value.length : 5;
    }
    const size = this.#known.get(value) ?? JSON.stringify(value).length;
    this.#known.set(value, size);
    return size;
  }
}
