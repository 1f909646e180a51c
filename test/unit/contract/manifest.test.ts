import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { commands, rowCommands } from '../../../src/contract/commands.ts';
import { toolTaskDefinition } from '../../../src/contract/definitionSchemas.ts';
import { mcpServerProvider, productName, toolTaskType, views } from '../../../src/contract/identity.ts';

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly enabledApiProposals?: unknown;
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; category: string }[];
    readonly views: Readonly<Record<string, readonly { id: string }[]>>;
    readonly menus: Readonly<Record<string, readonly { command: string; when?: string }[]>>;
    readonly taskDefinitions: readonly { type: string; required: readonly string[]; properties: object }[];
    readonly mcpServerDefinitionProviders: readonly { id: string; label: string }[];
  };
}

const root = path.resolve(import.meta.dirname, '../../..');
const readJson = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
const manifest = readJson('package.json') as Manifest;
const texts = readJson('package.nls.json') as Record<string, string>;

describe('package.json', () => {
  it('declares exactly the commands of the contract, in the category Duplex', () => {
    const declared = manifest.contributes.commands.map(({ command, category }) => `${category}: ${command}`);
    const wanted = [...commands.map((name) => `duplex.${name}`), ...rowCommands.map((name) => `duplex.${name}.here`)];
    assert.deepEqual(declared.sort(), wanted.map((id) => `Duplex: ${id}`).sort());
  });

  it('says “…” in the menu of a row only where something is picked still, and keeps the words of rows out of the palette', () => {
    const titles = new Map(manifest.contributes.commands.map(({ command, title }) => [command, texts[title.slice(1, -1)]]));
    const ofRows = manifest.contributes.menus['view/item/context']?.map(({ command }) => titles.get(command) ?? '') ?? [];
    assert.deepEqual([...new Set(ofRows.filter((title) => title.endsWith('…')))].sort(), [
      'Adopt Server…',
      'Allow Host…',
      'Change Client Access…',
      'Change Client Role…',
      'Open Resource…',
      'Revoke Client…',
      'Run Prompt…',
      'Set Server Log Level…',
    ]);
    const hidden = manifest.contributes.menus['commandPalette']?.filter(({ when }) => when === 'false').map(({ command }) => command);
    assert.deepEqual(
      rowCommands.filter((name) => hidden?.includes(`duplex.${name}.here`) !== true),
      [],
    );
  });

  it('titles every command with the words of its id', () => {
    for (const { command, title } of manifest.contributes.commands) {
      const words = command
        .replace('duplex.', '')
        .replace('.here', '')
        .replace(/[A-Z]/g, (letter) => ` ${letter}`)
        .toLowerCase();
      // In other people's menus a title says whose chat it is.
      const said = texts[title.slice(1, -1)]?.replace('…', '').replace('Duplex Chat', 'Chat').toLowerCase();
      assert.equal(said, words);
    }
  });

  it('offers in menus only commands that exist', () => {
    const known = new Set(manifest.contributes.commands.map(({ command }) => command));
    const offered = Object.values(manifest.contributes.menus).flatMap((items) => items.map((item) => item.command));
    assert.deepEqual(
      offered.filter((command) => !known.has(command)),
      [],
    );
  });

  it('declares the views of the contract', () => {
    const declared = Object.entries(manifest.contributes.views).map(([container, group]) => [container, ...group.map((view) => view.id)]);
    assert.deepEqual(declared, [
      [views.container, views.chat, views.servers, views.clients],
      [views.panelContainer, views.traffic],
    ]);
  });

  it('offers the editor’s own server to VS Code’s agent under the id it is registered with', () => {
    assert.deepEqual(manifest.contributes.mcpServerDefinitionProviders, [{ id: mcpServerProvider, label: productName }]);
  });

  it('declares the task type of the contract with exactly its properties', () => {
    const { shape } = toolTaskDefinition();
    const [declared, ...others] = manifest.contributes.taskDefinitions;
    assert.deepEqual([declared?.type, others], [toolTaskType, []]);
    assert.deepEqual(Object.keys(declared?.properties ?? {}), Object.keys(shape));
    const required = Object.entries(shape).filter(([, part]) => !part.safeParse(undefined).success);
    assert.deepEqual(
      declared?.required,
      required.map(([name]) => name),
    );
  });

  it('has a text for every placeholder, and no text without one', () => {
    const used = new Set([...JSON.stringify(manifest).matchAll(/"%([^"%]+)%"/g)].map((match) => match[1] ?? ''));
    assert.deepEqual(Object.keys(texts).sort(), [...used].sort());
  });

  it('is called duplex-mcp.duplex and asks for no proposed API', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, 'duplex-mcp.duplex');
    assert.equal(manifest.enabledApiProposals, undefined);
  });
});
