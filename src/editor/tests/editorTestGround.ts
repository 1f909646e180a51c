// tests/: what testRuns/ needs of the editor and this machine: what says how tests run, processes, and files of reports.
// This file is the port.
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { TestGround } from '../../testRuns/testGround.ts';
import type { ProcessPlan } from '../../testRuns/testPlan.ts';
import type { SettingsReader } from '../settingsReader.ts';
import { prepareProcess } from './launchTests.ts';
import { resolvePlace } from './placeResolver.ts';
import { ReportFiles } from './reportFiles.ts';
import { TestProcess } from './testProcess.ts';
import { createTestSources, type TaskRunner } from './testSources.ts';

export interface EditorTestGroundOptions {
  readonly settings: Pick<SettingsReader, 'get' | 'onDidChange'>;
  readonly tasks: TaskRunner;
  readonly terminals: TestGround['terminals'];
  /** Asked only when something may run: it starts the person's shell. */
  readonly loginShellPath: () => Promise<string>;
  readonly log: Log;
}

/** The workspace, its terminals and this machine, as far as running tests needs them. */
export function createEditorTestGround({
  settings,
  tasks,
  terminals,
  loginShellPath,
  log,
}: EditorTestGroundOptions): TestGround & Disposable {
  const reports = new ReportFiles({
    globs: () => settings.get('duplex.tests.reports'),
    onDidChangeGlobs: (listener) => settings.onDidChange((affects) => (affects('duplex.tests.reports') ? listener() : undefined)),
    log,
  });
  return {
    sources: createTestSources(() => settings.get('duplex.tests.command'), tasks),
    reports,
    terminals,
    resolvePlace,
    readyToStart: async () => {
      await loginShellPath();
    },
    startProcess: async (plan: ProcessPlan, onOutput) => new TestProcess(await prepareProcess(plan, await loginShellPath()), onOutput),
    dispose: () => reports.dispose(),
  };
}
