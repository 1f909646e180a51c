import { isAbsolute, normalize, relative } from 'node:path';
import { AppError } from '../../../../src/base/errors.ts';
import { Emitter, type Event } from '../../../../src/base/events.ts';
import type {
  ChoosePart,
  ChooseSelected,
  DocumentsPort,
  DocumentText,
  EditorSelection,
  FoundPaths,
  ImageFile,
  OpenDocument,
  PathQuery,
  SelectedTexts,
  TextRange,
} from '../../../../src/server/seen/ports/documentsPort.ts';

export interface FakeFile {
  readonly text: string;
  readonly version?: string;
  readonly isDirty?: boolean;
  readonly languageId?: string;
  /** Where reading it really leads. */
  readonly realPath?: string;
  /** Makes it an image. */
  readonly base64?: string;
}

export interface FakeSelection {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  readonly version?: number;
  /** With what stands before and after it in the document. */
  readonly selections: readonly { readonly range: TextRange; readonly text: string; readonly before?: string; readonly after?: string }[];
}

/** Documents of one workspace folder, by their client paths. Links lead wherever a test says: here every name is a file. */
export class FakeDocuments implements DocumentsPort {
  root = '/demo';
  readonly files = new Map<string, FakeFile>([
    ['src/a.ts', { text: 'const count: number = "three";\n', version: 'v3', isDirty: true, languageId: 'typescript' }],
    ['README.md', { text: '# Demo\n', languageId: 'markdown' }],
  ]);
  documents: readonly OpenDocument[] = [{ path: 'src/a.ts', uri: 'file:///demo/src/a.ts', languageId: 'typescript' }];
  selection: FakeSelection | undefined = {
    path: 'src/a.ts',
    uri: 'file:///demo/src/a.ts',
    languageId: 'typescript',
    selections: [{ range: { start: { line: 1, character: 7 }, end: { line: 1, character: 12 } }, text: 'count' }],
  };
  /** Client paths somebody listens to now. */
  readonly watched: string[] = [];
  readonly didChange = new Emitter<string>();
  readonly didChangeSelection = new Emitter<void>();
  readonly didChangeDocuments = new Emitter<void>();
  readonly onDidChangeSelection = this.didChangeSelection.event;
  readonly onDidChangeDocuments = this.didChangeDocuments.event;

  read(path: string, _signal?: AbortSignal, choose?: ChoosePart): Promise<DocumentText> {
    const name = this.#clientPath(path);
    const file = this.files.get(name);
    if (file === undefined) {
      return Promise.reject(notFound(path));
    }
    const { text: whole, version = 'v1', isDirty = false, languageId = 'plaintext', realPath } = file;
    const { from, to } = choose?.(whole) ?? { from: 0, to: whole.length };
    const text = whole.slice(from, to);
    const uri = name.includes(':') ? name : `file://${this.root}/${name}`;
    return Promise.resolve({ path: name, uri, text, version, isDirty, languageId, ...(realPath !== undefined && { realPath }) });
  }

  readImage(path: string): Promise<ImageFile | undefined> {
    const name = this.#clientPath(path);
    const file = this.files.get(name);
    if (file === undefined) {
      return Promise.reject(notFound(path));
    }
    const { base64, version = 'v1', realPath } = file;
    return Promise.resolve(base64 === undefined ? undefined : { path: name, mimeType: 'image/png', size: 3, base64, version, realPath });
  }

  check(path: string): Promise<void> {
    return this.files.has(this.#clientPath(path)) ? Promise.resolve() : Promise.reject(notFound(path));
  }

  getSelection(): EditorSelection | undefined {
    if (this.selection === undefined) {
      return undefined;
    }
    const { selections, version = 1, ...place } = this.selection;
    return { ...place, version, ranges: selections.map(({ range }) => range) };
  }

  readSelection(choose: ChooseSelected): Promise<SelectedTexts | undefined> {
    const selection = this.getSelection();
    let whole = '';
    const selected = (this.selection?.selections ?? []).map(({ text, before = '', after = '' }) => {
      const from = whole.length + before.length;
      whole += `${before}${text}${after}`;
      return { from, to: from + text.length };
    });
    return Promise.resolve(selection && { ...selection, texts: choose(whole, selected).map(({ from, to }) => whole.slice(from, to)) });
  }

  listDocuments(): readonly OpenDocument[] {
    return this.documents;
  }

  findPaths({ prefix, limit, isShown = () => true }: PathQuery): Promise<FoundPaths> {
    const found = [...this.files.keys()].filter((path) => path.startsWith(prefix) && isShown(path));
    return Promise.resolve({ paths: found.sort().slice(0, limit), isComplete: found.length <= limit });
  }

  /** The state of every file. */
  state = '';

  stateOf(): string {
    return this.state;
  }

  changesOf(path: string): Event<void> {
    const name = this.#clientPath(path);
    return (listener) => {
      this.watched.push(name);
      const listening = this.didChange.event((changed) => {
        if (changed === name) {
          listener();
        }
      });
      return {
        dispose: () => {
          this.watched.splice(this.watched.indexOf(name), 1);
          listening.dispose();
        },
      };
    };
  }

  #clientPath(path: string): string {
    const plain = path.startsWith('file:') ? decodeURIComponent(path.slice('file://'.length)) : path;
    return isAbsolute(plain) ? relative(this.root, plain) : plain.includes(':') ? plain : normalize(plain);
  }
}

function notFound(path: string): AppError {
  return new AppError('editor.pathNotFound', `There is no "${path}" in this workspace.`, { args: { path } });
}
