import type { SettingsPlaces } from '../../editor/settingsReader.ts';
import type { Translate } from './translate.ts';

/** Where definitions of servers stand, as people call it. */
export function settingsPlaces(t: Translate): SettingsPlaces {
  return {
    user: () => t('user settings'),
    remote: () => t('remote settings'),
    workspace: () => t('workspace settings'),
    folder: (name) => t('settings of the folder {0}', name),
  };
}

/** For a person who picks a window from a list. */
export function windowName(workspace: string | undefined, t: Translate): string {
  return workspace ?? t('no folder');
}
