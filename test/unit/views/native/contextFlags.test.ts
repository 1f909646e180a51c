import assert from 'node:assert/strict';
import type { Event } from '../../../../src/base/events.ts';
import { Emitter } from '../../../../src/base/events.ts';
import type { ServerSnapshot } from '../../../../src/host/shared/serverState.ts';
import type { ClientsTree } from '../../../../src/views/clients/clientsTree.ts';
import type { ServersTree } from '../../../../src/views/servers/serversTree.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Program {
  readonly ServersTree: typeof ServersTree;
  readonly ClientsTree: typeof ClientsTree;
  readonly told: readonly (readonly unknown[])[];
}

const program = `
  export { ServersTree } from './src/views/servers/serversTree.ts';
  export { ClientsTree } from './src/views/clients/clientsTree.ts';
  export { told } from 'vscode';`;
const editor = `
  const nothing = { dispose() {} };
  export const told = [];
  export const l10n = { t: (text) => text };
  export const commands = { executeCommand: async (...args) => void told.push(args) };
  export const window = { createTreeView: () => ({ ...nothing }), registerTreeDataProvider: () => nothing };
  export const [TreeItem, ThemeIcon, ThemeColor, MarkdownString] = [class {}, class {}, class {}, class {}];
  export const TreeItemCollapsibleState = {};
  export const [env, Uri, workspace, languages] = [{ language: 'en' }, {}, {}, {}];`;

describe('What the walkthrough knows of a window', function () {
  this.timeout(60_000);
  let loaded: Program;
  before(async () => {
    loaded = await importWithFakes<Program>(program, { vscode: editor });
  });

  it('is whether there is a server besides the own one of the editor, and whether a client is there, told once each time it changes', () => {
    const changed = new Emitter<void>();
    const onDidChange: Event<void> = changed.event;
    let servers: readonly ServerSnapshot[] = [];
    const none = {
      problems: () => [],
      rows: () => [],
      offerOf: () => undefined,
      isSignedIn: () => false,
      modelName: () => undefined,
      openQuestions: () => 0,
    };
    const serversTree = new loaded.ServersTree({ ...none, servers: () => servers, onDidChange });
    const clientsTree = new loaded.ClientsTree({ clients: () => [], knownClients: () => [], signInWaitMs: () => 0, onDidChange });
    changed.fire();
    changed.fire();
    const ready = { kind: 'ready', serverName: 'a', version: '1', protocolVersion: '2025-11-25', capabilities: [] } as const;
    const lists = { tools: [], prompts: [], resources: [], templates: [], skills: [], problems: [] };
    const own: ServerSnapshot = {
      ...lists,
      id: 'e',
      name: 'e',
      label: 'e',
      scope: 'builtIn',
      location: '',
      hasInputs: false,
      state: ready,
    };
    servers = [own];
    changed.fire();
    servers = [own, { ...lists, id: 'a', name: 'a', label: 'a', scope: 'user', location: '', hasInputs: false, state: ready }];
    changed.fire();
    assert.deepEqual(loaded.told, [
      ['setContext', 'duplex.hasServers', false],
      ['setContext', 'duplex.hasClients', false],
      ['setContext', 'duplex.hasServers', true],
    ]);
    serversTree.dispose();
    clientsTree.dispose();
  });
});
