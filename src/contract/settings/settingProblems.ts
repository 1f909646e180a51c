import { type ErrorArguments, errorMaker, sayInEnglish, sentencesOf, type SentenceTable } from '../../base/errors.ts';
import { expectedValue } from './schemaIssue.ts';

/** What is wrong with a setting. */
export const settingProblemTable = {
  'settings.unknownKey': '{place} is not known',
  'settings.missing': '{place} is missing',
  'settings.unreadable': '{place} cannot be read',
  'settings.wrongType': { text: '{place} must be {expected}', words: { expected: expectedValue } },
  'settings.wrongValue': '{place} must be {value}',
  'settings.noneOf': '{place} must be one of {values}',
  'settings.empty': '{place} must not be empty',
  'settings.tooSmall': '{place} must be at least {least}',
  'settings.tooLarge': '{place} must be at most {most}',
  'settings.noGlobs': '{place} must be a glob or an array of globs, none of them empty',
  'settings.noHours': '{place} must be like "09:00-18:00"',
  'settings.noDate': '{place} must be an ISO date',
  'settings.noOrigin': '{place} must be like "https://example.com" or "http://localhost:8080"',
  'settings.noAddress': '{place} must be an address',
  'settings.invalid': '{place} is not valid: {reason}',
} as const satisfies SentenceTable;

/** How a place in a setting is named. */
export const settingPlaceTable = {
  entry: 'entry {number}',
  rule: 'rule {number}',
  whole: 'it',
  within: '{place} in {setting}',
} as const satisfies SentenceTable;

/** Why a setting cannot be changed: it has to be corrected by hand first. */
export const settingErrorTable = {
  'settings.userNotAnObject': '{setting} in the user settings is not an object; correct it there first.',
  'settings.workspaceNotAnObject': '{setting} in the workspace settings is not an object; correct it there first.',
  'settings.notAList': '{setting} is not a list; correct it in the settings first.',
} as const satisfies SentenceTable;

export const settingError = errorMaker(settingErrorTable);

export type SettingProblemCode = keyof typeof settingProblemTable;

/** What is wrong with a setting, and where in its value. The place is not among the arguments: whoever shows the problem names it in their language. */
export interface SettingProblem {
  readonly path: readonly (string | number)[];
  readonly code: SettingProblemCode;
  readonly args: ErrorArguments;
}

/** Describes a problem, such as `"sessions" in duplex.server.limits must be at least 1`. */
export function describeProblem(name: `duplex.${string}`, { path, code, args }: SettingProblem, say = sayInEnglish): string {
  const place = sentencesOf(settingPlaceTable, say);
  const steps = path.map((step) => (typeof step === 'number' ? place('entry', { number: step + 1 }) : `"${step}"`));
  const whole = steps.length === 0 ? name : place('within', { place: steps.join(', '), setting: name });
  return say(settingProblemTable[code], { ...args, place: whole });
}

/** Writes several problems as one argument of an error, because arguments are plain values. `describeProblems` reads it again. */
export function problemsArgument(problems: readonly SettingProblem[]): string {
  return JSON.stringify(problems);
}

/** Describes the problems that `problemsArgument` wrote, in one language. */
export function describeProblems(name: `duplex.${string}`, argument: string, say = sayInEnglish): string {
  try {
    const problems = JSON.parse(argument) as readonly SettingProblem[];
    return problems.map((each) => describeProblem(name, each, say)).join('; ');
  } catch {
    return argument; // an error always has a sentence, whoever made it
  }
}

/** Describes a problem for a sentence that already names `duplex.server.policy`, such as `rule 1: hours: must be like "09:00-18:00"`. */
export function describePolicyProblem({ path: [rule, ...steps], code, args }: SettingProblem, say = sayInEnglish): string {
  const place = sentencesOf(settingPlaceTable, say);
  const whole = typeof rule === 'number' ? `${[place('rule', { number: rule + 1 }), ...steps].join(': ')}:` : place('whole');
  return say(settingProblemTable[code], { ...args, place: whole });
}

/** Gives a schema the code of a problem where it would otherwise have a sentence of its own. */
export function says(code: SettingProblemCode): string {
  return code;
}

export function isSettingProblemCode(text: string): text is SettingProblemCode {
  return Object.hasOwn(settingProblemTable, text);
}
