import { errorMaker, sentencesOf, type ErrorArguments, type ErrorTable } from '../../base/errors.ts';
import { expectedValue } from './schemaIssue.ts';

type Place = { readonly place: string };

/** What is wrong with a setting, in English: for logs and clients. views/ has the same in the person's language. */
export const settingProblemTable = {
  'settings.unknownKey': ({ place }: Place) => `${place} is not known`,
  'settings.missing': ({ place }: Place) => `${place} is missing`,
  'settings.unreadable': ({ place }: Place) => `${place} cannot be read`,
  'settings.wrongType': ({ place, expected }: Place & { expected: string }) => `${place} must be ${expectedValue(expected)}`,
  'settings.wrongValue': ({ place, value }: Place & { value: string }) => `${place} must be ${value}`,
  'settings.noneOf': ({ place, values }: Place & { values: string }) => `${place} must be one of ${values}`,
  'settings.empty': ({ place }: Place) => `${place} must not be empty`,
  'settings.tooSmall': ({ place, least }: Place & { least: string }) => `${place} must be at least ${least}`,
  'settings.tooLarge': ({ place, most }: Place & { most: string }) => `${place} must be at most ${most}`,
  'settings.noGlobs': ({ place }: Place) => `${place} must be a glob or an array of globs, none of them empty`,
  'settings.noHours': ({ place }: Place) => `${place} must be like "09:00-18:00"`,
  'settings.noDate': ({ place }: Place) => `${place} must be an ISO date`,
  'settings.noOrigin': ({ place }: Place) => `${place} must be like "https://example.com" or "http://localhost:8080"`,
  'settings.noAddress': ({ place }: Place) => `${place} must be an address`,
  'settings.invalid': ({ place, reason }: Place & { reason: string }) => `${place} is not valid: ${reason}`,
} as const satisfies ErrorTable;

/** Where in a setting it is wrong. */
export const settingPlaceTable = {
  entry: ({ number }: { number: number }) => `entry ${number}`,
  rule: ({ number }: { number: number }) => `rule ${number}`,
  whole: () => 'it',
  within: ({ place, setting }: Place & { setting: string }) => `${place} in ${setting}`,
} as const satisfies ErrorTable;

/** A setting that cannot be changed as it is. */
export const settingErrorTable = {
  'settings.userNotAnObject': ({ setting }: { setting: string }) =>
    `${setting} in the user settings is not an object; correct it there first.`,
  'settings.workspaceNotAnObject': ({ setting }: { setting: string }) =>
    `${setting} in the workspace settings is not an object; correct it there first.`,
} as const satisfies ErrorTable;

export const settingError = errorMaker(settingErrorTable);

export type SettingProblemCode = keyof typeof settingProblemTable;

/** What is wrong, and where in the value. The place is not among the arguments: who tells of it says it in their words. */
export interface SettingProblem {
  readonly path: readonly (string | number)[];
  readonly code: SettingProblemCode;
  readonly args: ErrorArguments;
}

/** In one language. */
export interface SettingWords {
  readonly problems: Readonly<Record<SettingProblemCode, (args: never) => string>>;
  readonly places: Readonly<Record<keyof typeof settingPlaceTable, (args: never) => string>>;
}

const english: SettingWords = { problems: settingProblemTable, places: settingPlaceTable };

/** `"sessions" in duplex.server.limits must be at least 1`. */
export function describeProblem(name: `duplex.${string}`, { path, code, args }: SettingProblem, words = english): string {
  const place = sentencesOf(words.places);
  const steps = path.map((step) => (typeof step === 'number' ? place('entry', { number: step + 1 }) : `"${step}"`));
  const whole = steps.length === 0 ? name : place('within', { place: steps.join(', '), setting: name });
  return sentencesOf(words.problems)(code, { ...args, place: whole });
}

/** Several problems as one argument of an error: those are plain values. `describeProblems` reads it again. */
export function problemsArgument(problems: readonly SettingProblem[]): string {
  return JSON.stringify(problems);
}

/** The problems of `problemsArgument`, in one language. */
export function describeProblems(name: `duplex.${string}`, argument: string, words = english): string {
  try {
    const problems = JSON.parse(argument) as readonly SettingProblem[];
    return problems.map((each) => describeProblem(name, each, words)).join('; ');
  } catch {
    return argument; // an error always has a sentence, whoever made it
  }
}

/** `rule 1: hours: must be like "09:00-18:00"`: inside a sentence that names `duplex.server.policy`. */
export function describePolicyProblem({ path: [rule, ...steps], code, args }: SettingProblem, words = english): string {
  const place = sentencesOf(words.places);
  const whole = typeof rule === 'number' ? `${[place('rule', { number: rule + 1 }), ...steps].join(': ')}:` : place('whole');
  return sentencesOf(words.problems)(code, { ...args, place: whole });
}

/** What a schema says of a value it refuses, in the place of a sentence of its own. */
export function says(code: SettingProblemCode): string {
  return code;
}

export function isSettingProblemCode(text: string): text is SettingProblemCode {
  return Object.hasOwn(settingProblemTable, text);
}
