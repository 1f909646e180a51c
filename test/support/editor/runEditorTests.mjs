/**
 * Runs editor tests in one VS Code version, one window per workspace fixture:
 * `runEditorTests.mjs KIND floor|ceiling GREP FILE…`, the files relative to test/editor.
 */
import path from 'node:path';
import process from 'node:process';

import { eventsFileVariable, readTestEvents } from '../run/testEvents.mjs';
import { ensureDebugpy } from '../vscode/debugpy.mjs';
import { ensureLldb } from '../vscode/lldb.mjs';
import { defaultWorkspace, isWorkspaceFixture } from '../run/workspaceCopy.mjs';
import { bundleForExtensionHost } from './editorBundle.mjs';
import { runEditorWindow, vscodeLabel } from './editorWindow.mjs';

const [kind, choice, grep, ...testFiles] = process.argv.slice(2);

process.exit(await main());

async function main() {
  if (testFiles.some((file) => file.includes('debugpy'))) {
    await ensureDebugpy();
  }
  if (testFiles.some((file) => file.includes('lldb'))) {
    await ensureLldb();
  }
  const extensionTestsPath = await bundleForExtensionHost('editor', ['index.ts', ...testFiles], `${kind}-${choice}`);
  let failed = false;
  for (const [fixture, files] of filesByFixture()) {
    console.log(`VS Code ${vscodeLabel(choice ?? '')}, workspace ${fixture}:`);
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
 * `name.fixture.test.ts`, or `name.fixture.long.test.ts`, wants the workspace of that name; every other test is content with the usual one.
 *
 * @returns {Map<string, string[]>}
 */
function filesByFixture() {
  const byFixture = new Map();
  for (const file of testFiles) {
    const named = /\.(\w+)(?:\.long)?\.test\.ts$/.exec(file)?.[1];
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
  const endedBefore = endedRuns();
  const env = { DUPLEX_TEST_FILES: files.join(path.delimiter), DUPLEX_TEST_GREP: grep || undefined };
  const logName = `${kind}-${choice}-${path.basename(fixture)}`;
  await runEditorWindow({ choice: choice ?? '', extensionTestsPath, fixture, logName, env }, () => {
    if (endedRuns() === endedBefore) {
      throw new Error('The extension host ended before the tests did'); // VS Code calls that a success
    }
  });
}

function endedRuns() {
  const events = readTestEvents(process.env[eventsFileVariable] ?? '');
  return events.filter((event) => event.kind === 'ended').length;
}
