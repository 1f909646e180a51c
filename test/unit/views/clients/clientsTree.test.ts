import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/events.ts';
import type { ClientRow, KnownClient } from '../../../../src/views/clients/clientNodes.ts';
import type { ClientsModel, ClientsTree } from '../../../../src/views/clients/clientsTree.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

const program = `
  import { ClientsTree } from './src/views/clients/clientsTree.ts';
  export const newTree = (model) => new ClientsTree(model);
`;
const editor = `
  export const window = { registerTreeDataProvider: () => ({ dispose() {} }) };
  export const l10n = { t: (text) => text };
  export const env = { language: 'en' };
  export const commands = { executeCommand: async () => undefined };
  export const TreeItem = class { constructor(label) { this.label = label; } };
  export const ThemeIcon = class {};
  export const ThemeColor = class {};
`;

describe('The view of the clients', () => {
  it('shows what is so when it is opened, and is drawn anew when it is told of another one', async () => {
    const { newTree } = await importWithFakes<{ readonly newTree: (model: ClientsModel) => ClientsTree }>(program, { vscode: editor });
    const known: KnownClient[] = [];
    let wait = 0;
    const changed = new Emitter<void>();
    const tree = newTree({ clients: () => [], knownClients: () => known, signInWaitMs: () => wait, onDidChange: changed.event });
    const drawn: (readonly ClientRow[] | undefined)[] = [];
    tree.onDidChangeTreeData((rows) => drawn.push(rows));
    known.push({ credentialId: 'client-1', credentialKind: 'oauth', label: 'Cursor' });
    assert.deepEqual(
      tree.getChildren().map(({ id }) => id),
      ['known:client-1'],
    );
    changed.fire();
    assert.deepEqual(drawn, [], 'nothing that is not shown already');
    known.push({ credentialId: 'client-2', credentialKind: 'clientToken', label: 'Claude' });
    changed.fire();
    assert.deepEqual(drawn, [undefined]);
    wait = 60_000;
    changed.fire();
    const [pause] = tree.getChildren();
    const { label, command } = tree.getTreeItem(pause ?? assert.fail());
    assert.deepEqual([drawn.length, label, command?.command], [2, 'Let the next one ask', 'duplex.letTheNextOneAsk']);
    wait = 0;
    changed.fire();
    assert.deepEqual([drawn.length, tree.getChildren().length], [3, 2]);
    tree.dispose();
  });
});
