import type * as z from 'zod';
import { isJsonObject } from '../../../base/json.ts';

/** Each costs a copy of the list it is in. */
const maxQuoted = 200;

/** Models often write a number in quotes; what it means is plain, so it is taken. Every other mistake is told. */
function parseLeniently<Input extends z.ZodObject>(schema: Input, args: unknown): z.ZodSafeParseResult<z.output<Input>> {
  const parsed = schema.safeParse(args);
  const quoted = parsed.success
    ? []
    : parsed.error.issues
        .filter(isAboutNumber)
        .slice(0, maxQuoted)
        .map(({ path }) => path);
  return quoted.length === 0 ? parsed : schema.safeParse(quoted.reduce(withoutQuotes, args));
}

/** A schema's own reader; what it makes of no arguments at all, as with most looks at the editor, it makes once. */
export function argumentReader<Input extends z.ZodObject>(schema: Input): (args: unknown) => z.ZodSafeParseResult<z.output<Input>> {
  let ofNone: z.ZodSafeParseResult<z.output<Input>> | undefined;
  return (args = {}) => {
    if (!isEmpty(args)) {
      return parseLeniently(schema, args);
    }
    if (ofNone === undefined) {
      ofNone = schema.safeParse({});
      Object.freeze(ofNone.data); // many calls share it
    }
    return ofNone;
  };
}

function isEmpty(args: unknown): boolean {
  return isJsonObject(args) && Object.keys(args).length === 0;
}

function isAboutNumber(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int');
}

const quotedNumber = /^-?\d{1,16}$/;

/** A copy of the value in which the text at this place is the number it spells. */
function withoutQuotes(value: unknown, [member, ...rest]: readonly PropertyKey[]): unknown {
  if (member === undefined) {
    return typeof value === 'string' && quotedNumber.test(value) ? Number(value) : value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const changed = withoutQuotes((value as Readonly<Record<PropertyKey, unknown>>)[member], rest);
  return Array.isArray(value) ? value.with(Number(member), changed) : { ...value, [member]: changed };
}

const maxNameLength = 200;
const maxReasonLength = 1_000;

export function firstProblem(error: z.ZodError): { readonly parameter: string; readonly reason: string } {
  const [issue] = error.issues;
  if (issue === undefined) {
    return { parameter: '', reason: 'invalid' };
  }
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey];
  // A member that is not known has whatever name its writer gave it, and the schema's own words would repeat it.
  const reason = unknownKey === undefined ? issue.message : 'Unrecognized key';
  return { parameter: path.map(String).join('.').slice(0, maxNameLength), reason: reason.slice(0, maxReasonLength) };
}
