import type * as z from 'zod';
import { isJsonObject } from '../base/json.ts';
import { settings, type Setting, type SettingName, type SettingValue, type WholeSettingName, type WindowSettingName } from './settings.ts';

/** What is wrong, and where in the value: `must be at least 1`. */
export interface SettingProblem {
  readonly path: readonly (string | number)[];
  readonly phrase: string;
}

export type SettingReading<N extends SettingName> =
  | { readonly kind: 'valid'; readonly value: SettingValue<N> }
  | { readonly kind: 'malformed'; readonly problems: readonly SettingProblem[]; readonly rest: SettingRest<N> };

/** What counts of a malformed value: its readable entries, or the default; nothing where that would be dangerous. */
type SettingRest<N extends SettingName> = N extends WholeSettingName ? undefined : SettingValue<N>;

/** Left out is the default; everything else is what it is. */
export function readSetting<N extends WindowSettingName>(name: N, given: unknown): SettingReading<N> {
  const setting: Setting = settings[name];
  const value = given === undefined ? setting.default : given;
  const parsed = setting.schema.safeParse(value);
  if (parsed.success) {
    return { kind: 'valid', value: parsed.data as SettingValue<N> };
  }
  const problems = problemsOf(parsed.error);
  return { kind: 'malformed', problems, rest: restOf(setting, value, problems) as SettingRest<N> };
}

/** For a log and for people who read settings files: `"sessions" in duplex.server.limits must be at least 1`. */
export function describeProblem(name: SettingName, { path, phrase }: SettingProblem): string {
  const steps = path.map((step) => (typeof step === 'number' ? `entry ${step + 1}` : `"${step}"`));
  return `${steps.length === 0 ? name : `${steps.join(', ')} in ${name}`} ${phrase}`;
}

function restOf(setting: Setting, value: unknown, problems: readonly SettingProblem[]): unknown {
  if (setting.entryByEntry === true) {
    return setting.schema.parse(withoutEntries(value, problems) ?? setting.default);
  }
  return setting.neverIgnored === true ? undefined : setting.schema.parse(setting.default);
}

/** Undefined: it has no entries, being something else altogether. */
function withoutEntries(value: unknown, problems: readonly SettingProblem[]): unknown {
  const bad = new Set(problems.map(({ path }) => path[0]));
  if (bad.has(undefined)) {
    return undefined;
  }
  return Array.isArray(value)
    ? value.filter((_, index) => !bad.has(index))
    : Object.fromEntries(Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => !bad.has(key)));
}

/** One for each place. */
function problemsOf(error: z.ZodError): readonly SettingProblem[] {
  const problems = error.issues.flatMap((issue): readonly SettingProblem[] => {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], phrase: 'is not known' }))
      : [{ path, phrase: phraseOf(issue) }];
  });
  const places = problems.map(({ path }) => JSON.stringify(path));
  return problems.filter((_, index) => places.indexOf(places[index] ?? '') === index);
}

function phraseOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(value));
      return values.length === 1 ? `must be ${values.join()}` : `must be one of ${values.join(', ')}`;
    }
    case 'too_small':
      return issue.origin === 'number' ? `must be at least ${String(issue.minimum)}` : 'must not be empty';
    case 'too_big':
      return `must be at most ${String(issue.maximum)}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return issue.message; // the schema's own words
  }
}

const typeNames: Readonly<Partial<Record<string, string>>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};
