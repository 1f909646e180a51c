import * as nodePath from 'node:path';
import { type ClientPlace, hasOneSpelling, parseClientPath, parseUri, pathNotFound } from '../../../platform/paths/clientPath.ts';
import { ownSchemes } from '../../../contract/identity.ts';
import { isOnAnotherMachine } from '../../../platform/paths/pathReach.ts';
import { RealPaths } from '../../../platform/paths/realPath.ts';
import { hideSecrets, redactPart, redactSecrets } from '../../../secrets/redactSecrets.ts';
import { hasSensitiveName, leadsThroughSensitiveFolder } from '../../../secrets/secretNames.ts';
import type { TextPart } from '../ports/documentsPort.ts';
import type { WorkspaceFolder } from '../ports/editorPort.ts';
import type { ClientGrants } from '../viewer.ts';

/** What one client may see. Every door between tools and the editor asks here. */
export interface Visibility {
  /** Of anything a client path can mean, whether or not it exists. */
  readonly isShown: (clientPath: string) => boolean;
  /** `text` with the secrets in it replaced by `[redacted]`, line by line. For what is short: it does not pause. */
  readonly redact: (text: string) => string;
  /** The same of a part of a text of any length; what stands around the part tells what is a secret in it. */
  readonly redactPart: (text: string, part: TextPart) => Promise<string>;
  /** `text` with `hiddenCharacter` for each one of its secrets, so that every place in it keeps its meaning. */
  readonly hide: (text: string) => Promise<string>;
}

export interface VisibilityOptions {
  readonly folders: () => readonly WorkspaceFolder[];
  /** Folders nobody outside ever sees into, whatever the workspace is: the editor's own data, `DUPLEX_HOME`. */
  readonly neverShown: readonly string[];
  readonly grants: ClientGrants;
  /** What the person's policy denies this client; left out: nothing. */
  readonly isDenied?: ((clientPath: string) => boolean) | undefined;
  readonly realPaths?: RealPaths | undefined;
}

/** Settings, logs and storage of the editor and its extensions, under names of their own; and what other servers gave the person. */
const neverSchemes: ReadonlySet<string> = new Set([
  'vscode-userdata',
  'vscode-local',
  'output',
  'log',
  'vscode-log',
  'vscode-settings',
  ...Object.values(ownSchemes),
]);

/** Documents made of a file whose path is in their URI. */
const schemesOverFiles: ReadonlySet<string> = new Set(['untitled', 'vscode-notebook-cell', 'git']);

export function createVisibility(options: VisibilityOptions): Visibility {
  const judge = new Judge(options);
  return {
    isShown: (clientPath) => judge.isShown(clientPath),
    redact: options.grants.sensitive ? (text) => text : redactSecrets,
    redactPart: options.grants.sensitive ? (text, { from, to }) => Promise.resolve(text.slice(from, to)) : redactPart,
    hide: options.grants.sensitive ? (text) => Promise.resolve(text) : hideSecrets,
  };
}

interface Layout {
  readonly until: number;
  readonly folders: readonly WorkspaceFolder[];
  readonly realRoots: readonly string[];
  readonly allRoots: readonly string[];
  /** Ready to be compared with a folded path. */
  readonly never: readonly string[];
}

const keepMs = 1_000;
const maxKept = 50_000;
/** Nobody but an attacker writes a longer one, and all that are kept stay for long. */
const maxKeptPath = 1_000;

/** What was found of a path, as long as the disk says the same of it. */
interface Kept {
  readonly path: string;
  readonly real: string;
  readonly isShown: boolean;
}

class Judge {
  readonly #options: VisibilityOptions;
  readonly #realPaths: RealPaths;
  #layout: Layout | undefined;
  /**
   * By client path. A list may have ten thousand: what their names say stays, and only where they lead is looked up each time, so
   * that a link which was moved is seen at once.
   */
  readonly #kept = new Map<string, Kept>();

  constructor(options: VisibilityOptions) {
    this.#options = options;
    this.#realPaths = options.realPaths ?? new RealPaths();
  }

