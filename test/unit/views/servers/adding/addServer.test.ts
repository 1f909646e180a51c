import assert from 'node:assert/strict';
import { readDefinitions } from '../../../../../src/definitions/readDefinitions.ts';
import type * as AddServerModule from '../../../../../src/views/servers/adding/addServer.ts';
import type * as StartAddedModule from '../../../../../src/views/servers/adding/startAdded.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';
import { snapshotOf } from '../../../host/snapshots.ts';

interface Program extends Pick<typeof AddServerModule, 'adoptServers'>, Pick<typeof StartAddedModule, 'isAdded'> {
  readonly values: Record<string, unknown>;
  readonly warned: string[];
  /** Each list of what will be written; the person chooses the first line of it. */
  readonly lists: { readonly labels: readonly string[]; choose(): void }[];
}

const program = `
  export { adoptServers } from './src/views/servers/adding/addServer.ts';
  export { isAdded } from './src/views/servers/adding/startAdded.ts';
  export { values, warned, lists } from 'vscode';`;
const editor = `
  export const [values, warned, lists] = [{}, [], []];
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const [ConfigurationTarget, QuickPickItemKind] = [{ Global: 1, Workspace: 2 }, { Separator: -1 }];
  export const workspace = {
    getConfiguration: () => ({
      inspect: (name) => ({ globalValue: values[name] }),
      update: async (name, value) => void (values[name] = value),
    }),
  };
  export const window = {
    showQuickPick: (items) => new Promise((choose) => lists.push({ labels: items.map(({ label }) => label), choose: () => choose(items[0]) })),
    showWarningMessage: async (sentence) => void warned.push(sentence),
  };`;

const servers = 'duplex.mcpServers';

describe('A server that is added to the settings', function () {
  this.timeout(60_000);
  let loaded: Program;
  let told: (readonly [names: readonly string[], written: unknown])[];

  beforeEach(async () => {
    loaded = await importWithFakes<Program>(program, { vscode: editor });
    told = [];
  });

  const adopt = (...names: readonly string[]): ReturnType<Program['adoptServers']> => {
    const value = Object.fromEntries(names.map((name) => [name, { command: name }]));
    const { definitions } = readDefinitions([{ scope: 'discovered', value, location: '' }]);
    return loaded.adoptServers(definitions, [], ({ entries }) => told.push([entries.map(({ name }) => name), loaded.values[servers]]));
  };

  /** Chooses the first line of a list, once it is there; returns what it showed. */
  const chooseIn = async (index: number): Promise<readonly string[]> => {
    while (loaded.lists[index] === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    loaded.lists[index].choose();
    return loaded.lists[index].labels;
  };

  it('gets another name, which is shown, when one came meanwhile that has its own', async () => {
    const adding = adopt('notes', 'mail');
    loaded.values[servers] = { notes: { command: 'other' } };
    await chooseIn(0);
    const shown = await chooseIn(1);
    assert.deepEqual([shown.includes('notes-2'), loaded.warned, told], [true, ['There is a server “notes” already.'], []]);
    await adding;
    assert.deepEqual(loaded.values[servers], {
      notes: { command: 'other' },
      'notes-2': { command: 'notes' },
      mail: { command: 'mail' },
    });
  });

  it('is told of before it is written, so that it is known when it appears', async () => {
    const adding = adopt('notes');
    await chooseIn(0);
    const added = await adding;
    assert.deepEqual(told, [[['notes'], undefined]]);
    assert.ok(added !== undefined);
    const waiting = { kind: 'stopped', reason: 'needsConsent' } as const;
    const isAdded = (name: string, scope: 'user' | 'remote' | 'workspace'): boolean =>
      loaded.isAdded({ ...snapshotOf(name, waiting), name, scope }, added);
    assert.deepEqual(
      [isAdded('notes', 'user'), isAdded('notes', 'remote'), isAdded('notes', 'workspace'), isAdded('mail', 'user')],
      [true, true, false, false],
    );
  });
});
