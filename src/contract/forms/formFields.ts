import * as z from 'zod';

/** A form a server asks a person to fill in, as data: made in the extension host, drawn by a page, checked on both sides. */
const common = {
  name: z.string(),
  label: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
};
const option = z.object({ value: z.string(), label: z.string() });

export const formField = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('text'),
    format: z.enum(['plain', 'email', 'uri', 'date', 'dateTime']),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    default: z.string().optional(),
    /** It seems to ask for a password or a key: the person is warned. */
    looksSecret: z.boolean(),
  }),
  z.object({
    ...common,
    type: z.literal('number'),
    isInteger: z.boolean(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ ...common, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({ ...common, type: z.literal('choice'), options: z.array(option), default: z.string().optional() }),
  z.object({
    ...common,
    type: z.literal('choices'),
    options: z.array(option),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    default: z.array(z.string()).optional(),
  }),
]);
export type FormField = z.infer<typeof formField>;

export const formValue = z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string().max(10_000)).max(1_000)]);
export type FormValue = z.infer<typeof formValue>;
export type FormValues = Readonly<Record<string, FormValue>>;
