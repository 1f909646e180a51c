import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../base/errors.ts';
import { chooseWindow, fits, type WindowCriteria } from './chooseWindow.ts';
import {
  type DiscoveredWindow,
  findWindows,
  type FoundWindows,
  type Surroundings,
  watchWindowsFolder,
  type WindowsFolderWatch,
} from './findWindows.ts';
import { describeChoice, describeRefusals, describeStatus, unreachableWindow, windowIsReloading } from './sentences.ts';
import { WindowLink, type ClientCertificate, type Link, type WindowStanding } from './windowLink.ts';

export interface ConnectorOptions {
  readonly home: string;
  readonly surroundings: Surroundings;
  readonly criteria: WindowCriteria;
  /**
   * The folders in which the host says that it works. No window is chosen before they are known. Left out when the host says
   * nothing.
   */
  readonly roots?: (() => Promise<readonly string[]>) | undefined;
  /** The token in `DUPLEX_CLIENT_TOKEN`; without one the window's own token is used. */
  readonly clientToken: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly timeoutMs: number;
  /** How long, in ms, a window that was lost is waited for before another one may take its place. */
  readonly reconnectGraceMs: number;
  /** How long, in ms, a lost window is waited for where another one with the same folders was there already. */
  readonly twinGraceMs: number;
  /**
   * After how long, in ms, a window whose page did not answer is asked once more before it is given up: a window that opens is
   * busy.
   */
  readonly silenceCheckMs: number;
}

export type ConnectResult = { readonly kind: 'connected'; readonly link: Link } | { readonly kind: 'unavailable'; readonly reason: string };

/** Connects to the window to talk to, found each time anew: windows come and go, and their tokens with them. */
export class WindowConnector {
  readonly #options: ConnectorOptions;
  #last: DiscoveredWindow | undefined;
  #graceEnds = -Infinity;
  #twinGraceEnds = -Infinity;
  /** When the window was lost, as discovery files tell the time. */
  #lostAt = 0;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /** Watches for signs that another look may find another window. */
  watch(): WindowsFolderWatch {
    return watchWindowsFolder(this.#options.home);
  }

  /** Connects to the best window. The promise never rejects. */
  async connect(): Promise<ConnectResult> {
    try {
      return await this.#connect();
    } catch (error) {
      return { kind: 'unavailable', reason: `${messageOf(error)}\n` };
    }
  }

  async #connect(): Promise<ConnectResult> {
    const { home, surroundings, criteria } = this.#options;
    const wanted = { ...criteria, roots: await this.#options.roots?.() };
    let found = await findWindows(home, surroundings);
    const mustFit = this.#mayComeBack(found.windows, wanted);
    for (;;) {
      const result = await this.#tryBest(found, wanted, mustFit);
      if (!('useless' in result)) {
        return result;
      }
      found = without(found, result.useless);
    }
  }

  async #tryBest(found: FoundWindows, wanted: WindowCriteria, mustFit: boolean): Promise<ConnectResult | Useless> {
    const candidates = this.#candidates(found.windows).filter((window) => !mustFit || fits(window, wanted));
    if (candidates.length === 0 && found.windows.length > 0) {
      return { kind: 'unavailable', reason: windowIsReloading + describeRefusals(found) };
    }
    const choice = chooseWindow(candidates, wanted);
    if (choice.kind === 'chosen') {
      return this.#open(choice.window);
    }
    // Of several that fit equally, perhaps only one can be used.
    const useless = choice.kind === 'ambiguous' ? await this.#uselessOf(candidates) : [];
    return useless.length > 0 ? { useless } : { kind: 'unavailable', reason: describeChoice(choice, found) + describeRefusals(found) };
  }

