import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { debugError } from './debugErrors.ts';
import { SessionRecord } from './sessionRecord.ts';

/** The most sessions that are remembered after their end. */
const maxEnded = 20;

/** A session as it is known here. One that was asked for has an id before VS Code has made its session. */
export interface KnownSession {
  readonly id: string;
  readonly name: string;
  readonly record: SessionRecord;
  /** The client that started it; `undefined` for the person's own. */
  readonly owner: string | undefined;
  /** The clients with which the person shared it. */
  readonly sharedWith: Set<string>;
  readonly parent: KnownSession | undefined;
  session: vscode.DebugSession | undefined;
  /** How much of the output each client has been told. */
  readonly told: Map<string, number>;
  /** The variables at the last stop, by the function that stood on top. */
  readonly lastValues: Map<string, ReadonlyMap<string, string>>;
  /** When it last stopped or began, as a number that grows. */
  order: number;
}

/** Knows every debug session of the window since the start of this extension, with those that others have opened. */
export class DebugSessions implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #known = new Map<string, KnownSession>();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #awaited: KnownSession[] = [];
  readonly #hear: (written: string) => string;
  readonly #onLate: (late: KnownSession) => void;
  #count = 0;
  #order = 0;

  /** Fires when any session changed its state. */
  readonly onDidChange = this.#changed.event;

  /** `hear` gets what sessions write, and returns what is kept of it. `onLate` gets a session that was stopped before VS Code made it. */
  constructor(hear: (written: string) => string, onLate: (late: KnownSession) => void) {
    this.#hear = hear;
    this.#onLate = onLate;
    this.#lifetime.add(
      vscode.debug.registerDebugAdapterTrackerFactory('*', { createDebugAdapterTracker: (session) => this.#follow(session) }),
    );
    this.#lifetime.add(vscode.debug.onDidStartDebugSession((session) => void this.#of(session)));
    this.#lifetime.add(vscode.debug.onDidTerminateDebugSession((session) => this.#of(session).record.end()));
  }

  all(): readonly KnownSession[] {
    return [...this.#known.values()];
  }

  find(id: string): KnownSession | undefined {
    return this.#known.get(id);
  }

  /** Makes a session known that a client wants to start. */
  prepare(name: string, owner: string): KnownSession {
    return this.#add(name, owner, undefined, undefined);
  }

  /**
   * Expects that VS Code makes a prepared session now: the next one of its name that is nobody's child. Until VS Code is told to start
   * it, and once it has, a session of this name is the person's own.
   */
  expect(prepared: KnownSession): void {
    this.#awaited.push(prepared);
  }

  /** Expects it no longer. */
  giveUp(expected: KnownSession): void {
    const index = this.#awaited.indexOf(expected);
    if (index >= 0) {
      this.#awaited.splice(index, 1);
    }
  }

  /** The session with all that it opened, such as the one in which the program of a launcher runs. */
  treeOf(root: KnownSession): readonly KnownSession[] {
    return this.all().filter((each) => isWithin(each, root));
  }

  /** The one of a tree that is meant: what stopped last, or else the innermost that runs. */
  focusOf(root: KnownSession): KnownSession {
    const live = this.treeOf(root).filter(({ record }) => record.state !== 'ended');
    const stopped = live.filter(({ record }) => record.state === 'stopped');
    const innermost = live.filter((each) => !live.some(({ parent }) => parent === each));
    return latest(stopped) ?? latest(innermost) ?? root;
  }

  /** Without an id, what the client most likely means: its own before the person's, what runs before what ended. */
  choose(owner: string, id: string | undefined): KnownSession {
    if (id !== undefined) {
      const found = this.#known.get(id);
      if (found === undefined) {
        throw debugError('debug.noSession', { id });
      }
      return found.record.state === 'ended' ? found : this.focusOf(found);
    }
    const own = this.all().filter((each) => sessionOwner(each) === owner);
    const isLive = ({ record }: KnownSession): boolean => record.state !== 'ended';
    const others = this.all().filter((each) => sessionOwner(each) === undefined && isLive(each));
    const chosen = latest(own.filter(isLive)) ?? latest(others) ?? latest(own);
    if (chosen === undefined) {
      throw debugError('debug.noSessions');
    }
    return isLive(chosen) ? this.focusOf(rootOf(chosen)) : chosen;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #of(session: vscode.DebugSession): KnownSession {
    const known = this.all().find((each) => each.session?.id === session.id);
    if (known !== undefined) {
      return known;
    }
    const parent = session.parentSession === undefined ? undefined : this.#of(session.parentSession);
    // VS Code numbers the sessions of one name as long as the last one has not quite gone; their configurations keep the name.
    const isOf = ({ name }: KnownSession): boolean => name === session.configuration.name || name === session.name;
    const expected = parent === undefined ? this.#awaited.find(isOf) : undefined;
    if (expected !== undefined) {
      this.giveUp(expected);
      if (expected.record.state === 'ended') {
        return this.#addLate(session, expected);
      }
      expected.session = session;
      return expected;
    }
    return this.#add(session.name, undefined, parent, session);
  }

  /** The one that was expected was stopped while VS Code was starting it, and stays so; what VS Code has made of it is its client's, too. */
  #addLate(session: vscode.DebugSession, { owner }: KnownSession): KnownSession {
    const late = this.#add(session.name, owner, undefined, session);
    this.#onLate(late);
    return late;
  }

  #add(name: string, owner: string | undefined, parent: KnownSession | undefined, session: vscode.DebugSession | undefined): KnownSession {
    const record = new SessionRecord(this.#hear);
    const known: KnownSession = {
      id: `debug-${(this.#count += 1)}`,
      name,
      record,
      owner,
      sharedWith: new Set(),
      parent,
      session,
      told: new Map(),
      lastValues: new Map(),
      order: (this.#order += 1),
    };
    this.#lifetime.add(
      record.onDidChange(() => {
        known.order = this.#order += 1;
        this.#changed.fire();
      }),
    );
    this.#known.set(known.id, known);
    this.#forgetOldest();
    return known;
  }

  #forgetOldest(): void {
    const ended = this.all().filter(({ record }) => record.state === 'ended');
    ended.slice(0, Math.max(0, ended.length - maxEnded)).forEach(({ id }) => this.#known.delete(id));
  }

  #follow(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    const { record } = this.#of(session);
    return {
      onWillReceiveMessage: (message) => record.didAsk(message),
      onDidSendMessage: (message) => record.didSend(message),
      onError: (error) => record.end(`The debug adapter failed: ${error.message}`),
      onExit: (code) => record.end(code === undefined || code === 0 ? undefined : `The debug adapter ended with code ${code}.`),
    };
  }
}

/** Returns the owner of a session, or of the session that opened it; `undefined` for the person's. */
export function sessionOwner(known: KnownSession): string | undefined {
  return rootOf(known).owner;
}

export function rootOf(known: KnownSession): KnownSession {
  return known.parent === undefined ? known : rootOf(known.parent);
}

export function mayUse(known: KnownSession, owner: string): boolean {
  return sessionOwner(known) === owner || rootOf(known).sharedWith.has(owner);
}

function isWithin(known: KnownSession, root: KnownSession): boolean {
  return known === root || (known.parent !== undefined && isWithin(known.parent, root));
}

function latest(sessions: readonly KnownSession[]): KnownSession | undefined {
  return sessions.reduce<KnownSession | undefined>(
    (best, each) => (best === undefined || each.order > best.order ? each : best),
    undefined,
  );
}
