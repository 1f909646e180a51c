import { expectedValue } from '../../contract/settings/schemaIssue.ts';
import type { settingErrorTable, settingPlaceTable, settingProblemTable, SettingWords } from '../../contract/settings/settingProblems.ts';
import { expectedValues } from './expectedValues.ts';
import type { Sentences, Translate } from './translate.ts';

/** What is wrong with a setting, and where in it. */
export function settingWords(t: Translate): SettingWords {
  return { problems: settingProblemSentences(t), places: settingPlaces(t) };
}

export function settingProblemSentences(t: Translate): Sentences<typeof settingProblemTable> {
  return {
    'settings.unknownKey': ({ place }) => t('{0} is not known', place),
    'settings.missing': ({ place }) => t('{0} is missing', place),
    'settings.unreadable': ({ place }) => t('{0} cannot be read', place),
    'settings.wrongType': ({ place, expected }) => t('{0} must be {1}', place, expectedValue(expected, expectedValues(t))),
    'settings.wrongValue': ({ place, value }) => t('{0} must be {1}', place, value),
    'settings.noneOf': ({ place, values }) => t('{0} must be one of {1}', place, values),
    'settings.empty': ({ place }) => t('{0} must not be empty', place),
    'settings.tooSmall': ({ place, least }) => t('{0} must be at least {1}', place, least),
    'settings.tooLarge': ({ place, most }) => t('{0} must be at most {1}', place, most),
    'settings.noGlobs': ({ place }) => t('{0} must be a glob or an array of globs, none of them empty', place),
    'settings.noHours': ({ place }) => t('{0} must be like {1}', place, '"09:00-18:00"'),
    'settings.noDate': ({ place }) => t('{0} must be an ISO date', place),
    'settings.noOrigin': ({ place }) => t('{0} must be like {1} or {2}', place, '"https://example.com"', '"http://localhost:8080"'),
    'settings.noAddress': ({ place }) => t('{0} must be an address', place),
    'settings.invalid': ({ place, reason }) => t('{0} is not valid: {1}', place, reason),
  };
}

export function settingPlaces(t: Translate): Sentences<typeof settingPlaceTable> {
  return {
    entry: ({ number }) => t('entry {0}', number),
    rule: ({ number }) => t('rule {0}', number),
    whole: () => t('it'),
    within: ({ place, setting }) => t('{0} in {1}', place, setting),
  };
}

export function settingErrorSentences(t: Translate): Sentences<typeof settingErrorTable> {
  return {
    'settings.userNotAnObject': ({ setting }) => t('{0} in the user settings is not an object; correct it there first.', setting),
    'settings.workspaceNotAnObject': ({ setting }) => t('{0} in the workspace settings is not an object; correct it there first.', setting),
  };
}
