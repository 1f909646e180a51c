import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { BundleUses } from '../../../../src/registry/bundles/bundleUses.ts';
import type { settingsOfWindow } from '../../../../src/views/registry/windowSettings.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

interface Program {
  readonly settingsOfWindow: typeof settingsOfWindow;
  readonly env: { remoteName: string | undefined };
  readonly workspace: { workspaceFile?: object; workspaceFolders?: readonly object[] };
  readonly configured: { servers: unknown };
}

const program = `
  export { settingsOfWindow } from './src/views/registry/windowSettings.ts';
  export { env, workspace, configured } from 'vscode';`;
const editor = `
  export const configured = { servers: undefined };
  export const env = { language: 'en', remoteName: undefined };
  export const workspace = { getConfiguration: () => ({ inspect: () => ({ globalLocalValue: configured.servers }) }) };
  export const [l10n, Uri, window] = [{ t: (text) => text }, {}, {}];`;

const day = 24 * 60 * 60_000;
const bundle = `notes@1.0.0@${'a'.repeat(32)}`;

/** What VS Code keeps for a person on their own machine. */
function stateOf(): vscode.Memento & { readonly kept: Map<string, unknown>; writes: number } {
  const kept = new Map<string, unknown>();
  const state = {
    kept,
    writes: 0,
    keys: () => [...kept.keys()],
    get: (key: string, otherwise?: unknown) => kept.get(key) ?? otherwise,
    update: (key: string, value: unknown) => {
      state.writes += 1;
      kept.set(key, value);
      return Promise.resolve();
    },
  };
  return state as ReturnType<typeof stateOf>;
}

describe('The settings that a window speaks for', function () {
  this.timeout(60_000);
  let loaded: Program;
  let data = '';
  const inData = (...names: readonly string[]): string => path.join(data, ...names);
  const makeSettings = async (...folders: readonly string[]): Promise<string> => {
    await mkdir(inData(...folders), { recursive: true });
    await writeFile(inData(...folders, 'settings.json'), '{}');
    return inData(...folders, 'settings.json');
  };

  beforeEach(async () => {
    loaded = await importWithFakes<Program>(program, { vscode: editor });
    data = createTemporaryFolder();
  });
  afterEach(() => removeTemporaryFolder(data));

  it('are the files of the person in every profile and those of the workspace, as far as they are files', async () => {
    const user = await makeSettings('User');
    const profile = await makeSettings('User', 'profiles', 'work');
    const uri = (scheme: string, fsPath: string): object => ({ scheme, fsPath });
    loaded.workspace.workspaceFile = uri('file', '/w/all.code-workspace');
    loaded.workspace.workspaceFolders = [{ uri: uri('file', '/w/one') }, { uri: uri('memfs', '/two') }];
    const state = stateOf();
    const expected = { files: [user, profile, '/w/one/.vscode/settings.json', '/w/all.code-workspace'] };
    assert.deepEqual(await loaded.settingsOfWindow(data, state), expected);
    loaded.env.remoteName = 'tunnel'; // connected to a machine that has them nevertheless
    assert.deepEqual(await loaded.settingsOfWindow(data, state), expected);
    assert.equal(state.writes, 0);
  });

  it('are, where the person’s own are on another machine, what that person’s settings say, under one name for all their windows', async () => {
    await mkdir(inData('User'), { recursive: true });
    loaded.env.remoteName = 'ssh-remote';
    loaded.configured.servers = { notes: { command: 'notes' } };
    const [anna, berta] = [stateOf(), stateOf()];
    const { files, person } = await loaded.settingsOfWindow(data, anna);
    assert.deepEqual([files, person?.text.includes('"notes"')], [[person?.id], true]);
    assert.match(person?.id ?? '', /^person:[0-9a-f-]{36}$/);
    const machine = await makeSettings('Machine');
    const again = await loaded.settingsOfWindow(data, anna);
    assert.deepEqual([again.files, again.person?.id, anna.writes], [[person?.id, machine], person?.id, 1]);
    assert.notEqual((await loaded.settingsOfWindow(data, berta)).person?.id, person?.id);
  });

  it('keep a bundle of somebody who connects to this machine, whatever windows of others say', async () => {
    const root = inData('bundles');
    await mkdir(root);
    let now = 1_000;
    const uses = new BundleUses(root, () => now);
    const [anna, berta] = [stateOf(), stateOf()];
    const look = async (state: vscode.Memento, servers: object): Promise<readonly string[]> => {
      loaded.configured.servers = servers;
      const removed = await uses.removeUnused({ texts: [], ...(await loaded.settingsOfWindow(data, state)) });
      now += day;
      return removed;
    };
    loaded.env.remoteName = 'ssh-remote';
    await uses.taking(bundle, (await loaded.settingsOfWindow(data, anna)).files, () => mkdir(path.join(root, bundle)));
    const using = { notes: { command: 'node', args: [path.join(root, bundle, 'index.js')] } };
    for (const [state, servers] of [
      [berta, {}],
      [anna, using],
      [berta, {}],
      [berta, {}],
      [anna, {}],
    ] as const) {
      assert.deepEqual(await look(state, servers), []);
    }
    assert.deepEqual(await look(anna, {}), [bundle]);
  });
});
