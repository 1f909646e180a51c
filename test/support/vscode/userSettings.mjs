import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A window that shows nothing but what the test opens, and speaks to nobody. */
export const quietSettings = Object.freeze({
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'typescript.tsserver.useSyntaxServer': 'never', // a second one that knows less
  'files.simpleDialog.enable': true,
});

/** The same for tests, without what VS Code paints again and again, and is not ours. */
export const stillSettings = Object.freeze({
  ...quietSettings,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.occurrencesHighlight': 'off',
  'editor.stickyScroll.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'diffEditor.renderOverviewRuler': false,
  'workbench.reduceMotion': 'on',
});

/**
 * @param {string} serverDataFolder
 * @param {Readonly<Record<string, unknown>>} settings
 */
export async function writeUserSettings(serverDataFolder, settings) {
  const folder = path.join(serverDataFolder, 'data', 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}
