import * as nodePath from 'node:path';
import { type ClientPlace, hasOneSpelling, parseClientPath, parseUri, pathNotFound } from '../../../platform/paths/clientPath.ts';
import { ownSchemes } from '../../../contract/identity.ts';
import { isOnAnotherMachine } from '../../../platform/paths/pathReach.ts';
import { RealPaths } from '../../../platform/paths/realPath.ts';
import { secretLine } from '../../../secrets/findSecrets.ts';
import { hideSecrets, redactPart, redactSecrets } from '../../../secrets/redactSecrets.ts';
import { hasSensitiveName, leadsThroughSensitiveFolder } from '../../../secrets/secretNames.ts';
import type { TextPart } from '../ports/documentsPort.ts';
import type { SeenFolder } from '../ports/editorPort.ts';
import type { ClientGrants } from '../viewer.ts';

/** Decides what one client may see. All wrapped ports of the editor ask it. */
export interface Visibility {
  /** Whether a client may see a path, whether or not the path exists. */
  readonly isShown: (clientPath: string) => boolean;
  /** Whether a text is a path of this workspace at all, of a file that is there or not, shown or withheld. */
  readonly isPath: (clientPath: string) => boolean;
  /** Replaces the secrets in a text by `[redacted]`. It is for short texts, because it does not pause. */
  readonly redact: (text: string) => string;
  /** Redacts a part of a text of any length; the text around the part helps to recognize secrets in it. */
  readonly redactPart: (text: string, part: TextPart) => Promise<string>;
  /** Replaces each character of a secret by `hiddenCharacter`, so that positions in the text stay the same. */
  readonly hide: (text: string) => Promise<string>;
  /** A pattern for lines of files that may hold a secret; none for a client that sees secrets. */
  readonly secretLine: string | undefined;
}

export interface VisibilityOptions {
  readonly folders: () => readonly SeenFolder[];
  /** Folders that no outside client ever sees, whatever the workspace is: the editor's own data and `DUPLEX_HOME`. */
  readonly neverShown: readonly string[];
  readonly grants: ClientGrants;
  /** Whether the policy denies a path to this client; by default none. */
  readonly isDenied?: ((clientPath: string) => boolean) | undefined;
  readonly realPaths?: RealPaths | undefined;
}

/** Schemes that are never shown: settings, logs and storage of the editor and its extensions, and what other servers gave to the person. */
const neverSchemes: ReadonlySet<string> = new Set([
  'vscode-userdata',
  'vscode-local',
  'output',
  'log',
  'vscode-log',
  'vscode-settings',
  ...Object.values(ownSchemes),
]);

/** Schemes of documents that are made from a file whose path is in their URI. */
const schemesOverFiles: ReadonlySet<string> = new Set(['untitled', 'vscode-notebook-cell', 'git']);

export function createVisibility(options: VisibilityOptions): Visibility {
  const judge = new Judge(options);
  return {
    isShown: (clientPath) => judge.isShown(clientPath),
    isPath: (clientPath) => parseClientPath(clientPath, options.folders()) !== undefined,
    redact: options.grants.sensitive ? (text) => text : redactSecrets,
    redactPart: options.grants.sensitive ? (text, { from, to }) => Promise.resolve(text.slice(from, to)) : redactPart,
    hide: options.grants.sensitive ? (text) => Promise.resolve(text) : hideSecrets,
    secretLine: options.grants.sensitive ? undefined : secretLine,
  };
}

interface Layout {
  readonly until: number;
  readonly folders: readonly SeenFolder[];
  readonly realRoots: readonly string[];
  readonly allRoots: readonly string[];
  /** The folders that are never shown, folded for a comparison that ignores case. */
  readonly never: readonly string[];
}

/** How long, in ms, it is not looked up again where the workspace folders really are, because they may be links. It is asked for with each path of a list. */
const keepMs = 5;
/** The most paths whose verdict is cached. */
const maxKept = 50_000;
/** Longer paths are not cached: only an attacker writes them, and cached paths stay for long. */
const maxKeptPath = 1_000;

/** The cached verdict about a path; it counts as long as the path still leads to the same real path. */
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
   * The verdicts by client path. A list may have ten thousand paths: what their names say is cached, and only where they lead is
   * looked up each time, so that a moved link is noticed at once.
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
    // A name that the disk may spell in several ways can mean another file later, so it is not cached.
    if (real !== undefined && clientPath.length <= maxKeptPath && hasOneSpelling(path)) {
      this.#kept.set(clientPath, { path, real, isShown });
    } else {
      this.#kept.delete(clientPath);
    }
  }

  /** The layout is made anew when the workspace folders change, and every few milliseconds, because folders may be links. */
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

function areSame(some: readonly SeenFolder[], others: readonly SeenFolder[]): boolean {
  const isSame = ({ name, uri }: SeenFolder, index: number): boolean => name === others[index]?.name && uri === others[index].uri;
  return some === others || (some.length === others.length && some.every(isSame));
}

/** Compares without regard to case: it is not known whether the disk distinguishes it, and nothing valuable is lost. */
function isNeverShown(path: string, never: readonly string[]): boolean {
  const folded = fold(path);
  return never.some((place) => isWithin(folded, place));
}

function isSensitive(path: string, roots: readonly string[]): boolean {
  const root = roots.find((candidate) => isWithin(path, candidate));
  return root === undefined ? hasSensitiveName(path) : hasSensitiveName(path.slice(root.length)) || leadsThroughSensitiveFolder(root);
}

function isInFolder({ scheme, authority, path }: Extract<ClientPlace, { kind: 'document' }>, folder: SeenFolder): boolean {
  const parts = parseUri(folder.uri);
  return (
    parts?.scheme === scheme &&
    parts.authority === authority &&
    (path === parts.path || path.startsWith(parts.path.endsWith('/') ? parts.path : `${parts.path}/`))
  );
}

/** Returns the paths that some schemes have in their query, as JSON or as plain text. */
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

/** Compares whole segments: `/demo-two` is not in `/demo`. Both paths are absolute and without `..`. */
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

/** Remembers the verdict about each path for one answer, in which thousands of places may lie in a few files. */
export function judgedOnce(isShown: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const shown = known.get(path) ?? isShown(path);
    known.set(path, shown);
    return shown;
  };
}
