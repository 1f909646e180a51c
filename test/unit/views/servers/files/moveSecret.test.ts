import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import type { moveSecretToInput } from '../../../../../src/views/servers/files/moveSecret.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

interface Program {
  readonly moveSecretToInput: typeof moveSecretToInput;
  readonly document: { text: string; isDirty: boolean; saved: string | undefined };
}

const program = `
  export { moveSecretToInput } from './src/views/servers/files/moveSecret.ts';
  export { document } from 'vscode';`;
const editor = `
  const uri = { scheme: 'file', path: '/work/.mcp.json', fsPath: '/work/.mcp.json' };
  export const document = {
    uri, text: '', saved: undefined, isDirty: false, isClosed: false,
    getText: () => document.text,
    positionAt: (offset) => offset,
    save: async () => ((document.saved = document.text), (document.isDirty = false), true),
  };
  export class Range { constructor(start, end) { this.start = start; this.end = end; } }
  export class WorkspaceEdit { edits = []; replace(_, range, text) { this.edits.unshift({ ...range, text }); } }
  const applyEdit = async ({ edits }) => {
    for (const { start, end, text } of edits) {
      document.text = document.text.slice(0, start) + text + document.text.slice(end);
    }
    document.isDirty = true;
    return true;
  };
  const nothing = () => ({ dispose: () => undefined });
  export const workspace = {
    openTextDocument: async () => document, applyEdit, onDidChangeTextDocument: nothing, onDidCloseTextDocument: nothing,
  };
  export const [Uri, TextDocumentChangeReason] = [{ parse: () => uri }, { Undo: 1 }];
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const env = { language: 'en' };
  export const window = { showInformationMessage: async () => undefined };`;

const secret = {
  uri: 'file:///work/.mcp.json',
  server: 'demo',
  definition: ['servers', 'demo'],
  path: ['env', 'TOKEN'],
  inputs: ['inputs'],
};
const text = JSON.stringify({ servers: { demo: { command: 'x', env: { TOKEN: 'abc' } } } }, undefined, 2);
const moved = {
  inputs: [{ id: 'demo-TOKEN', type: 'promptString', description: 'TOKEN', password: true }],
  servers: { demo: { command: 'x', env: { TOKEN: '${input:demo-TOKEN}' } } },
};

describe('A secret that is moved to the secret storage', function () {
  this.timeout(60_000);
  let loaded: Program;
  /** The values in the secret storage, by their inputs. */
  let stored: Map<string, string>;

  beforeEach(async () => {
    loaded = await importWithFakes<Program>(program, { vscode: editor });
    loaded.document.text = text;
    stored = new Map();
  });

  /** Moves it; `meanwhile` happens while the secret storage takes its time. */
  const move = (meanwhile: () => void | Promise<void> = () => undefined): Promise<void> =>
    loaded.moveSecretToInput(
      {
        inputs: {
          keep: async (_, { id }, value) => {
            await meanwhile();
            stored.set(id, value);
          },
          forget: (_, inputs) => {
            inputs.forEach(({ id }) => stored.delete(id));
            return Promise.resolve();
          },
        },
        userDataPath: '/data',
      },
      secret,
    );
  const write = (changed: string): void => {
    loaded.document.text = changed;
    loaded.document.isDirty = true;
  };

  it('leaves a saved file at once', async () => {
    await move();
    assert.deepEqual(parse(loaded.document.saved ?? ''), moved);
    assert.deepEqual([...stored], [['demo-TOKEN', 'abc']]);
  });

  it('is taken out of where it stands by then, and what was written meanwhile is the person’s to save', async () => {
    await move(() => write(`// a line more\n${text}`));
    assert.deepEqual(parse(loaded.document.text), moved);
    assert.ok(loaded.document.text.startsWith('// a line more\n{'));
    assert.deepEqual([[...stored], loaded.document.saved], [[['demo-TOKEN', 'abc']], undefined]);
  });

  for (const [what, changed] of [
    ['is gone', JSON.stringify({ servers: {} })],
    ['is another', text.replace('abc', 'def')],
    ['would get another input', JSON.stringify({ ...(JSON.parse(text) as object), inputs: moved.inputs })],
  ] as const) {
    it(`is not kept, and nothing is written, where it ${what} by then`, async () => {
      await assert.rejects(
        move(() => write(changed)),
        { code: 'views.noSecret' },
      );
      assert.deepEqual([loaded.document.text, loaded.document.saved, stored.size], [changed, undefined, 0]);
    });
  }

  it('stays kept where the same was chosen twice', async () => {
    await assert.rejects(
      move(() => move()),
      { code: 'views.noSecret' },
    );
    assert.deepEqual(parse(loaded.document.saved ?? ''), moved);
    assert.deepEqual([...stored], [['demo-TOKEN', 'abc']]);
  });
});
