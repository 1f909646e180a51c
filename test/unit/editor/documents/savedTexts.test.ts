import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as SavedTextsModule from '../../../../src/editor/documents/savedTexts.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

type Listener = (event: unknown) => void;

/** The events of the stand-in for VS Code, which tells of the new text before it knows that this is unsaved. */
const listeners = new Map<string, Set<Listener>>();
const events = ['OpenText', 'SaveText', 'ChangeText', 'OpenNotebook', 'SaveNotebook', 'ChangeNotebook'];
Object.assign(globalThis, { savedTextsListeners: listeners });
const vscode = `
const on = (name) => (listener) => {
  const all = globalThis.savedTextsListeners;
  all.set(name, (all.get(name) ?? new Set()).add(listener));
  return { dispose: () => all.get(name).delete(listener) };
};
export const workspace = {
  textDocuments: [], notebookDocuments: [], workspaceFolders: [], getWorkspaceFolder: () => undefined,
  ${events.map((name) => `onDid${name}Document: on('${name}')`).join(', ')},
};`;
const program = "export { followSavedTexts, diskStateOf } from './src/editor/documents/savedTexts.ts';";
const { followSavedTexts, diskStateOf } = await importWithFakes<typeof SavedTextsModule>(program, { vscode });

const clock = new FakeClock();
/** Passes the time after which it is known whether a document is unsaved. */
const settle = (): void => clock.advance(1_000);

class Document {
  readonly uri: { scheme: string; fsPath: string; toString(): string };
  readonly encoding = 'utf8';
  readonly isClosed = false;
  isDirty = false;
  version = 1;
  #text: string;

  constructor(path: string, text: string) {
    this.uri = { scheme: 'file', fsPath: path, toString: () => `file://${path}` };
    this.#text = text;
  }

  getText(): string {
    return this.#text;
  }

  /** The person types: the text changes, and then the document is unsaved. */
  type(text: string): void {
    this.change(text);
    this.isDirty = true;
    fire('ChangeText', { document: this });
  }

  change(text: string): void {
    this.#text = text;
    this.version += 1;
    fire('ChangeText', { document: this });
  }

  get state(): Promise<string> {
    return diskStateOf(this as never);
  }
}

function fire(name: string, event: unknown): void {
  listeners.get(name)?.forEach((listener) => listener(event));
}

describe('What VS Code last read of a file', () => {
  let folder = '';
  let path = '';
  let following: ReturnType<typeof followSavedTexts>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'saved-texts-'));
    path = join(folder, 'a.txt');
    await writeFile(path, 'first\r\n');
    following = followSavedTexts(clock);
  });
  afterEach(async () => {
    following.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const opened = (text: string): Document => {
    const document = new Document(path, text);
    fire('OpenText', document);
    return document;
  };

  it('is compared with the disk while the person types: same, changed or gone', async () => {
    const document = opened('first\n');
    document.type('typed first\n');
    settle();
    assert.equal(await document.state, 'same');
    await writeFile(path, 'FIRST\r\n');
    assert.equal(await document.state, 'changed');
    await rm(path);
    assert.equal(await document.state, 'gone');
  });

  it('is what it read anew, or saved', async () => {
    const document = opened('first\n');
    await writeFile(path, 'second\n');
    document.change('second\n');
    settle();
    document.type('typed second\n');
    settle();
    assert.equal(await document.state, 'same');
    await writeFile(path, 'typed second\n');
    document.isDirty = false;
    fire('SaveText', document);
    document.type('more\n');
    settle();
    assert.equal(await document.state, 'same');
  });

  it('is not known where the text was unsaved from the beginning, or was typed while it was saved', async () => {
    const restored = opened('restored\n');
    restored.isDirty = true;
    settle();
    assert.equal(await restored.state, 'unknown');
    const document = opened('first\n');
    document.type('typed\n');
    fire('SaveText', document);
    assert.equal(await document.state, 'unknown');
  });
});
