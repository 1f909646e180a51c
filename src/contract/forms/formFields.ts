// forms/: the forms that pages draw: for a tool's arguments, and for what a server asks a person.
import * as z from 'zod';
import type { JsonValue } from '../../base/json.ts';

/**
 * What every field of a form has. A form is data: the extension host makes it from a JSON Schema, and a page draws it. A tool's
 * arguments can have any depth, and what a form cannot show of them becomes a field of JSON, so that every part has its place; a
 * form that a server asks for has one level of plain fields. Texts are safe to show; names and values are the schema's own.
 */
interface Common {
  /** The key of the member; '' for the root and for the items of a list. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Whether null is allowed as well. */
  readonly isNullable: boolean;
  /** The value that counts when none is given, as JSON text. */
  readonly default?: string | undefined;
}

export type TextFormat = 'plain' | 'email' | 'uri' | 'date' | 'dateTime' | 'time' | 'uuid';

export type FormField =
  | (Common & {
      readonly type: 'text';
      readonly format: TextFormat;
      readonly minLength?: number | undefined;
      readonly maxLength?: number | undefined;
      /** A regular expression that a stranger wrote: it is shown, and never run in a page. */
      readonly pattern?: string | undefined;
      /** The field seems to ask for a password or a key, so the person is warned. */
      readonly looksSecret?: boolean | undefined;
      /** What is typed is not shown: it goes into the secret storage. Only forms of Duplex itself have such fields. */
      readonly isPassword?: boolean | undefined;
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
  /** One of a few values of any type; a constant is a choice of one. `value` is JSON text. */
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
  /** Anything that the form has no control for. Only these `types` are allowed; an empty list allows any. */
  | (Common & { readonly type: 'json'; readonly types: readonly string[] });

/** One of several kinds of value. `label` is the schema's own word for it; empty where it has none. */
export interface FormVariant {
  readonly label: string;
  readonly field: FormField;
}

export type FormGroup = Common & {
  readonly type: 'group';
  readonly fields: readonly FormField[];
  /** Other members than these are refused. */
  readonly isClosed: boolean;
  /** Every member that the schema mentions is among the fields: any other is unknown to it. */
  readonly isWhole: boolean;
  /** The schema describes members but no type: a value that is no object is allowed as well. */
  readonly isUntyped?: boolean | undefined;
  /** The field for any other member, where the schema expects some. */
  readonly rest?: FormField | undefined;
  /** One of these groups is the whole object; the group has no fields of its own then. */
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
      isPassword: z.boolean().optional(),
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

/** The place of a value in the arguments, from the root on. */
export type ValuePath = readonly (string | number)[];

/** The value at a place; `undefined` when none is given. */
export type FieldValue = JsonValue | undefined;

/** Why a tool's schema refuses its arguments, as the validator says: which keyword of the schema, and which value. */
export const argumentRefusal = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  keyword: z.string(),
  /** What the keyword asks for, such as a limit or a pattern; empty where that cannot be said in a word. */
  wanted: z.string(),
  /** The reason in the validator's words. */
  reason: z.string(),
});
export type ArgumentRefusal = Readonly<z.infer<typeof argumentRefusal>>;

/** The result of checking a value against a schema that a stranger wrote. */
export type SchemaVerdict =
  | { readonly kind: 'fits' }
  /** The value does not fit. `places` has as many of the reasons as anybody reads, each with its place. */
  | { readonly kind: 'misfit'; readonly reason: string; readonly places: readonly ArgumentRefusal[] }
  /** The schema itself cannot be used. */
  | { readonly kind: 'badSchema'; readonly reason: string }
  | { readonly kind: 'gaveUp'; readonly reason: string };

/** What a person filled into a field of a form that a server asked for. */
export const formValue = z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string().max(10_000)).max(1_000)]);
export type FormValue = z.infer<typeof formValue>;
export type FormValues = Readonly<Record<string, FormValue>>;
