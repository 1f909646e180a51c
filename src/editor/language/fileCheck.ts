import * as path from 'node:path';
import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { isAppError } from '../../base/errors.ts';
import { collectInSlices } from '../../base/slices.ts';
import type { CheckAnswer, CheckQuery, DiagnosticEntry, DiagnosticsAnswer, DiagnosticsQuery } from '../../server/seen/ports/editorPort.ts';
import { checkedDocument } from '../documents/checkedDocument.ts';
import type { DiskNews } from '../documents/diskNews.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { describe, judgeOf } from './editorDiagnostics.ts';
import { askTypescriptOfClosed, isOfTypescript, type SaidDiagnostic } from './typescriptService.ts';

/** Asks about one file, which is loaded if it is not open. */
type AskAboutFile = (query: DiagnosticsQuery, signal: AbortSignal) => Promise<DiagnosticsAnswer>;

/** How many files are asked about at the same time: enough to keep a service busy, few enough to stop soon. */
const atOnce = 8;
/** How many files are looked at on the disk, or loaded, at the same time. */
const onDiskAtOnce = 32;
/** How long, in ms, to wait for the service to hear of what has just changed on the disk. */
const catchUpMs = 5_000;
/** The most files of a kind that are loaded in one check because their service speaks only of open files. */
const maxLoaded = 60;
/** How long, in ms, to wait for a service that has to start and to read its project. */
const startMs = 15_000;
/** How long, in ms, to wait for the report on a file that is open or was loaded. */
const reportMs = 2_000;
/** The most files that are named as not reported on. */
const maxUnheard = 5;
/** The most diagnostics of one check. */
const maxFound = 50_000;

const typescript = 'ts';
const typescriptFile = /\.[cm]?[jt]sx?$/i;
/** Files of other languages that have a service for single files in VS Code itself, or often another one. */
const loadedFile = /\.(jsonc?|css|scss|less|html?)$/i;
const sourceFile = /\.(py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift|vue|svelte)$/i;

/** Checks files in their order: those of JavaScript and TypeScript closed as they are, others as far as their service speaks of them. */
export async function checkFiles(query: CheckQuery, ask: AskAboutFile, disk: DiskNews, signal: AbortSignal): Promise<CheckAnswer> {
  // Once only: a check of many files takes long, and is said to be unsure where one of them changed meanwhile.
  const check = (): Promise<CheckAnswer> => new FileCheck(query, ask, signal).run();
  const { answer, behind, held } = await disk.steadily({ isTypescript: true }, catchUpMs, signal, check, 1);
  const unheard = new Set([...answer.unheard, ...[...behind, ...held].map(toClientPath)]);
  return { ...answer, unheard: [...unheard].slice(0, maxUnheard) };
}

interface Looked {
  readonly path: string;
  readonly entries: readonly DiagnosticEntry[];
}