  isShown(clientPath: string): boolean {
    const layout = this.#currentLayout();
    if (this.#options.isDenied?.(clientPath) === true) {
      return false;
    }
    const kept = this.#kept.get(clientPath);
    if (kept !== undefined && this.#realPaths.of(kept.path) === kept.real) {
      return kept.isShown;
    }
    const place = parseClientPath(clientPath, layout.folders, { realPaths: this.#realPaths });
    if (place === undefined) {
      return false;
    }
    if (place.kind === 'document') {
      return this.#isDocumentShown(place, layout);
    }
    const real = this.#realPaths.of(place.path);
    const isShown = real !== undefined && this.#isFileShown(place.path, real, layout);
    this.#keep(clientPath, place.path, real, isShown);
    return isShown;
  }

  #keep(clientPath: string, path: string, real: string | undefined, isShown: boolean): void {
    if (this.#kept.size >= maxKept) {
      this.#kept.clear();
    }
    // Other names may mean another file tomorrow: how they are spelled is looked up on the disk. A URI writes them in its own way.
    if (real !== undefined && clientPath.length <= maxKeptPath && hasOneSpelling(path)) {
      this.#kept.set(clientPath, { path, real, isShown });
    } else {
      this.#kept.delete(clientPath);
    }
  }

  /** Made anew when the folders are others, and now and then: they may be links. */
  #currentLayout(): Layout {
    const folders = this.#options.folders();
    const now = performance.now();
    if (this.#layout === undefined || !areSame(folders, this.#layout.folders) || this.#layout.until < now) {
      const roots = folders.filter(({ uri }) => uri.startsWith('file:')).map((folder) => withoutEnd(folder.path));
      const realRoots = roots.map((root) => this.#realPaths.of(root) ?? root);
      const never = this.#options.neverShown.flatMap((place) => [place, this.#realPaths.of(place) ?? place]);
      const folded = [...new Set(never.map((place) => fold(withoutEnd(place))))];
      const layout = { until: now + keepMs, folders, realRoots, allRoots: [...new Set([...roots, ...realRoots])], never: folded };
      if (!isSameLayout(layout, this.#layout)) {
        this.#kept.clear();
      }
      this.#layout = layout;
    }
    return this.#layout;
  }

  #isFileShown(path: string, real: string, { realRoots, allRoots, never }: Layout): boolean {
    const { grants } = this.#options;
    if (isNeverShown(path, never) || (real !== path && isNeverShown(real, never))) {
      return false;
    }
    return (
      (grants.outside || realRoots.some((root) => isWithin(real, root))) &&
      (grants.sensitive || !(isSensitive(path, allRoots) || (real !== path && isSensitive(real, realRoots))))
    );
  }

  #isDocumentShown(place: Extract<ClientPlace, { kind: 'document' }>, layout: Layout): boolean {
    const { grants, isDenied } = this.#options;
    const { scheme, path, query, fragment } = place;
    const files = [path, ...pathsIn(query), ...pathsIn(fragment)].map(withoutSlashBeforeDrive).filter((text) => nodePath.isAbsolute(text));
    const homes = layout.folders.map((folder) => folder.path);
    const isHidden = (file: string): boolean =>
      isOnAnotherMachine(file, homes) || this.#isNeverPlace(file, layout.never) || isDenied?.(nodePath.normalize(file)) === true;
    if (neverSchemes.has(scheme) || files.some(isHidden)) {
      return false;
    }
    if (!grants.sensitive && [path, ...query.split(/[^\w.~\\/-]/), ...fragment.split(/[^\w.~\\/-]/)].some(hasSensitiveName)) {
      return false;
    }
    if (grants.outside || layout.folders.some((folder) => isInFolder(place, folder))) {
      return true;
    }
    return (
      schemesOverFiles.has(scheme) &&
      (files.length > 0 || scheme !== 'git') &&
      files.every((file) => {
        const normal = nodePath.normalize(file);
        const real = this.#realPaths.of(normal);
        return real !== undefined && this.#isFileShown(normal, real, layout);
      })
    );
  }

  #isNeverPlace(file: string, never: readonly string[]): boolean {
    const normal = nodePath.normalize(file);
    const real = this.#realPaths.of(normal);
    return real === undefined || isNeverShown(normal, never) || isNeverShown(real, never);
  }
}

function isSameLayout(one: Layout, other: Layout | undefined): boolean {
  const known = ({ realRoots, allRoots, never }: Layout): string => JSON.stringify([realRoots, allRoots, never]);
  return other !== undefined && areSame(one.folders, other.folders) && known(one) === known(other);
}

function areSame(some: readonly WorkspaceFolder[], others: readonly WorkspaceFolder[]): boolean {
  const isSame = ({ name, uri }: WorkspaceFolder, index: number): boolean => name === others[index]?.name && uri === others[index].uri;
  return some === others || (some.length === others.length && some.every(isSame));
}

/** In any spelling: whether the disk tells cases apart is not known, and nothing of worth is lost. */
function isNeverShown(path: string, never: readonly string[]): boolean {
  const folded = fold(path);
  return never.some((place) => isWithin(folded, place));
}

function isSensitive(path: string, roots: readonly string[]): boolean {
  const root = roots.find((candidate) => isWithin(path, candidate));
  return root === undefined ? hasSensitiveName(path) : hasSensitiveName(path.slice(root.length)) || leadsThroughSensitiveFolder(root);
}

function isInFolder({ scheme, authority, path }: Extract<ClientPlace, { kind: 'document' }>, folder: WorkspaceFolder): boolean {
  const parts = parseUri(folder.uri);
  return (
    parts?.scheme === scheme &&
    parts.authority === authority &&
    (path === parts.path || path.startsWith(parts.path.endsWith('/') ? parts.path : `${parts.path}/`))
  );
}

/** The paths some schemes carry in their query, as JSON or as they are. */
function pathsIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.values(value).filter((member) => typeof member === 'string') : [];
  } catch {
    return text === '' ? [] : [text];
  }
}

function withoutSlashBeforeDrive(path: string): string {
  return nodePath.sep === '\\' ? path.replace(/^\/(?=[a-z]:)/i, '') : path;
}

/** By segment: `/demo-two` is not in `/demo`. Both are absolute and without `..`. */
function isWithin(path: string, folder: string): boolean {
  return (
    path.startsWith(folder) && (path.length === folder.length || path[folder.length] === nodePath.sep || folder.endsWith(nodePath.sep))
  );
}

function withoutEnd(path: string): string {
  const normal = nodePath.normalize(path);
  return normal.length > 1 && normal.endsWith(nodePath.sep) ? normal.slice(0, -1) : normal;
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

export function requireShown(path: string, visibility: Visibility): void {
  if (!visibility.isShown(path)) {
    throw pathNotFound(path);
  }
}

/** Thousands of places lie in a few files: within one answer each file is judged once. */
export function judgedOnce(isShown: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const shown = known.get(path) ?? isShown(path);
    known.set(path, shown);
    return shown;
  };
}
