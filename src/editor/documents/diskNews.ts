import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { Slices } from '../../base/slices.ts';
import { findTextDocument } from '../shared/openDocuments.ts';
import { isHeldAsOnDisk } from './checkedDocument.ts';
import { type DiskChange, DiskSweep, isSource, recentChangeOf, recentMs } from './diskSweep.ts';
import { missedMs } from './rereadDocument.ts';
import { bringBack, documentsWithoutFile, forgetRetired, isRetired, retire } from './retiredDocuments.ts';
import { rereadInPlace, staleAmong } from './staleDocuments.ts';

/**
 * How long, in ms, an extension may gather what it is told of files before it tells its language service: 100 for VS Code's own
 * one for TypeScript, 250 for those that are made with Microsoft's library.
 */
const gatherMs = { typescript: 150, other: 350 } as const;

/** How often, in ms, documents are compared with the disk while VS Code reads them anew. */
const lookMs = 50;

/** The shortest time, in ms, from one reading of whole projects to the next, and how many times as long as the last one took. */
const readAgain = { leastMs: 2_000, times: 3 } as const;

/** The most files of each kind of change that are remembered; the oldest are forgotten. */
const maxTold = 20_000;

/** How often something is asked while files change. */
const maxTries = 3;

/** What may declare a symbol that somebody looks for in the whole workspace; texts and data that are written all the time do not count. */
const codeFile = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift)$/i;
const typescriptFile = /\.(?:[cm]?[jt]sx?|json|vue|svelte)$/i;
/** What the TypeScript service answers for by itself. */
const typescriptSource = /\.[cm]?[jt]sx?$/i;

/** The most files of which the service is asked, in one look, whether it still has them: those that are told last. */
const maxAsked = 8;

/** How long, in ms, the service is waited for when it has not answered the last time: perhaps it never does. */
const silentMs = 500;

/** What the TypeScript service has of the disk. */
export interface ServiceFiles {
  /** Lets it read its projects from the disk, whatever it was told. */
  readonly readAgain: () => Promise<void>;
  /** Whether it still has a file that is gone. It may have read it as an empty one, since it hears first that the file changed. */
  readonly stillHas: (uri: vscode.Uri) => Promise<boolean>;
}

/** What a language service has to know of the disk. */
interface DiskInterest {
  /** The file that is asked about: what is near it is looked at first, and what it cannot depend on does not matter. */
  readonly uri?: vscode.Uri | undefined;
  readonly isTypescript: boolean;
}

interface DiskKnowledge {
  /** When the disk was looked at, in ms since 1970. */
  readonly at: number;
  /** The files that changed on the disk, which a language service may not know yet. */
  readonly behind: readonly vscode.Uri[];
  /** The files that are gone, which somebody still sees in VS Code, so that language services take them for present. */
  readonly held: readonly vscode.Uri[];
}

interface SteadyAnswer<T> extends Omit<DiskKnowledge, 'at'> {
  readonly answer: T;
}

/**
 * Compares what VS Code has been told of the disk with the disk itself. VS Code hears of a change after a few tenths of a second,
 * language services after that; until then their answers are about files as they were.
 */
