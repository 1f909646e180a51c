/**
 * Runs editor tests in one VS Code version, one window per workspace fixture:
 * `runEditorTests.mjs floor|ceiling GREP FILE…`, the files relative to test/editor.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { runTests } from '@vscode/test-electron';

import { outFolder, repositoryRoot } from '../run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../run/temporaryFolder.mjs';
import { eventsFileVariable, readTestEvents } from '../run/testEvents.mjs';
import { copyWorkspace, defaultWorkspace, isWorkspaceFixture } from '../run/workspaceCopy.mjs';
import { quietSettings, writeUserSettings } from '../vscode/userSettings.mjs';
import { vscodeVersions } from '../vscode/versions.mjs';
import { bundleEditorTests } from './editorBundle.mjs';
import { consoleFileVariable } from './testOutput.mjs';

const [choice, grep, ...testFiles] = process.argv.slice(2);

process.exit(await main());

async function main() {
  const extensionTestsPath = await bundleEditorTests(testFiles);
  let failed = false;
  for (const [fixture, files] of filesByFixture()) {
    console.log(`VS Code ${vscodeLabel()}, workspace ${fixture}:`);
    try {
      await runWindow(extensionTestsPath, fixture, files);
    } catch (error) {
      console.log(error instanceof Error ? error.message : String(error));
      failed = true;
    }
  }
  return failed ? 1 : 0;
}

/**
 * `name.fixture.test.ts` wants the workspace of that name; every other test is content with the usual one.
 *
 * @returns {Map<string, string[]>}
 */
function filesByFixture() {
  const byFixture = new Map();
  for (const file of testFiles) {
    const named = /\.(\w+)\.test\.ts$/.exec(file)?.[1];
    const fixture = named !== undefined && isWorkspaceFixture(named) ? named : (process.env['DUPLEX_TEST_WORKSPACE'] ?? defaultWorkspace);
    byFixture.set(fixture, [...(byFixture.get(fixture) ?? []), file.replace(/\.ts$/, '.js')]);
  }
  return byFixture;
}

/**
 * @param {string} extensionTestsPath
 * @param {string} fixture
 * @param {readonly string[]} files
 */
async function runWindow(extensionTestsPath, fixture, files) {
  const folder = createTemporaryFolder();
  const dataFolder = path.join(folder, 'vscode');
  const consoleFile = path.join(outFolder, 'test-logs', `editor-${choice}-${path.basename(fixture)}.log`);
  const endedBefore = endedRuns();
  try {
    await mkdir(path.dirname(consoleFile), { recursive: true });
    await rm(consoleFile, { force: true });
    await writeUserSettings(dataFolder, quietSettings);
    await runTests({
      ...vscodeToRun(),
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath,
      launchArgs: [
        await copyWorkspace(fixture, folder),
        `--user-data-dir=${path.join(dataFolder, 'data')}`,
        `--extensions-dir=${path.join(dataFolder, 'extensions')}`,
      ],
      extensionTestsEnv: {
        DUPLEX_HOME: path.join(folder, 'home'),
        DUPLEX_TEST_VSCODE: choice,
        DUPLEX_TEST_FILES: files.join(path.delimiter),
        DUPLEX_TEST_GREP: grep || undefined,
        [consoleFileVariable]: consoleFile,
      },
    });
    if (endedRuns() === endedBefore) {
      throw new Error('The extension host ended before the tests did'); // VS Code calls that a success
    }
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}. The console of VS Code is in ${path.relative(repositoryRoot, consoleFile)}.`,
    );
  } finally {
    await removeTemporaryFolder(folder);
  }
}

function endedRuns() {
  const events = readTestEvents(process.env[eventsFileVariable] ?? '');
  return events.filter((event) => event.kind === 'ended').length;
}

/**
 * The packaged VS Code unless DUPLEX_VSCODE says otherwise: `download` is a desktop VS Code of the same version,
 * anything else the path of an installed one.
 */
function vscodeToRun() {
  const wish = process.env['DUPLEX_VSCODE'];
  switch (wish) {
    case undefined:
    case '':
      return { vscodeExecutablePath: fileURLToPath(new URL('launcher.mjs', import.meta.url)) };
    case 'download':
      return { version: vscodeVersions[choice === 'floor' ? 'floor' : 'ceiling'].vscode };
    default:
      return { vscodeExecutablePath: wish };
  }
}

function vscodeLabel() {
  return process.env['DUPLEX_VSCODE'] ?? vscodeVersions[choice === 'floor' ? 'floor' : 'ceiling'].vscode;
}
