import type { settingsErrorTable } from '../../editor/settingsErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** What keeps Duplex from writing into the settings, by its code. */
export function settingsSentences(t: Translate): Sentences<typeof settingsErrorTable> {
  return {
    'settings.userNotAnObject': ({ setting }) => t('{0} in the user settings is not an object; correct it there first.', setting),
    'settings.workspaceNotAnObject': ({ setting }) => t('{0} in the workspace settings is not an object; correct it there first.', setting),
  };
}
