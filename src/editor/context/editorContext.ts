// context/: what of the editor can be attached to a message of the chat: what there is (this file), and how it is
// read (readContext.ts).
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type { ContextReading, ContextRef, ContextSources, FoundContext } from '../../chat/context/contextSources.ts';
import type { EditorPort } from '../../server/seen/ports/editorPort.ts';
import type { LastTextEditor } from '../documents/lastTextEditor.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { findTextDocument } from '../shared/openDocuments.ts';
import { readContext } from './readContext.ts';

export interface EditorContextOptions {
  /** The editor as the server sees it, which is made with its first use. */
  readonly editor: () => Promise<EditorPort>;
  readonly lastTextEditor: LastTextEditor;
  readonly isShown: (path: string) => boolean;
}

/** The most characters of a selection that are attached; the rest is cut. */
const maxSelection = 400_000;
/** How long, in ms, the number of changes is believed: Git is not asked with every key that is typed. */
const keepCountMs = 5_000;

export function createEditorContext({ editor, lastTextEditor, isShown }: EditorContextOptions): ContextSources {
  const files = new WorkspaceFiles();
  const changes = new ChangeCount();
  const isWithheld = (ref: ContextRef): boolean => 'path' in ref && ref.path !== undefined && !isShown(ref.path);
  const found = (ref: ContextRef, count?: number): FoundContext => ({ ref, count });
  return {
    isWithheld,
    present: async (signal) => {
      const port = await editor();
      const [problems, commands] = [problemCount(), port.terminals.listCommands().length];
      const open = port.listOpenEditors().filter(({ kind }) => kind === 'text' || kind === 'notebook').length;
      const changed = await changes.read(port, isShown, signal);
      const selection = selectionRef(lastTextEditor.editor);
      const file = lastTextEditor.editor?.document.uri;
      return [
        ...(selection === undefined ? [] : [found(selection)]),
        ...(file === undefined ? [] : [found({ kind: 'file', path: toClientPath(file) })]),
        ...(problems === 0 ? [] : [found({ kind: 'diagnostics' }, problems)]),
        ...(open < 2 ? [] : [found({ kind: 'editors' }, open)]),
        ...(changed === 0 ? [] : [found({ kind: 'changes' }, changed)]),
        ...(port.tests.latestId() === undefined ? [] : [found({ kind: 'tests' })]),
        ...(commands === 0 ? [] : [found({ kind: 'terminal' })]),
      ];
    },
    candidates: async (query, signal) => {
      const paths = await files.find(query, signal);
      const current = lastTextEditor.editor?.document.uri;
      const own = current === undefined ? undefined : toClientPath(current);
      return [
        ...paths.filter((path) => path !== own).map((path) => found({ kind: 'file', path })),
        ...foldersOf(paths).map((path) => found({ kind: 'folder', path })),
      ];
    },
    read: async (ref, signal): Promise<ContextReading> => {
      const { content, isWithheld: wasWithheld } = await readContext(ref, { editor: await editor(), isShown }, signal);
      return { content, version: versionOf(ref, content), isWithheld: wasWithheld };
    },
    selectLines: async (path, lines) => {
      const document = await vscode.workspace.openTextDocument(fromClientPath(path));
      return rangeRef(document, document.validateRange(new vscode.Range(lines.start - 1, 0, lines.end, 0)));
    },
    watch: (ref, onChange) => watchRef(ref, editor, onChange),
  };
}

/** The selection of an editor, or nothing where only the cursor stands. */
export function selectionRef(editor: vscode.TextEditor | undefined): (ContextRef & { readonly kind: 'selection' }) | undefined {
  if (editor === undefined || editor.selection.isEmpty) {
    return undefined;
  }
  return rangeRef(editor.document, editor.selection);
}

export function rangeRef(document: vscode.TextDocument, range: vscode.Range): ContextRef & { readonly kind: 'selection' } {
  // A selection of whole lines ends at the beginning of the next line, which does not count.
  const end = range.end.character === 0 && range.end.line > range.start.line ? range.end.line : range.end.line + 1;
  const lines = { start: range.start.line + 1, end };
  return { kind: 'selection', path: toClientPath(document.uri), lines, text: document.getText(range).slice(0, maxSelection) };
}

function problemCount(): number {
  return vscode.languages.getDiagnostics().reduce((sum, [, diagnostics]) => sum + diagnostics.length, 0);
}

/**
 * The version of what is attached. A selection is unchanged as long as its text is still in the document; anything else as long
 * as it reads the same.
 */
