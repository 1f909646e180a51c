import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { runTests } from '@vscode/test-electron';

import { outFolder, repositoryRoot } from '../run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../run/temporaryFolder.mjs';
import { copyWorkspace, workspaceToOpen } from '../run/workspaceCopy.mjs';
import { stillSettings, writeUserSettings } from '../vscode/userSettings.mjs';
import { vscodeVersions } from '../vscode/versions.mjs';
import { consoleFileVariable } from './testOutput.mjs';

/**
 * @typedef {object} EditorWindow
 * @property {string} choice `floor`, `ceiling` or, where DUPLEX_VSCODE names one, the installed VS Code
 * @property {string} extensionTestsPath the module whose `run` is called in the extension host
 * @property {string} fixture the workspace to open a copy of
 * @property {string} logName of the file that keeps VS Code's console
 * @property {Readonly<Record<string, string | undefined>>} env for the extension host
 * @property {Readonly<Record<string, unknown>>} [settings] of the user, beside the quiet ones
 * @property {string} [extension] the folder of another extension to open it with, and not this one
 */

/**
 * The oldest VS Code comes from npm without its own ripgrep, so that its extensions find no files for tasks: each time somebody
 * wants to know the tasks, VS Code would wait five seconds for them.
 */
const withoutDetection = { 'npm.autoDetect': 'off', 'typescript.tsc.autoDetect': 'off' };

/**
 * Opens one window with the extension under development, runs a module in its extension host and closes it.
 *
 * @param {EditorWindow} window
 * @param {() => void} [verify] called while everything is still there; throws when the run was no success after all
 */
export async function runEditorWindow(
  { choice, extensionTestsPath, fixture, logName, env, settings = {}, extension },
  verify = () => undefined,
) {
  const folder = createTemporaryFolder();
  const dataFolder = path.join(folder, 'vscode');
  const consoleFile = path.join(outFolder, 'test-logs', `${logName}.log`);
  try {
    await mkdir(path.dirname(consoleFile), { recursive: true });
    await rm(consoleFile, { force: true });
    await writeUserSettings(dataFolder, { ...stillSettings, ...(choice === 'floor' ? withoutDetection : {}), ...settings });
    await runTests({
      ...vscodeToRun(choice),
      extensionDevelopmentPath: extension ?? repositoryRoot,
      extensionTestsPath,
      launchArgs: [
        workspaceToOpen(await copyWorkspace(fixture, folder)),
        `--user-data-dir=${path.join(dataFolder, 'data')}`,
        `--extensions-dir=${path.join(dataFolder, 'extensions')}`,
      ],
      extensionTestsEnv: {
        DUPLEX_HOME: path.join(folder, 'home'),
        DUPLEX_BUBBLEWRAP: '/none',
        DUPLEX_TEST_VSCODE: choice,
        [consoleFileVariable]: consoleFile,
        ...env,
      },
    });
    verify();
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}. The console of VS Code is in ${path.relative(repositoryRoot, consoleFile)}.`,
    );
  } finally {
    await removeTemporaryFolder(folder);
  }
}

/**
 * The packaged VS Code unless DUPLEX_VSCODE says otherwise: `download` is a desktop VS Code of the same version,
 * anything else the path of an installed one.
 *
 * @param {string} choice
 */
function vscodeToRun(choice) {
  const wish = process.env['DUPLEX_VSCODE'];
  switch (wish) {
    case undefined:
    case '':
      return { vscodeExecutablePath: fileURLToPath(new URL('launcher.mjs', import.meta.url)) };
    case 'download':
      return { version: versionOf(choice) };
    default:
      return { vscodeExecutablePath: wish };
  }
}

/** @param {string} choice */
export function vscodeLabel(choice) {
  return process.env['DUPLEX_VSCODE'] ?? versionOf(choice);
}

/** @param {string} choice */
function versionOf(choice) {
  return vscodeVersions[choice === 'floor' ? 'floor' : 'ceiling'].vscode;
}
