import type { RunnerStored, RunnerTool } from '../../contract/runnerMessages.ts';
import type { HostLink } from '../link/hostLink.ts';

/** What is in the form, for when it is drawn anew: in this page, and after a reload of the window as far as it may be stored. */
export class KeptDraft {
  readonly #link: Pick<HostLink<never, never>, 'store'>;
  /** The page was there before, and the person may be elsewhere now. */
  readonly isRestored: boolean;
  #key: RunnerStored['key'] | undefined;
  #text: string | undefined;
  #stored: string | undefined;

  constructor(link: Pick<HostLink<never, never>, 'store' | 'readStored'>) {
    this.#link = link;
    const data = readDraft(link.readStored());
    this.isRestored = data !== undefined;
    this.#key = data?.key;
    this.#stored = data?.text;
    this.#text = data?.text;
  }

  /** Undefined: nothing was typed yet. */
  get text(): string | undefined {
    return this.#text;
  }

  /** Whose page this is. */
  belongTo({ key }: Pick<RunnerTool, 'key'>): void {
    if (this.#key?.serverId !== key.serverId || this.#key.tool !== key.tool) {
      this.#key = key;
      this.#text = undefined;
      this.#store(undefined);
    }
  }

  readonly typed = (text: string): void => {
    this.#text = text;
  };

  /** The host has looked at it: what may hold a secret goes to no disk, and nothing older stays there in its place. */
  readonly checked = (text: string, mayKeep: boolean): void => {
    const kept = mayKeep ? text : undefined;
    if (text === this.#text && kept !== this.#stored) {
      this.#store(kept);
    }
  };

  #store(text: string | undefined): void {
    this.#stored = text;
    if (this.#key !== undefined) {
      const stored: RunnerStored = { key: this.#key, ...(text === undefined ? {} : { text }) };
      this.#link.store(stored);
    }
  }
}

/** Whatever was stored there, by this page or by an earlier version of it. */
function readDraft(stored: unknown): RunnerStored | undefined {
  const { key, text } = (typeof stored === 'object' && stored !== null ? stored : {}) as {
    readonly key?: unknown;
    readonly text?: unknown;
  };
  const { serverId, tool } = (typeof key === 'object' && key !== null ? key : {}) as {
    readonly serverId?: unknown;
    readonly tool?: unknown;
  };
  if (typeof serverId !== 'string' || typeof tool !== 'string') {
    return undefined;
  }
  return { key: { serverId, tool }, ...(typeof text === 'string' ? { text } : {}) };
}
