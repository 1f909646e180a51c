import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { prepareProcess, TestProcess } from '../../../../src/editor/tests/testProcess.ts';
import type * as WorkspaceTasks from '../../../../src/editor/workspace/workspaceTasks.ts';
import type { ReportFile } from '../../../../src/testRuns/runStore.ts';
import type { WatchedEnd } from '../../../../src/testRuns/terminalRuns.ts';
import type { TestGround, TestRequest, TestSources } from '../../../../src/testRuns/testGround.ts';
import type { TestRun } from '../../../../src/testRuns/testRun.ts';
import { TestRunner } from '../../../../src/testRuns/testRunner.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { repositoryRoot } from '../../../support/run/repository.mjs';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const { chainSources } = await importWithFakes<typeof WorkspaceTasks>(
  "export { chainSources } from './src/editor/workspace/workspaceTasks.ts';",
  { vscode: '' },
);

const searchPath = process.env['PATH'] ?? '';

/** The first number of the version of the Node that tests run with. */
export const nodeVersion = Number(/\d+/.exec(spawnSync('node', ['--version'], { encoding: 'utf8' }).stdout)?.[0]);

/** Whether this machine has the program, and it starts with these arguments. */
export function hasProgram(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** A folder on the disk with files in it, whose tests run for real. */
export class RealWorkspace {
  readonly folder = createTemporaryFolder();
  readonly runner: TestRunner;
  command = '';

  constructor(files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.folder, name)), { recursive: true });
      writeFileSync(path.join(this.folder, name), text);
    }
    this.runner = new TestRunner(this.#ground(), silentLog);
  }

  /** Gives the workspace the packages of this repository. */
  addPackages(): void {
    symlinkSync(path.join(repositoryRoot, 'node_modules'), path.join(this.folder, 'node_modules'));
  }

  async run(request: TestRequest = {}): Promise<TestRun> {
    const { ended } = await this.runner.start(await this.runner.plan(request));
    return ended;
  }

  #ground(): TestGround {
    return {
      sources: this.#sources(),
      reports: { onDidWrite: new Emitter<readonly ReportFile[]>().event, writtenSince: () => Promise.resolve([]) },
      terminals: {
        listCommands: () => [],
        onDidChangeTerminal: new Emitter<string>().event,
        onDidEndCommand: new Emitter<WatchedEnd>().event,
      },
      resolvePlace: (file, cwd = this.folder) => {
        const found = path.relative(this.folder, path.resolve(cwd, file.replace(/^file:\/\//, '')));
        return found.startsWith('..') || !existsSync(path.join(this.folder, found)) ? undefined : found;
      },
      readyToStart: () => Promise.resolve(),
      startProcess: async (plan, onOutput) => new TestProcess(await prepareProcess(plan, searchPath), onOutput),
    };
  }

  #sources(): TestSources {
    return {
      ...chainSources,
      folders: () => [{ name: 'shop', path: this.folder }],
      command: () => this.command,
      findTestTask: () => Promise.resolve(undefined),
      findFile: (folder, named) => {
        const file = path.resolve(folder, named);
        const isThere = existsSync(file) && (named.includes('/') || statSync(file).isFile());
        const relative = path.relative(folder, file);
        return Promise.resolve(isThere ? { relative, isFolder: statSync(file).isDirectory(), clientPath: relative } : undefined);
      },
      listFiles: (folder, name) => Promise.resolve(existsSync(path.join(folder, name)) ? readdirSync(path.join(folder, name)) : []),
      findProgram: (names) => Promise.resolve(names.find((name) => hasProgram(name, '--version'))),
      nodeVersion: () => Promise.resolve(nodeVersion),
      shell: 'posix',
    };
  }
}