  async #uselessOf(windows: readonly DiscoveredWindow[]): Promise<readonly UselessWindow[]> {
    const looks = await Promise.all(
      windows.map(async (window) => ({
        window,
        why: await this.#patiently(
          () => this.#look(window),
          (standing) => standing,
        ),
      })),
    );
    return looks.flatMap(({ window, why }) => (why === 'silent' || why === 'unproven' ? [{ window, why }] : []));
  }

  async #patiently<T>(attempt: () => Promise<T>, kindOf: (result: T) => string | undefined): Promise<T> {
    const first = await attempt();
    if (kindOf(first) !== 'silent') {
      return first;
    }
    await sleep(this.#options.silenceCheckMs);
    return attempt();
  }

  async #look({ content }: DiscoveredWindow): Promise<WindowStanding['kind'] | undefined> {
    try {
      return (await WindowLink.look(content, this.#options)).kind;
    } catch {
      return undefined;
    }
  }

  /** Whether the page of the window that was connected last is gone. The promise never rejects. */
  async isSilent(): Promise<boolean> {
    return this.#last !== undefined && (await this.#look(this.#last)) === 'silent';
  }

  /**
   * Called when the window went away. One with the same folders is waited for, lest a host that works in one project ends up in
   * another.
   */
  windowLost(): void {
    const { reconnectGraceMs, twinGraceMs } = this.#options;
    this.#graceEnds = performance.now() + reconnectGraceMs;
    this.#twinGraceEnds = performance.now() + twinGraceMs;
    this.#lostAt = Date.now();
  }

  /** Whether a window with the folders of the lost one is still listed. Then the bridge waits for it and takes no unrelated window. */
  #mayComeBack(windows: readonly DiscoveredWindow[], wanted: WindowCriteria): boolean {
    const last = this.#last;
    return last !== undefined && fits(last, wanted) && windows.some((window) => foldersOf(window) === foldersOf(last));
  }

  #candidates(windows: readonly DiscoveredWindow[]): readonly DiscoveredWindow[] {
    const last = this.#last;
    if (last === undefined || performance.now() > this.#graceEnds) {
      return windows;
    }
    const alike = windows.filter((window) => foldersOf(window) === foldersOf(last));
    const isBack = ({ file, content }: DiscoveredWindow): boolean => file === last.file || Date.parse(content.startedAt) >= this.#lostAt;
    return performance.now() > this.#twinGraceEnds ? alike : alike.filter(isBack);
  }

  async #open(window: DiscoveredWindow): Promise<ConnectResult | Useless> {
    const { clientToken, certificate, timeoutMs } = this.#options;
    const options = { token: clientToken ?? window.content.token, certificate, timeoutMs };
    const outcome = await this.#patiently(
      () => WindowLink.open(window.content, options),
      ({ kind }) => kind,
    );
    switch (outcome.kind) {
      case 'open':
        this.#last = window;
        return { kind: 'connected', link: outcome.link };
      case 'refused':
        return { kind: 'unavailable', reason: describeStatus(outcome.status, window, clientToken !== undefined) };
      case 'unproven':
      case 'silent':
        return { useless: [{ window, why: outcome.kind }] };
      case 'failed':
        return { kind: 'unavailable', reason: unreachableWindow(window, outcome.reason) };
    }
  }
}

interface UselessWindow {
  readonly window: DiscoveredWindow;
  readonly why: 'unproven' | 'silent';
}

interface Useless {
  readonly useless: readonly UselessWindow[];
}

/**
 * The windows without the useless ones: a window that did not prove itself, or whose page is gone, does not count, and another
 * one may be meant.
 */
function without({ windows, refused }: FoundWindows, useless: readonly UselessWindow[]): FoundWindows {
  return {
    windows: windows.filter((window) => !useless.some((one) => one.window === window)),
    refused: [...refused, ...useless.map(({ window: { file, content }, why }) => ({ file, why, name: content.name }))],
  };
}

function foldersOf({ content }: DiscoveredWindow): string {
  return JSON.stringify(content.workspaceFolders.map((folder) => folder.path).sort());
}
