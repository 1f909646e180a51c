import { messageOf } from '../base/errors.ts';
import { chooseWindow, type WindowCriteria } from './chooseWindow.ts';
import type { DiscoveredWindow, FoundWindows } from './discoveredWindow.ts';
import { findWindows, type Surroundings } from './findWindows.ts';
import { describeChoice, describeRefusals, describeStatus, unreachable, windowIsReloading } from './sentences.ts';
import { WindowLink, type ClientCertificate, type Link } from './windowLink.ts';

export interface ConnectorOptions {
  readonly home: string;
  readonly surroundings: Surroundings;
  readonly criteria: WindowCriteria;
  /** `DUPLEX_CLIENT_TOKEN`; none: the window's own token. */
  readonly clientToken: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly timeoutMs: number;
  /** How long a window that was lost is waited for before another one may take its place. */
  readonly reconnectGraceMs: number;
}

export type ConnectResult = { readonly kind: 'connected'; readonly link: Link } | { readonly kind: 'unavailable'; readonly reason: string };

/** Connects to the window to talk to, found each time anew: windows come and go, and their tokens with them. */
export class WindowConnector {
  readonly #options: ConnectorOptions;
  #last: DiscoveredWindow | undefined;
  #graceEnds = -Infinity;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async connect(): Promise<ConnectResult> {
    try {
      return await this.#connect();
    } catch (error) {
      return { kind: 'unavailable', reason: `${messageOf(error)}\n` };
    }
  }

  async #connect(): Promise<ConnectResult> {
    const { home, surroundings } = this.#options;
    let found = await findWindows(home, surroundings);
    for (;;) {
      const result = await this.#tryBest(found);
      if (!('unproven' in result)) {
        return result;
      }
      found = without(found, result.unproven);
    }
  }

  async #tryBest(found: FoundWindows): Promise<ConnectResult | { readonly unproven: DiscoveredWindow }> {
    const candidates = this.#candidates(found.windows);
    if (candidates.length === 0 && found.windows.length > 0) {
      return { kind: 'unavailable', reason: windowIsReloading };
    }
    const choice = chooseWindow(candidates, this.#options.criteria);
    if (choice.kind !== 'chosen') {
      return { kind: 'unavailable', reason: describeChoice(choice, found.windows) + describeRefusals(found) };
    }
    return this.#open(choice.window);
  }

  /** The window went away; one with the same folders is waited for, lest a host that works in one project ends up in another. */
  windowLost(): void {
    this.#graceEnds = performance.now() + this.#options.reconnectGraceMs;
  }

  #candidates(windows: readonly DiscoveredWindow[]): readonly DiscoveredWindow[] {
    if (this.#last === undefined || performance.now() > this.#graceEnds) {
      return windows;
    }
    const folders = foldersOf(this.#last);
    return windows.filter((window) => foldersOf(window) === folders);
  }

  async #open(window: DiscoveredWindow): Promise<ConnectResult | { readonly unproven: DiscoveredWindow }> {
    const { clientToken, certificate, timeoutMs } = this.#options;
    const outcome = await WindowLink.open(window.content, { token: clientToken ?? window.content.token, certificate, timeoutMs });
    switch (outcome.kind) {
      case 'open':
        this.#last = window;
        return { kind: 'connected', link: outcome.link };
      case 'refused':
        return { kind: 'unavailable', reason: describeStatus(outcome.status, window, clientToken !== undefined) };
      case 'unproven':
        return { unproven: window };
      case 'failed':
        return { kind: 'unavailable', reason: unreachable(window, outcome.reason) };
    }
  }
}

/** A window that did not prove itself is none: another one may be meant. */
function without({ windows, refused }: FoundWindows, window: DiscoveredWindow): FoundWindows {
  return { windows: windows.filter((one) => one !== window), refused: [...refused, { file: window.file, why: 'unproven' }] };
}

function foldersOf({ content }: DiscoveredWindow): string {
  return JSON.stringify(content.workspaceFolders.map((folder) => folder.path).sort());
}
