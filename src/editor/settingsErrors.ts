import { errorMaker, type ErrorTable } from '../base/errors.ts';

/** What keeps Duplex from writing into the settings; views/ has the same in the person's language. */
export const settingsErrorTable = {
  'settings.userNotAnObject': ({ setting }: { setting: string }) =>
    `${setting} in the user settings is not an object; correct it there first.`,
  'settings.workspaceNotAnObject': ({ setting }: { setting: string }) =>
    `${setting} in the workspace settings is not an object; correct it there first.`,
} as const satisfies ErrorTable;

export const settingsError = errorMaker(settingsErrorTable);
