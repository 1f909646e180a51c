import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { silentLog } from '../../../../src/base/log.ts';
import type { RegistryPageState } from '../../../../src/contract/pages/registryMessages.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import { bundleFolderName } from '../../../../src/registry/bundles/bundleFolder.ts';
import { BundleStore } from '../../../../src/registry/bundles/bundleStore.ts';
import { RegistryClient } from '../../../../src/registry/registryClient.ts';
import type { RegistryPanel } from '../../../../src/views/registry/registryPanel.ts';
import type { AddedServers } from '../../../../src/views/servers/adding/addServer.ts';
import { listed, npm } from '../../../fixtures/registry/entries.ts';
import { StandInRegistry } from '../../../fixtures/registry/standInRegistry.ts';
import { zipOf } from '../../../fixtures/registry/zipFile.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

interface Program {
  readonly RegistryPanel: typeof RegistryPanel;
  /** The settings by their names; while they have unsaved changes VS Code does not write them. */
  readonly values: Record<string, unknown>;
  readonly file: { isUnsaved: boolean };
  readonly tab: { say(message: object): void; onPost: () => void; readonly posted: { readonly body: RegistryPageState }[] };
}

const program = `
  export { RegistryPanel } from './src/views/registry/registryPanel.ts';
  export { values, file, tab } from 'vscode';`;
const editor = `
  export const [values, file, tab] = [{}, { isUnsaved: false }, { posted: [], onPost: () => undefined }];
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const [env, ViewColumn, ConfigurationTarget] = [{ language: 'en' }, { Active: -1 }, { Global: 1, Workspace: 2 }];
  export const Uri = { joinPath: (...parts) => parts.join('/') };
  const update = async (name, value) => {
    if (file.isUnsaved) {
      throw new Error('The settings have unsaved changes.');
    }
    values[name] = value;
  };
  export const workspace = { getConfiguration: () => ({ inspect: (name) => ({ globalValue: values[name] }), update }) };
  const webview = {
    cspSource: '',
    asWebviewUri: (uri) => uri,
    onDidReceiveMessage: (hear) => ((tab.say = hear), { dispose: () => undefined }),
    postMessage: async (message) => (tab.posted.push(message), tab.onPost()),
  };
  const panel = { webview, onDidDispose: (hear) => void (panel.dispose = hear) };
  export const window = { createWebviewPanel: () => panel };`;

const servers = 'duplex.mcpServers';
const environmentVariables = [{ name: 'NOTES_TOKEN', description: 'A token.', isRequired: true, isSecret: true }];
const packaged = listed('io.example/notes', { packages: [npm('notes', '1.0.0', { environmentVariables })] });
const manifest = {
  ...{ manifest_version: '0.3', name: 'parcel', version: '1.0.0', description: 'A parcel.', author: { name: 'Somebody' } },
  server: { type: 'node', entry_point: 'index.js', mcp_config: { command: 'node', args: ['${__dirname}/index.js'] } },
};
const archive = zipOf([
  { name: 'manifest.json', content: JSON.stringify(manifest) },
  { name: 'index.js', content: '// nothing' },
]);

