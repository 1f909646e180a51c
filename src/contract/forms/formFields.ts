// forms/: the forms that pages draw: for a tool's arguments, and for what a server asks a person.
import * as z from 'zod';
import type { JsonValue } from '../../base/json.ts';

/**
 * A form as data: made from a JSON Schema in the extension host, drawn by a page. A tool's arguments can have any depth, and
 * what a form cannot show of them is a field of JSON, so that every part has its place; a form that a server asks for has one
 * level of plain fields. Texts are safe to show; names and values are the schema's own.
 */
interface Common {
  /** The key of the member; '' for the root and for the items of a list. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** null will do as well. */
  readonly isNullable: boolean;
  /** JSON text of what counts when nothing is given. */
  readonly default?: string | undefined;
}

export type TextFormat = 'plain' | 'email' | 'uri' | 'date' | 'dateTime' | 'time' | 'uuid';

export type FormField =
  | (Common & {
      readonly type: 'text';
      readonly format: TextFormat;
      readonly minLength?: number | undefined;
      readonly maxLength?: number | undefined;
      /** A regular expression of a stranger: shown, and never run in a page. */
      readonly pattern?: string | undefined;
      /** It seems to ask for a password or a key: the person is warned. */
      readonly looksSecret?: boolean | undefined;
    })
  | (Common & {
      readonly type: 'number';
      readonly isInteger: boolean;
      readonly minimum?: number | undefined;
      readonly maximum?: number | undefined;
      readonly exclusiveMinimum?: number | undefined;
      readonly exclusiveMaximum?: number | undefined;
      readonly multipleOf?: number | undefined;
    })
  | (Common & { readonly type: 'boolean' })
  /** One of a few values of any kind; a constant is the only one. `value` is JSON text. */
  | (Common & { readonly type: 'choice'; readonly options: readonly { readonly value: string; readonly label: string }[] })
  | (Common & {
      readonly type: 'list';
      readonly item: FormField;
      readonly minItems?: number | undefined;
      readonly maxItems?: number | undefined;
      readonly isUnique?: boolean | undefined;
    })
  /** A value of one of several kinds; the person chooses which. */
  | (Common & { readonly type: 'variants'; readonly variants: readonly FormVariant[] })
  | FormGroup
  /** Whatever the form has no control for. `types` are the only ones allowed; none: any. */
  | (Common & { readonly type: 'json'; readonly types: readonly string[] });

/** `label` is the schema's own word for it; empty where it has none. */
export interface FormVariant {
  readonly label: string;
  readonly field: FormField;
}

export type FormGroup = Common & {
  readonly type: 'group';
  readonly fields: readonly FormField[];
  /** Other members than these are refused. */
  readonly isClosed: boolean;
  /** Every member that the schema speaks of is among the fields: any other is unknown to it. */
  readonly isWhole: boolean;
  /** The schema speaks of members and not of a type: what is no object will do as well. */
  readonly isUntyped?: boolean | undefined;
  /** What any other member is, where the schema expects some. */
  readonly rest?: FormField | undefined;
  /** Instead of fields of its own: one of these groups is the whole object. */
  readonly variants?: readonly FormVariant[] | undefined;
};

const common = {
  name: z.string(),
  label: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
  isNullable: z.boolean(),
  default: z.string().optional(),
};
const limit = z.number().optional();

export const formField: z.ZodType<FormField> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      ...common,
      type: z.literal('text'),
      format: z.enum(['plain', 'email', 'uri', 'date', 'dateTime', 'time', 'uuid']),
      minLength: limit,
      maxLength: limit,
      pattern: z.string().optional(),
      looksSecret: z.boolean().optional(),
    }),
    z.object({
      ...common,
      type: z.literal('number'),
      isInteger: z.boolean(),
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      multipleOf: limit,
    }),
    z.object({ ...common, type: z.literal('boolean') }),
    z.object({ ...common, type: z.literal('choice'), options: z.array(z.object({ value: z.string(), label: z.string() })) }),
    z.object({
      ...common,
      type: z.literal('list'),
      item: formField,
      minItems: limit,
      maxItems: limit,
      isUnique: z.boolean().optional(),
    }),
    z.object({ ...common, type: z.literal('variants'), variants: z.array(formVariant) }),
    groupSchema,
    z.object({ ...common, type: z.literal('json'), types: z.array(z.string()) }),
  ]),
);

const formVariant = z.object({ label: z.string(), field: formField });

const groupSchema = z.object({
  ...common,
  type: z.literal('group'),
  fields: z.array(formField),
  isClosed: z.boolean(),
  isWhole: z.boolean(),
  isUntyped: z.boolean().optional(),
  rest: formField.optional(),
  variants: z.array(formVariant).optional(),
});

export const formGroup: z.ZodType<FormGroup> = groupSchema;

/** Where a value stands in the arguments, from the root on. */
export type ValuePath = readonly (string | number)[];

/** A value as it stands at a place; `undefined`: it is not given. */
export type FieldValue = JsonValue | undefined;

/** What a tool's schema says against its arguments, by the validator: which keyword of it, and where the value stands. */
export const argumentRefusal = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  keyword: z.string(),
  /** What the keyword asks for, such as a limit or a pattern; empty where that cannot be said in a word. */
  wanted: z.string(),
  /** In the validator's words. */
  reason: z.string(),
});
export type ArgumentRefusal = Readonly<z.infer<typeof argumentRefusal>>;

/** What came of holding a value against a schema that a stranger wrote. */
export type SchemaVerdict =
  | { readonly kind: 'fits' }
  /** `places`: as many of the reasons as anybody reads, each where it stands. */
  | { readonly kind: 'misfit'; readonly reason: string; readonly places: readonly ArgumentRefusal[] }
  /** It is no schema that could be used. */
  | { readonly kind: 'badSchema'; readonly reason: string }
  | { readonly kind: 'gaveUp'; readonly reason: string };

/** What a person filled into a field of a form that a server asked for. */
export const formValue = z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string().max(10_000)).max(1_000)]);
export type FormValue = z.infer<typeof formValue>;
export type FormValues = Readonly<Record<string, FormValue>>;
