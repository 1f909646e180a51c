import { messageOf } from '../base/errors.ts';
import { chooseWindow, type Wish } from './chooseWindow.ts';
import type { DiscoveredWindow } from './discoveredWindow.ts';
import { findWindows, type Surroundings } from './findWindows.ts';
import { describeChoice, describeRefusals, describeStatus, unreachable, windowIsReloading } from './sentences.ts';
import { WindowLink, type ClientCertificate } from './windowLink.ts';

export interface SeekerOptions {
  readonly home: string;
  readonly surroundings: Surroundings;
  readonly wish: Wish;
  /** `DUPLEX_CLIENT_TOKEN`; none: the window's own token. */
  readonly clientToken: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly timeoutMs: number;
  /** How long a window that was lost is waited for before another one may take its place. */
  readonly loyaltyMs: number;
}

export type Sought = { readonly kind: 'found'; readonly link: WindowLink } | { readonly kind: 'none'; readonly sentence: string };

/** Finds the window to talk to, each time anew: windows come and go, and their tokens with them. */
export class WindowSeeker {
  readonly #options: SeekerOptions;
  #last: DiscoveredWindow | undefined;
  #loyalUntil = -Infinity;

  constructor(options: SeekerOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async seek(): Promise<Sought> {
    try {
      return await this.#seek();
    } catch (error) {
      return { kind: 'none', sentence: `${messageOf(error)}\n` };
    }
  }

  async #seek(): Promise<Sought> {
    const { home, surroundings, wish } = this.#options;
    const found = await findWindows(home, surroundings);
    const candidates = this.#loyal(found.windows);
    if (candidates.length === 0 && found.windows.length > 0) {
      return { kind: 'none', sentence: windowIsReloading };
    }
    const choice = chooseWindow(candidates, wish);
    if (choice.kind !== 'chosen') {
      return { kind: 'none', sentence: describeChoice(choice, found.windows) + describeRefusals(found) };
    }
    return this.#connect(choice.window);
  }

  /** The window went away; one with the same folders is waited for, lest a host that works in one project ends up in another. */
  lost(): void {
    this.#loyalUntil = performance.now() + this.#options.loyaltyMs;
  }

  #loyal(windows: readonly DiscoveredWindow[]): readonly DiscoveredWindow[] {
    if (this.#last === undefined || performance.now() > this.#loyalUntil) {
      return windows;
    }
    const folders = foldersOf(this.#last);
    return windows.filter((window) => foldersOf(window) === folders);
  }

  async #connect(window: DiscoveredWindow): Promise<Sought> {
    const { clientToken, certificate, timeoutMs } = this.#options;
    const outcome = await WindowLink.open(window.content, { token: clientToken ?? window.content.token, certificate, timeoutMs });
    switch (outcome.kind) {
      case 'open':
        this.#last = window;
        return { kind: 'found', link: outcome.link };
      case 'refused':
        return { kind: 'none', sentence: describeStatus(outcome.status, window, clientToken !== undefined) };
      case 'failed':
        return { kind: 'none', sentence: unreachable(window, outcome.reason) };
    }
  }
}

function foldersOf({ content }: DiscoveredWindow): string {
  return JSON.stringify(content.workspaceFolders.map((folder) => folder.path).sort());
}