class FileCheck {
  readonly #query: CheckQuery;
  readonly #ask: AskAboutFile;
  readonly #signal: AbortSignal;
  readonly #deadline: number;
  readonly #judge: ReturnType<typeof judgeOf>;
  readonly #open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  readonly #othersToLoad = new Set<string>();
  #othersLoaded: Promise<void> = Promise.resolve();
  readonly #loadedOf = new Map<string, number>();
  /** The kinds of files whose service said nothing in time, and how many files of each ending there are. */
  readonly #silentKinds = new Set<string>();
  readonly #silent = new Map<string, number>();
  readonly #unheard: string[] = [];
  readonly #documents: DiagnosticsAnswer['documents'][number][] = [];
  /**
   * What the service is asked just now, each with a token of its own: VS Code's service never forgets a token, and writes a file for
   * every question with one that is cancelled, also for those that it answered long ago.
   */
  readonly #asking = new Set<vscode.CancellationTokenSource>();
  #unloaded = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(query: CheckQuery, ask: AskAboutFile, signal: AbortSignal) {
    this.#query = query;
    this.#ask = ask;
    this.#signal = signal;
    this.#deadline = performance.now() + query.timeMs;
    this.#judge = judgeOf(query);
  }

  async run(): Promise<CheckAnswer> {
    const cancel = (): void => this.#asking.forEach((source) => source.cancel());
    this.#signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#signal.throwIfAborted();
      return await this.#check(await this.#filesToCheck());
    } finally {
      this.#signal.removeEventListener('abort', cancel);
      cancel(); // what was asked and came too late
    }
  }

  async #check(indices: readonly number[]): Promise<CheckAnswer> {
    const { files, limit, onProgress } = this.#query;
    const chosen = indices.map((index) => files[index] ?? '');
    this.#loadOthers(chosen);
    let skip = this.#query.skip;
    let total = 0;
    let checked = 0;
    const diagnostics: DiagnosticEntry[] = [];
    for (let from = 0; from < chosen.length && this.#leftMs > 0 && total < maxFound;) {
      const looked = await Promise.all(chosen.slice(from, from + atOnce).map((file) => this.#look(file)));
      this.#signal.throwIfAborted();
      if (looked.includes('late')) {
        break;
      }
      for (const each of looked as readonly Looked[]) {
        const entries = each.path === files[0] ? each.entries.slice(skip) : each.entries;
        skip = 0;
        total += entries.length;
        diagnostics.push(...entries.slice(0, Math.max(0, limit - diagnostics.length)));
      }
      from += atOnce;
      checked = from >= chosen.length ? files.length : (indices[from - 1] ?? 0) + 1;
      onProgress?.(checked);
    }
    return {
      diagnostics,
      documents: this.#documents,
      total,
      checked: chosen.length === 0 ? files.length : checked,
      silent: [...this.#silent].map(([ending, count]) => ({ ending, count })),
      unloaded: this.#unloaded,
      unheard: this.#unheard.slice(0, maxUnheard),
    };
  }

  get #leftMs(): number {
    return this.#deadline - performance.now();
  }

  /** The files that somebody can say something of: by their language, or because somebody has. */
  async #filesToCheck(): Promise<number[]> {
    const { files } = this.#query;
    const known = vscode.languages.getDiagnostics();
    const reported = new Set(await collectInSlices(known, ([uri, entries]) => (entries.length > 0 ? toClientPath(uri) : undefined)));
    const isChosen = (file: string): boolean => kindOf(file) !== undefined || reported.has(file);
    return collectInSlices([...files.keys()], (index) => (isChosen(files[index] ?? '') ? index : undefined));
  }

  /** Begins to load files of languages whose services speak of open files alone, so that they have spoken when it is their turn. */
  #loadOthers(files: readonly string[]): void {
    const uris = files.flatMap((file) => {
      const kind = kindOf(file);
      return kind !== undefined && kind !== typescript && this.#mayLoad(kind) ? [fromClientPath(file)] : [];
    });
    uris.forEach((uri) => this.#othersToLoad.add(uri.toString()));
    this.#othersLoaded = inTurns(uris, async (uri) => (this.#signal.aborted || this.#leftMs <= 0 ? undefined : this.#load(uri)));
  }

  /** Counts a file that has to be loaded; false when there were enough. */
  #mayLoad(kind: string): boolean {
    const before = this.#loadedOf.get(kind) ?? 0;
    this.#loadedOf.set(kind, before + 1);
    return before < maxLoaded;
  }

  async #load(uri: vscode.Uri): Promise<void> {
    try {
      const look = { path: toClientPath(uri), isShown: this.#query.isShown, signal: this.#signal };
      await atMost(checkedDocument(uri, look), this.#leftMs, this.#signal);
      this.#open.add(uri.toString());
    } catch {
      // It is gone, no text or not to be seen; whoever asks about it says so.
    }
  }

  /** What is said of a file; `late` when the time was up before. */
  async #look(file: string): Promise<Looked | 'late'> {
    const uri = fromClientPath(file);
    const kind = kindOf(file);
    if (this.#othersToLoad.has(uri.toString())) {
      await this.#othersLoaded;
    }
    if (kind === undefined || uri.scheme !== 'file') {
      return this.#known(file, uri);
    }
    if (this.#silentKinds.has(kind)) {
      return this.#unchecked(file, uri, kind);
    }
    if (this.#open.has(uri.toString())) {
      return this.#loaded(file, kind, kind === typescript ? 0 : reportMs);
    }
    if (kind !== typescript) {
      return this.#unchecked(file, uri, kind);
    }
    const said = await this.#closed(uri);
    return said === undefined ? this.#inTurn(() => this.#ofUnknownProject(file, uri)) : this.#known(file, uri, said);
  }

  async #closed(uri: vscode.Uri): Promise<readonly SaidDiagnostic[] | undefined> {
    const withHints = this.#query.severity === undefined || this.#query.severity === 'hint';
    const source = new vscode.CancellationTokenSource();
    this.#asking.add(source);
    const said = askTypescriptOfClosed(uri, withHints, source.token).finally(() => this.#asking.delete(source));
    return atMost(said, this.#leftMs, this.#signal);
  }

  /**
   * Opens a file of which the TypeScript service knew nothing, so that it reads the file's project. One file after the other: after
   * the first of a project it knows the others.
   */
  async #ofUnknownProject(file: string, uri: vscode.Uri): Promise<Looked | 'late'> {
    if (this.#silentKinds.has(typescript)) {
      return this.#unchecked(file, uri, typescript);
    }
    const isFirst = !this.#loadedOf.has(typescript);
    const said = isFirst ? undefined : await this.#closed(uri);
    if (said !== undefined) {
      return this.#known(file, uri, said);
    }
    if (this.#leftMs <= 0) {
      return 'late';
    }
    return this.#mayLoad(typescript) ? this.#loaded(file, typescript, isFirst ? startMs : 0) : this.#unchecked(file, uri, typescript);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** What the service says of a file that is open, or is opened for this. */
  async #loaded(file: string, kind: string, waitMs: number): Promise<Looked | 'late'> {
    const { severity, source, isShown } = this.#query;
    const wait = Math.max(0, Math.min(waitMs, this.#leftMs - reportMs));
    try {
      const answer = await atMost(
        this.#ask({ path: file, severity, source, isShown, waitMs: wait }, this.#signal),
        this.#leftMs,
        this.#signal,
      );
      if (answer === undefined) {
        return 'late';
      }
      this.#documents.push(...answer.documents);
      if (!answer.settled) {
        this.#notHeard(file, kind, waitMs > 0);
      }
      return { path: file, entries: answer.diagnostics };
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!isAppError(error)) {
        throw error;
      }
      return { path: file, entries: [] }; // gone since it was listed, no text, or behind the disk for too long
    }
  }

  #notHeard(file: string, kind: string, wasPatient: boolean): void {
    if (wasPatient) {
      this.#silentKinds.add(kind);
      this.#countSilent(file);
    } else {
      this.#unheard.push(file);
    }
  }

  /** Counts a file that is left out. Data and styles are not: the compiler of a project does not look at them either. */
  #countSilent(file: string): void {
    const ending = endingOf(file);
    if (!loadedFile.test(file)) {
      this.#silent.set(ending, (this.#silent.get(ending) ?? 0) + 1);
    }
  }

  #unchecked(file: string, uri: vscode.Uri, kind: string): Looked {
    if (this.#silentKinds.has(kind)) {
      this.#countSilent(file);
    } else if ((this.#loadedOf.get(kind) ?? 0) > maxLoaded) {
      this.#unloaded += 1;
    }
    return this.#known(file, uri);
  }

  /** What is known of a file that is not open: what its service said just now, and what others have reported. */
  #known(file: string, uri: vscode.Uri, said?: readonly SaidDiagnostic[]): Looked {
    const others = vscode.languages.getDiagnostics(uri).filter((entry) => said === undefined || !isOfTypescript(entry));
    const judged = this.#judge({ uri, path: file, entries: [...(said ?? []), ...others] });
    const ordered = [...(judged?.entries ?? [])].sort((a, b) => a.range.start.compareTo(b.range.start));
    return { path: file, entries: ordered.map((entry) => describe(file, entry)) };
  }
}

function endingOf(file: string): string {
  return path.posix.extname(file).toLowerCase();
}

/** The kind of a file by which is decided how to ask about it; `undefined` where no service is known to speak of such files. */
function kindOf(file: string): string | undefined {
  if (/(?:^|\/)node_modules\//.test(file)) {
    return undefined;
  }
  if (typescriptFile.test(file)) {
    return typescript;
  }
  return loadedFile.test(file) || sourceFile.test(file) ? endingOf(file) : undefined;
}

/** Does the work for all items, some at a time. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += onDiskAtOnce) {
    await Promise.all(items.slice(from, from + onDiskAtOnce).map(work));
  }
}
