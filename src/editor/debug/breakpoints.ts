import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { isJsonObject } from '../../base/json.ts';
import type {
  DebugBreakpoints,
  ListedBreakpoint,
  PlacedBreakpoint,
  SetBreakpoint,
  WantedBreakpoint,
} from '../../server/seen/ports/debugPort.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { debugError } from './debugErrors.ts';
import type { LogMarks } from './logMarks.ts';

/** How long, in ms, a debugger that runs may take to say what it made of a breakpoint. */
const takenMs = 2_000;
/** The pause, in ms, before the debuggers are asked about a breakpoint again. */
const lookMs = 50;
/** How long, in ms, one debug session may take to say what it made of a breakpoint. */
const askMs = 1_000;
/** The most breakpoints that a client may have. */
const maxOwn = 500;
/** The most characters of what a debugger says of a breakpoint. */
const maxMessage = 500;

/** What a debugger made of a breakpoint. */
interface Binding {
  readonly isVerified: boolean;
  readonly line?: number | undefined;
  readonly message?: string | undefined;
}

/** Keeps whose breakpoint is whose: a client's go with it, and the person's are never touched. */
export class ClientBreakpoints {
  readonly #own = new Map<string, Set<vscode.SourceBreakpoint>>();
  readonly #sessions: () => readonly vscode.DebugSession[];
  readonly #marks: LogMarks;

  /** `sessions` are those that run. */
  constructor(sessions: () => readonly vscode.DebugSession[], marks: LogMarks) {
    this.#sessions = sessions;
    this.#marks = marks;
  }

  async replace(owner: string, path: string, wanted: readonly WantedBreakpoint[]): Promise<readonly SetBreakpoint[]> {
    const uri = fromClientPath(path);
    const before = [...(this.#own.get(owner) ?? [])].filter(({ location }) => location.uri.toString() === uri.toString());
    this.#remove(owner, before);
    const added = wanted.map((each) => toBreakpoint(uri, each));
    this.#add(owner, added);
    return Promise.all(
      added.map(async (breakpoint, index) => {
        const binding = await this.#taken(breakpoint);
        const { isVerified, line = wanted[index]?.line ?? 1, message } = binding;
        return { id: breakpoint.id, line, isVerified, ...(message !== undefined && { message }) };
      }),
    );
  }

  /** Sets further ones, beside those that the client has, until they are disposed of. */
  add(owner: string, wanted: readonly PlacedBreakpoint[], onPassed: (index: number) => void = () => undefined): DebugBreakpoints {
    const marks = this.#marks.begin(onPassed);
    const added = wanted.map((each, index) =>
      toBreakpoint(fromClientPath(each.path), each.isPassed === true ? { ...each, logMessage: marks.messageOf(index) } : each),
    );
    this.#add(owner, added);
    const dispose = (): void => {
      this.#remove(owner, added);
      marks.dispose();
    };
    return { dispose };
  }

  /** Sets one at a place of a program that runs, and waits until its debugger has taken it. */
  async addTaken(owner: string, uri: vscode.Uri, line: number): Promise<DebugBreakpoints> {
    const added = toBreakpoint(uri, { line });
    this.#add(owner, [added]);
    await this.#taken(added);
    return { dispose: () => this.#remove(owner, [added]) };
  }

  async list(owner: string): Promise<readonly ListedBreakpoint[]> {
    const own = this.#own.get(owner);
    const all = vscode.debug.breakpoints.filter((each) => each instanceof vscode.SourceBreakpoint);
    return Promise.all(
      all.map(async (breakpoint) => {
        const { isVerified, line } = (await this.#look(breakpoint)) ?? { isVerified: false };
        const { uri, range } = breakpoint.location;
        const isYours = [...(own ?? [])].some(({ id }) => id === breakpoint.id);
        return { id: breakpoint.id, path: toClientPath(uri), line: line ?? range.start.line + 1, isVerified, isYours };
      }),
    );
  }

  endOwners(isGone: (owner: string) => boolean): void {
    for (const [owner, own] of this.#own) {
      if (isGone(owner)) {
        this.#remove(owner, [...own]);
      }
    }
  }

  #add(owner: string, added: readonly vscode.SourceBreakpoint[]): void {
    const own = this.#own.get(owner) ?? new Set();
    if (own.size + added.length > maxOwn) {
      throw debugError('debug.tooManyBreakpoints', { limit: maxOwn });
    }
    this.#own.set(owner, own);
    added.forEach((each) => own.add(each));
    vscode.debug.addBreakpoints(added);
  }

  #remove(owner: string, gone: readonly vscode.SourceBreakpoint[]): void {
    const own = this.#own.get(owner);
    gone.forEach((each) => own?.delete(each));
    if (own?.size === 0) {
      this.#own.delete(owner);
    }
    if (gone.length > 0) {
      vscode.debug.removeBreakpoints(gone);
    }
  }

  /** What the debuggers made of it, once one of them has said so; without any, that it waits for one. */
  async #taken(breakpoint: vscode.SourceBreakpoint): Promise<Binding> {
    if (this.#sessions().length === 0) {
      return { isVerified: false, message: 'It is bound when a debug session starts; list_debug then says whether it is.' };
    }
    const until = performance.now() + takenMs;
    for (;;) {
      const binding = await this.#look(breakpoint);
      if (binding?.isVerified === true || performance.now() > until) {
        return binding ?? { isVerified: false, message: 'No debugger has taken it so far; list_debug says whether one does later.' };
      }
      await sleep(lookMs, undefined, { ref: false });
    }
  }

  async #look(breakpoint: vscode.Breakpoint): Promise<Binding | undefined> {
    const answers = await Promise.all(
      this.#sessions().map((session) => atMost(session.getDebugProtocolBreakpoint(breakpoint), askMs).catch((): undefined => undefined)),
    );
    const told = answers.map(toBinding).filter((each) => each !== undefined);
    return told.find(({ isVerified }) => isVerified) ?? told[0];
  }
}

function toBreakpoint(uri: vscode.Uri, { line, condition, hitCount, logMessage }: WantedBreakpoint): vscode.SourceBreakpoint {
  const location = new vscode.Location(uri, new vscode.Position(line - 1, 0));
  return new vscode.SourceBreakpoint(location, true, condition, hitCount, logMessage);
}

function toBinding(answer: unknown): Binding | undefined {
  if (!isJsonObject(answer)) {
    return undefined;
  }
  const { verified, line, message } = answer;
  return {
    isVerified: verified === true,
    ...(typeof line === 'number' && { line }),
    ...(typeof message === 'string' && message !== '' && { message: message.slice(0, maxMessage) }),
  };
}