function versionOf(ref: ContextRef, content: ContextReading['content']): string {
  if (ref.kind === 'selection') {
    const document = findTextDocument(uriOf(ref.path)?.toString() ?? '');
    return document === undefined || document.getText().includes(ref.text) ? 'there' : 'changed';
  }
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function uriOf(path: string): vscode.Uri | undefined {
  try {
    return fromClientPath(path);
  } catch {
    return undefined; // the file is outside the workspace, and not open any more
  }
}

function watchRef(ref: ContextRef, editor: () => Promise<EditorPort>, onChange: () => void): Disposable {
  const watching = new DisposableStore();
  void editor().then(
    (port) => watching.add(subscribe(ref, port, onChange)),
    () => undefined,
  );
  return watching;
}

function subscribe(ref: ContextRef, { documents, tests, terminals, workspace, ...editor }: EditorPort, onChange: () => void): Disposable {
  switch (ref.kind) {
    case 'file':
    case 'selection':
      return uriOf(ref.path) === undefined ? toDisposable(() => undefined) : documents.changesOf(ref.path)(onChange);
    case 'folder':
      return watchFolder(ref.path, onChange);
    case 'editors':
      return editor.onDidChangeOpenEditors(onChange);
    case 'diagnostics':
      return editor.onDidChangeDiagnostics(onChange);
    case 'tests':
      return tests.onDidChangeRun(onChange);
    case 'terminal':
      return terminals.onDidChangeTerminal(onChange);
    case 'changes':
      return workspace.onDidChangeGit(onChange);
  }
}

function watchFolder(path: string, onChange: () => void): Disposable {
  const uri = uriOf(path);
  if (uri === undefined) {
    return toDisposable(() => undefined);
  }
  const store = new DisposableStore();
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(uri, '**/*')));
  store.add(watcher.onDidChange(onChange));
  store.add(watcher.onDidCreate(onChange));
  store.add(watcher.onDidDelete(onChange));
  return store;
}

class ChangeCount {
  #count = 0;
  #until = 0;

  async read({ workspace }: EditorPort, isShown: (path: string) => boolean, signal: AbortSignal): Promise<number> {
    if (this.#until < performance.now()) {
      this.#until = performance.now() + keepCountMs;
      this.#count = await countChanges(workspace, isShown, signal);
    }
    return this.#count;
  }
}

async function countChanges(workspace: EditorPort['workspace'], isShown: (path: string) => boolean, signal: AbortSignal): Promise<number> {
  try {
    return (await workspace.getGitChanges({ summary: true, limit: 200, maxChars: 100_000, isShown }, signal)).changes.length;
  } catch {
    return 0; // there is no Git, or the caller has gone
  }
}

/** The most files that are listed at once. In a larger workspace what is typed is looked for instead. */
const maxListed = 5_000;
/** The most files that are found for what is typed, in a workspace too large to be listed whole. */
const maxFound = 300;
/** How long, in ms, a list of files is believed. */
const keepMs = 5_000;
/** Folders whose files are never offered. */
const skipped = '**/{node_modules,.git,.hg,.svn}/**';

interface Listing {
  readonly paths: readonly string[];
  readonly isWhole: boolean;
  readonly until: number;
}

/** Finds files of the workspace that may be meant by what is typed. What `files.exclude` hides is not offered. */
class WorkspaceFiles {
  #listing: Listing | undefined;

  async find(query: string, signal: AbortSignal): Promise<readonly string[]> {
    const listing = await this.#list(signal);
    if (listing.isWhole || query === '') {
      return listing.paths;
    }
    const found = await findFiles(`**/${looseGlob(query)}`, maxFound, signal);
    return [...new Set([...found, ...listing.paths])];
  }

  async #list(signal: AbortSignal): Promise<Listing> {
    const now = performance.now();
    if (this.#listing === undefined || this.#listing.until < now) {
      const paths = await findFiles('**/*', maxListed, signal);
      signal.throwIfAborted(); // a search that was stopped knows only a part
      this.#listing = { paths, isWhole: paths.length < maxListed, until: now + keepMs };
    }
    return this.#listing;
  }
}

/** The folders of these paths, each once, in the order of the paths. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) {
        break;
      }
      folders.add(folder);
    }
  }
  return [...folders];
}

/** A glob that matches names with these letters in this order: `ab` becomes `*[aA]*[bB]*`. */
function looseGlob(query: string): string {
  const letters = Array.from(query.slice(0, 40)).map((letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return /[\p{L}\p{N}_.-]/u.test(letter) ? (lower === upper ? letter : `[${lower}${upper}]`) : '*';
  });
  return `*${letters.join('*')}*`;
}

async function findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
  const cancel = new vscode.CancellationTokenSource();
  const stop = (): void => cancel.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const uris = await vscode.workspace.findFiles(pattern, skipped, limit, cancel.token);
    return uris.map(toClientPath);
  } finally {
    signal.removeEventListener('abort', stop);
    cancel.dispose();
  }
}
