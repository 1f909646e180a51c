import type * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import { pathOf, readIssue, type SchemaIssue } from './schemaIssue.ts';
import { isSettingProblemCode, type SettingProblem } from './settingProblems.ts';
import { settings, type Setting, type SettingName, type SettingValue, type WholeSettingName, type WindowSettingName } from './settings.ts';

/** A setting as it was read: its value, or what is wrong with it. */
export type SettingReading<N extends SettingName> =
  | { readonly kind: 'valid'; readonly value: SettingValue<N> }
  | { readonly kind: 'malformed'; readonly problems: readonly SettingProblem[]; readonly rest: SettingRest<N> };

/** What counts of a malformed value: its readable entries, or the default, or nothing where both would be dangerous. */
type SettingRest<N extends SettingName> = N extends WholeSettingName ? undefined : SettingValue<N>;

/** Reads the value of a setting; undefined stands for the default. */
export function readSetting<N extends WindowSettingName>(name: N, given: unknown): SettingReading<N> {
  const setting: Setting = settings[name];
  const value = given === undefined ? setting.default : given;
  const parsed = setting.schema().safeParse(value);
  if (parsed.success) {
    return { kind: 'valid', value: parsed.data as SettingValue<N> };
  }
  const problems = problemsOf(parsed.error);
  return { kind: 'malformed', problems, rest: restOf(setting, value, problems) as SettingRest<N> };
}

function restOf(setting: Setting, value: unknown, problems: readonly SettingProblem[]): unknown {
  if (setting.entryByEntry === true) {
    return setting.schema().parse(withoutEntries(value, problems) ?? setting.default);
  }
  return setting.neverIgnored === true ? undefined : setting.schema().parse(setting.default);
}

/** Returns the value without the entries that have problems; undefined when the value has no entries at all. */
function withoutEntries(value: unknown, problems: readonly SettingProblem[]): unknown {
  const bad = new Set(problems.map(({ path }) => path[0]));
  if (bad.has(undefined)) {
    return undefined;
  }
  return Array.isArray(value)
    ? value.filter((_, index) => !bad.has(index))
    : Object.fromEntries(Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => !bad.has(key)));
}

/** Returns the problems of a value, one for each place in it. */
function problemsOf(error: z.ZodError): readonly SettingProblem[] {
  const problems = error.issues.flatMap((issue): readonly SettingProblem[] => {
    const path = pathOf(issue);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], code: 'settings.unknownKey', args: {} }))
      : [{ path, ...problemOf(readIssue(issue)) }];
  });
  const places = problems.map(({ path }) => JSON.stringify(path));
  return problems.filter((_, index) => places.indexOf(places[index] ?? '') === index);
}

function problemOf(issue: SchemaIssue): Omit<SettingProblem, 'path'> {
  switch (issue.kind) {
    case 'wrongType':
      return { code: 'settings.wrongType', args: { expected: issue.expected === 'list' ? 'array' : issue.expected } };
    case 'wrongValue': {
      const values = issue.values.join(', ');
      return issue.values.length === 1
        ? { code: 'settings.wrongValue', args: { value: values } }
        : { code: 'settings.noneOf', args: { values } };
    }
    case 'empty':
      return { code: 'settings.empty', args: {} };
    case 'tooSmall':
      return { code: 'settings.tooSmall', args: { least: issue.least } };
    case 'tooLarge':
      return { code: 'settings.tooLarge', args: { most: issue.most } };
    case 'noneOfSeveral':
    case 'other':
      return isSettingProblemCode(issue.reason)
        ? { code: issue.reason, args: {} }
        : { code: 'settings.invalid', args: { reason: issue.reason } };
  }
}