describe('A server that is installed from a registry', function () {
  this.timeout(60_000);
  let loaded: Program;
  let registry: StandInRegistry;
  let panel: RegistryPanel;
  let folder = '';
  let added: AddedServers[];
  let failed: Promise<unknown>;
  /** What a save waits for, before it writes anything. */
  let settings: Promise<void>;

  beforeEach(async () => {
    folder = createTemporaryFolder();
    added = [];
    settings = Promise.resolve();
    registry = await StandInRegistry.start([packaged]);
    loaded = await importWithFakes<Program>(program, { vscode: editor });
    const store = new BundleStore(path.join(folder, 'bundles'));
    let report: (error: unknown) => void = () => undefined;
    failed = new Promise((resolve) => (report = resolve));
    panel = new loaded.RegistryPanel({
      extensionUri: 'extension:' as unknown as vscode.Uri,
      client: new RegistryClient(),
      url: () => registry.url,
      definitions: () => readDefinitions([{ scope: 'user', value: loaded.values[servers] ?? {}, location: '' }]).definitions,
      hasProgram: () => Promise.resolve(true),
      bundles: { machine: { platform: process.platform, home: folder }, store: () => Promise.resolve(store) },
      settingsFiles: () => settings.then(() => [path.join(folder, 'settings.json')]),
      recordAnswer: () => Promise.resolve(),
      add: async (servers, write) => {
        await write();
        added.push(servers);
      },
      onDidChange: () => ({ dispose: () => undefined }),
      report: (error) => report(error),
      log: silentLog,
    });
    panel.show();
  });
  afterEach(async () => {
    panel.dispose();
    await registry.close();
    await removeTemporaryFolder(folder);
  });

  const say = (name: string, body: object = {}): void => loaded.tab.say({ name, body });
  /** What the page shows, once it shows that. */
  const shown = async (isThat: (page: RegistryPageState) => boolean): Promise<RegistryPageState> => {
    for (;;) {
      const last = loaded.tab.posted.at(-1)?.body;
      if (last !== undefined && isThat(last)) {
        return last;
      }
      await new Promise<void>((resolve) => (loaded.tab.onPost = resolve));
    }
  };
  const choose = async (name: string): Promise<void> => {
    say('ready');
    await shown(({ state }) => state.kind === 'listed');
    say('registry/choose', { name });
    await shown(({ install }) => install !== undefined);
  };
  const review = async (name: string, values: object = {}): Promise<void> => {
    say('registry/review', { way: 'package:0', name, values });
    const { install } = await shown((page) => page.install?.review !== undefined || page.install?.problem !== undefined);
    assert.equal(install?.problem, undefined);
  };
  const fill = async (): Promise<void> => {
    await choose('io.example/notes');
    const field = loaded.tab.posted.at(-1)?.body.install?.ways[0]?.fields[0]?.field.name ?? '';
    await review('notes', { [field]: 'typed' });
  };
  /** Lists a bundle; returns where it is kept. */
  const offerBundle = (): string => {
    const identifier = registry.offerFile('/parcel.mcpb', archive);
    const fileSha256 = createHash('sha256').update(archive).digest('hex');
    const bundle = { registryType: 'mcpb', identifier, fileSha256, transport: { type: 'stdio' } };
    registry.list([listed('io.example/parcel', { packages: [bundle] })]);
    return path.join(folder, 'bundles', bundleFolderName({ name: 'io.example/parcel', version: '1.0.0', sha256: fileSha256 }));
  };
  const fillBundle = async (): Promise<string> => {
    const kept = offerBundle();
    await choose('io.example/parcel');
    say('registry/download', { way: 'package:0' });
    await shown(({ install }) => install?.ways[0]?.fetched !== undefined);
    await review('parcel');
    return kept;
  };
  const saveWhileUnsaved = async (message = 'registry/install'): Promise<void> => {
    loaded.file.isUnsaved = true;
    say(message, { place: 'user' });
    assert.match(String(await failed), /unsaved changes/);
    loaded.file.isUnsaved = false;
  };

  it('tells that there is more also while that is loaded and when it did not come, so that the button for it stays', async () => {
    registry.list(Array.from({ length: 60 }, (_, index) => listed(`io.example/n${index}`)));
    say('ready');
    await shown(({ state }) => state.kind === 'listed');
    registry.misbehave((_, response) => void response.writeHead(503).end());
    say('registry/more');
    await shown(({ state }) => state.kind === 'failed');
    registry.misbehave(undefined);
    say('registry/more');
    await shown(({ state }) => state.kind === 'listed');
    const told = loaded.tab.posted.map(({ body }) => [body.state.kind, body.cards.length, body.hasMore]);
    assert.deepEqual(told.slice(1), [
      ['listed', 50, true],
      ['loading', 50, true],
      ['failed', 50, true],
      ['loading', 50, true],
      ['listed', 60, false],
    ]);
  });

  it('keeps what was filled in while the settings cannot be written, and is written by the next press', async () => {
    await fill();
    await saveWhileUnsaved();
    assert.notEqual(loaded.tab.posted.at(-1)?.body.install?.review, undefined);
    say('registry/install', { place: 'user' });
    await shown(({ install }) => install === undefined);
    assert.deepEqual(Object.keys(loaded.values[servers] as object), ['notes']);
    assert.deepEqual(
      added.map(({ place, entries }) => [place, entries.map(({ name, values }) => [name, ...values.values()])]),
      [['user', [['notes', 'typed']]]],
    );
  });

  it('does not take the place of a server that got its name after the review', async () => {
    await fill();
    const other = { notes: { command: 'other' } };
    loaded.values[servers] = other;
    say('registry/install', { place: 'user' });
    const { install } = await shown((page) => page.install?.review === undefined);
    assert.equal(install?.problem, 'There is a server “notes” already.');
    assert.deepEqual([loaded.values[servers], added], [other, []]);
  });

  it('can still be changed when it is a bundle and the settings could not be written', async () => {
    await fillBundle();
    await saveWhileUnsaved();
    say('registry/edit');
    await shown(({ install }) => install?.review === undefined);
    await review('renamed');
    say('registry/install', { place: 'user' });
    await shown(({ install }) => install === undefined);
    const { renamed } = loaded.values[servers] as { readonly renamed?: { readonly args: readonly string[] } };
    assert.equal(existsSync(renamed?.args[0] ?? ''), true);
  });

  it('is saved although the person goes back, searches or chooses another meanwhile', async () => {
    const kept = await fillBundle();
    let goOn: () => void = () => undefined;
    settings = new Promise((resolve) => (goOn = resolve));
    say('registry/install', { place: 'user' });
    say('registry/back');
    say('registry/edit');
    say('registry/choose', { name: 'io.example/parcel' });
    say('registry/search', { text: 'parcel' });
    await shown(({ search, state }) => search === 'parcel' && state.kind === 'listed');
    assert.notEqual(loaded.tab.posted.at(-1)?.body.install?.review, undefined);
    goOn();
    await shown(({ install }) => install === undefined);
    assert.deepEqual([Object.keys(loaded.values[servers] as object), existsSync(kept)], [['parcel'], true]);
  });

  it('keeps the form of its update while the settings cannot be written, and is updated by the next press', async () => {
    const kept = offerBundle();
    const old = path.join(folder, 'bundles', bundleFolderName({ name: 'io.example/parcel', version: '0.9.0', sha256: '0'.repeat(64) }));
    await mkdir(old, { recursive: true });
    await writeFile(path.join(old, 'manifest.json'), JSON.stringify({ ...manifest, version: '0.9.0' }));
    loaded.values[servers] = { parcel: { command: 'node', args: [path.join(old, 'index.js')] } };
    say('ready');
    const { cards } = await shown(({ state }) => state.kind === 'listed');
    say('registry/update', { name: 'io.example/parcel', server: cards[0]?.installed[0]?.id });
    say('registry/download', { way: 'package:0' });
    await shown(({ update }) => update !== undefined && update.changes.length > 0);
    await saveWhileUnsaved('registry/applyUpdate');
    assert.notEqual(loaded.tab.posted.at(-1)?.body.update, undefined);
    say('registry/applyUpdate');
    await shown(({ update }) => update === undefined);
    assert.deepEqual(loaded.values[servers], { parcel: { command: 'node', args: [path.join(kept, 'index.js')] } });
    assert.equal(existsSync(path.join(kept, 'index.js')), true);
  });
});
