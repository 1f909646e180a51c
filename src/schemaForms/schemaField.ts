import type { JsonValue } from '../base/json.ts';

export type LimitName =
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems';

/** A place in a schema where a value stands. Texts are as the server wrote them: whoever shows them makes them safe to see. */
export interface SchemaField {
  /** The property it stands at; items and alternatives have the name of what they belong to. Empty at the root. */
  readonly name: string;
  /** Empty when the schema names none: any will do. With `null` among others, the value may be null. */
  readonly types: readonly string[];
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly default: JsonValue | undefined;
  readonly const: JsonValue | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  /** Titles of the values of `enum`, by position: older than titled constants in `oneOf`. */
  readonly enumNames: readonly JsonValue[] | undefined;
  readonly examples: readonly JsonValue[] | undefined;
  /** Only those that the schema has. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
  /** In the schema's order. Undefined when it speaks of none. */
  readonly properties: readonly SchemaField[] | undefined;
  /** In the order of `required`: the same fields as in `properties`, and a field of any type for a name that is not there. */
  readonly required: readonly SchemaField[];
  readonly items: SchemaField | undefined;
  /** Items are told apart by their position: `items` is not what holds for all of them. */
  readonly isTuple: boolean;
  readonly hasUniqueItems: boolean;
  /** What members must be that neither the properties nor a pattern of names speak of. Undefined where anything will do. */
  readonly additional: SchemaField | undefined;
  readonly anyOf: readonly SchemaField[] | undefined;
  readonly oneOf: readonly SchemaField[] | undefined;
  readonly allOf: readonly SchemaField[] | undefined;
  /** Members that are not among the properties are refused. */
  readonly isClosed: boolean;
  /** Members that are not among the properties are expected: by a pattern of their names, or of any name. */
  readonly isOpen: boolean;
  /** It is bound by keywords that are not read here. */
  readonly hasMore: boolean;
  /** What stands below was not read, or not all of it: too deep or too much. */
  readonly isCut: boolean;
}