export class DiskNews implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #heard = this.#lifetime.add(new Emitter<void>());
  readonly #sweep = new DiskSweep();
  /** When VS Code last told of each file and folder, by what it told. */
  readonly #told = { changed: new Map<string, number>(), created: new Map<string, number>(), gone: new Map<string, number>() };
  /** The open files that are gone as far as VS Code has told, and those of which it told since that they are there. */
  readonly #openFiles = { gone: new Set<string>(), back: new Set<string>() };
  /** The files that are gone for the TypeScript service too, and when they went. */
  readonly #goneForService = new Map<string, number>();
  readonly #typescript: ServiceFiles;
  /** Whether the TypeScript service said nothing in time when it was asked last, and nothing since. */
  #isServiceSilent = false;
  #lastRead = { at: -Infinity, tookMs: 0, isOver: true };
  #era = 0;

  constructor(typescript: ServiceFiles) {
    this.#typescript = typescript;
    const watcher = this.#lifetime.add(vscode.workspace.createFileSystemWatcher('**/*'));
    this.#lifetime.add(watcher.onDidChange((uri) => this.#tell(uri, 'changed')));
    this.#lifetime.add(watcher.onDidCreate((uri) => this.#tell(uri, 'created')));
    this.#lifetime.add(watcher.onDidDelete((uri) => this.#tell(uri, 'gone')));
    const next = ({ uri }: vscode.TextDocument): void => void (this.#era += isSource(uri.path) ? 1 : 0);
    this.#lifetime.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && next(document)),
    );
    this.#lifetime.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#noteEarly(uri)));
    this.#lifetime.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        next(document);
        forgetRetired(document);
        this.#openFiles.gone.delete(document.uri.fsPath);
        this.#openFiles.back.delete(document.uri.fsPath);
      }),
    );
  }

  /** Another number after every change of a source text that VS Code knows of: what was said before is not known to be true still. */
  get era(): number {
    return this.#era;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Waits until VS Code, and with it the language service, knows of what the disk has now; no longer than `waitMs`. */
  async #catchUp(interest: DiskInterest, waitMs: number, signal: AbortSignal): Promise<DiskKnowledge> {
    const began = performance.now();
    const deadline = began + waitMs;
    const at = Date.now();
    let changes = await this.#recent(interest);
    let gone: readonly DiskChange[] = interest.isTypescript ? changes.filter(isSourceGone) : [];
    let wasAsked = false;
    for (;;) {
      changes = await this.#stillUntold(changes, interest);
      const lost = interest.isTypescript ? this.#lost() : [];
      const stale = await staleAmong([...unmodifiedDocuments().values()].filter(({ uri }) => matters(uri.fsPath, interest)));
      // Asked once all is told: before, the service has them for sure.
      gone = changes.length === 0 ? await this.#stillHad(gone, wasAsked, deadline, signal) : gone;
      wasAsked ||= changes.length === 0;
      const untold = [...changes, ...lost, ...(changes.length === 0 ? gone.map((change) => ({ ...change, at: Infinity })) : [])];
      const left = deadline - performance.now();
      if (untold.length + stale.length === 0 || left <= 0) {
        const behind = [...untold.map(({ path: file }) => vscode.Uri.file(file)), ...stale.map(({ uri }) => uri)];
        return { at, behind, held: await stillHeld(interest) };
      }
      const isMissed = performance.now() > began + missedMs;
      await this.#makeUpFor(isMissed ? untold : lost);
      await Promise.all(isMissed ? stale.map(rereadInPlace) : []);
      await this.#nextNews(Math.min(lookMs, left), signal);
    }
  }

  /** Waits until VS Code has told of a file that is not open yet. Language services may never find one that is opened before. */
  async whenTold(uri: vscode.Uri, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + missedMs;
    const isUntold = async (): Promise<boolean> => {
      const changes = uri.scheme !== 'file' || findTextDocument(uri.toString()) !== undefined ? [] : recentChangeOf(uri.fsPath);
      return (await this.#stillUntold(changes, { isTypescript: typescriptFile.test(uri.path) })).length > 0;
    };
    while (performance.now() < deadline && (await isUntold())) {
      await this.#nextNews(lookMs, signal);
    }
  }

  /**
   * Asks something that depends on several files, once VS Code knows of what the disk has. Asks again if one of them changes
   * meanwhile: half of the answer might be about the file as it was.
   */
  async steadily<T>(
    interest: DiskInterest,
    waitMs: number,
    signal: AbortSignal,
    ask: () => Promise<T>,
    most = maxTries,
  ): Promise<SteadyAnswer<T>> {
    const deadline = performance.now() + waitMs;
    for (let tries = 1; ; tries += 1) {
      const { at, behind, held } = await this.#catchUp(interest, deadline - performance.now(), signal);
      const asked = performance.now();
      const answer = await ask();
      if (!this.#lastRead.isOver) {
        this.#lastRead = { ...this.#lastRead, tookMs: performance.now() - asked, isOver: true };
      }
      const changed = (await this.#recent(interest)).filter((change) => change.at >= at).map(({ path: file }) => vscode.Uri.file(file));
      if (changed.length === 0 || tries >= most) {
        return { answer, behind: [...behind, ...changed], held };
      }
    }
  }

  async #makeUpFor(missed: readonly DiskChange[]): Promise<void> {
    const files = missed.filter(
      (change) => (this.#toldAt(change) ?? 0) < change.at && (change.isFolder || typescriptFile.test(change.path)),
    );
    const { at, tookMs } = this.#lastRead;
    if (files.length > 0 && performance.now() > at + Math.max(readAgain.leastMs, readAgain.times * tookMs)) {
      this.#lastRead = { at: performance.now(), tookMs, isOver: false };
      await this.#typescript.readAgain();
      this.#openFiles.back.clear();
      files.forEach(({ path: file, kind }) => this.#tell(vscode.Uri.file(file), kind));
    }
  }

  /**
   * Finds the files that the TypeScript service still has, although VS Code has told that they are gone: they have to be told again. What it
   * had a moment ago, when it was asked before, it has until it says otherwise.
   */
  async #stillHad(gone: readonly DiskChange[], wasAsked: boolean, deadline: number, signal: AbortSignal): Promise<readonly DiskChange[]> {
    const asked = gone.slice(-maxAsked).filter(({ path: file, at }) => {
      const isOpen = findTextDocument(vscode.Uri.file(file).toString()) !== undefined;
      return this.#goneForService.get(file) !== at && !isOpen && !existsSync(file);
    });
    const most = this.#isServiceSilent ? silentMs : Infinity;
    const had = await Promise.all(
      asked.map(async (change) => {
        const answer = this.#askWhetherHad(change);
        const isHad = await atMost(answer, Math.max(0, Math.min(most, deadline - performance.now())), signal);
        // A service that says nothing in time is busy with what it has to do first anyway, and answers questions after that.
        this.#isServiceSilent ||= isHad === undefined;
        return (isHad ?? wasAsked) ? [change] : [];
      }),
    );
    const surplus = Math.max(0, this.#goneForService.size - maxTold);
    [...this.#goneForService.keys()].slice(0, surplus).forEach((file) => this.#goneForService.delete(file));
    return had.flat();
  }

  /** The answer counts also when it comes too late for whoever asked: that nothing was said yet does not mean that the file is gone. */
  async #askWhetherHad({ path: file, at }: DiskChange): Promise<boolean> {
    const isHad = await this.#typescript.stillHas(vscode.Uri.file(file));
    this.#isServiceSilent = false;
    if (!isHad) {
      this.#goneForService.set(file, at);
    }
    return isHad;
  }

  /** Files that the service may have lost. There is no other news of them than that it read its projects again. */
  #lost(): DiskChange[] {
    return [...this.#openFiles.back].map((file) => ({ path: file, kind: 'changed', isFolder: false, at: Infinity }));
  }

  /** A file that was opened before VS Code told that it has come was gone until then, for the TypeScript service. */
  #noteEarly(uri: vscode.Uri): void {
    const [change] = uri.scheme === 'file' && typescriptFile.test(uri.path) ? recentChangeOf(uri.fsPath) : [];
    const toldAt = change === undefined ? undefined : (this.#toldAt(change) ?? 0);
    if (change === undefined || toldAt === undefined) {
      return;
    }
    if (toldAt < change.at) {
      this.#openFiles.gone.add(uri.fsPath);
    } else if (toldAt > Date.now() - gatherMs.typescript && this.#told.created.get(uri.fsPath) === toldAt) {
      this.#openFiles.back.add(uri.fsPath);
    }
  }

  /**
   * An open file that was gone and came back belongs to no project of the TypeScript service, unless somebody imports it, until
   * another file comes or goes: only then does the service look again which files a project has.
   */
  #follow(uri: vscode.Uri, kind: 'created' | 'gone'): void {
    const { gone, back } = this.#openFiles;
    if (kind === 'created' && gone.size + back.size === 0) {
      return; // thousands may come at once
    }
    if (findTextDocument(uri.toString()) === undefined || isRetired(uri)) {
      back.clear();
    } else if (kind === 'gone') {
      gone.add(uri.fsPath);
    } else if (gone.delete(uri.fsPath)) {
      back.add(uri.fsPath);
    }
  }

  async #recent(interest: DiskInterest): Promise<readonly DiskChange[]> {
    const roots = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
    const near = interest.uri?.scheme === 'file' ? path.dirname(interest.uri.fsPath) : undefined;
    return (await this.#sweep.look(roots, near)).filter((change) => change.isFolder || matters(change.path, interest));
  }

  async #stillUntold(changes: readonly DiskChange[], { isTypescript }: DiskInterest): Promise<readonly DiskChange[]> {
    const margin = isTypescript ? gatherMs.typescript : gatherMs.other;
    const until = Date.now() - margin;
    const untold: DiskChange[] = [];
    const held = changes.length === 0 ? undefined : unmodifiedDocuments();
    const slices = new Slices();
    for (const change of changes) {
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
      const toldAt = this.#toldAt(change);
      if (toldAt === undefined || toldAt < change.at || toldAt > until || !(await isTakenIn(change, held?.get(change.path)))) {
        untold.push(change);
      }
    }
    return untold;
  }

  /** When VS Code told of this. Of what is in a folder that came or went it tells only the folder. */
  #toldAt({ path: place, kind }: DiskChange): number | undefined {
    const { changed, created, gone } = this.#told;
    // A file that is gone again by now was perhaps never told to have come.
    const tellers = kind === 'gone' ? [gone] : [created, gone];
    const times = kind === 'gone' ? [] : [changed.get(place)];
    for (let each = place; each !== path.dirname(each); each = path.dirname(each)) {
      times.push(...tellers.map((told) => told.get(each)));
    }
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  #tell(uri: vscode.Uri, kind: 'changed' | 'created' | 'gone'): void {
    const now = Date.now();
    const told = this.#told[kind];
    told.delete(uri.fsPath);
    told.set(uri.fsPath, now);
    for (const [place, at] of told) {
      if (at > now - 2 * recentMs && told.size <= maxTold) {
        break;
      }
      told.delete(place);
    }
    if (kind !== 'changed' && typescriptFile.test(uri.path)) {
      this.#follow(uri, kind);
    }
    this.#era += isSource(uri.path) || path.extname(uri.path) === '' ? 1 : 0;
    if (kind !== 'gone' && isRetired(uri)) {
      // Not at once: the TypeScript service does not find a file that is opened before it is told that the file has come.
      setTimeout(() => void bringBack(uri), gatherMs.other);
    }
    this.#heard.fire();
  }

  async #nextNews(milliseconds: number, signal: AbortSignal): Promise<void> {
    let listening: Disposable | undefined;
    try {
      await atMost(new Promise<void>((resolve) => (listening = this.#heard.event(resolve))), milliseconds, signal);
    } finally {
      listening?.dispose();
    }
  }
}

/** Whether it is a file that the TypeScript service answers for, and that is gone. */
function isSourceGone({ path: file, kind, isFolder }: DiskChange): boolean {
  return kind === 'gone' && !isFolder && typescriptSource.test(file);
}

function matters(file: string, { uri, isTypescript }: DiskInterest): boolean {
  if (isTypescript) {
    return typescriptFile.test(file);
  }
  return uri === undefined ? codeFile.test(file) : path.extname(file) === path.extname(uri.path);
}

function unmodifiedDocuments(): Map<string, vscode.TextDocument> {
  const documents = vscode.workspace.textDocuments.filter(({ uri, isDirty, isClosed }) => uri.scheme === 'file' && !isDirty && !isClosed);
  return new Map(documents.map((document) => [document.uri.fsPath, document]));
}

/** Whether the document of a file that changed, if VS Code holds one, has been read anew. */
async function isTakenIn({ kind }: DiskChange, document: vscode.TextDocument | undefined): Promise<boolean> {
  return kind === 'gone' || document === undefined || isHeldAsOnDisk(document);
}

/** The files that are gone, but not for a language service, because somebody sees their text. Others are taken from it. */
async function stillHeld(interest: DiskInterest): Promise<vscode.Uri[]> {
  const held: vscode.Uri[] = [];
  for (const document of documentsWithoutFile().filter(({ uri }) => matters(uri.fsPath, interest))) {
    held.push(...((await retire(document)) ? [] : [document.uri]));
  }
  return held;
}
