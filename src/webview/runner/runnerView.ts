import type { MessageOf } from '../../contract/pages/messageLink.ts';
import type { ValueSource } from '../../contract/pages/pageLimits.ts';
import type { RunnerKept, RunnerRun, RunnerStored, runnerToHost, RunnerTool, runnerToView } from '../../contract/pages/runnerMessages.ts';
import type { CheckArguments } from '../forms/argumentsDraft.ts';
import type { HostLink } from '../shared/hostLink.ts';

/** What the page shows. The host owns all of it. */
export interface RunnerView {
  /** The tool; undefined until the host has answered `ready`. */
  readonly tool: RunnerTool | undefined;
  readonly run: RunnerRun;
  readonly kept: RunnerKept;
}

type ToView = MessageOf<typeof runnerToView>;
type ValueAnswer = Extract<ToView, { name: 'runner/value' }>['body'];
type CheckAnswer = Extract<ToView, { name: 'runner/checked' }>['body'];
/** The answers to requests of the page, by the number of the request. */
type Answer = Extract<ToView, { name: 'runner/value' | 'runner/checked' }>;

/** What the person can ask of the host from this page. */
export interface RunnerIntents {
  /** `definition` is given when Run was pressed below it and the arguments: then the person is not asked again. */
  readonly run: (args: string, definition?: string) => void;
  readonly stop: () => void;
  readonly again: () => void;
  readonly sendToChat: () => void;
  readonly openResult: () => void;
  readonly openApp: () => void;
  readonly savePreset: (args: string) => void;
  readonly removePreset: (id: string) => void;
  readonly forgetRuns: () => void;
  readonly undoRemove: () => void;
  readonly openLink: (href: string) => void;
  readonly openResource: (uri: string) => void;
  readonly value: (source: ValueSource) => Promise<ValueAnswer>;
  readonly check: CheckArguments;
  /** Reports what is in the form, JSON or not. */
  readonly typed: (text: string) => void;
}

export function isAnswer(message: ToView): message is Answer {
  return message.name === 'runner/value' || message.name === 'runner/checked';
}

export function receive(view: RunnerView, message: Exclude<ToView, Answer>): RunnerView {
  switch (message.name) {
    case 'runner/tool':
      return { ...view, tool: message.body };
    case 'runner/run':
      return { ...view, run: message.body };
    case 'runner/kept':
      return { ...view, kept: message.body };
  }
}

/** Makes the intents, and the function that receives the answers to those that ask for something. */
export function createRunnerIntents(
  link: Pick<HostLink<typeof runnerToHost, typeof runnerToView>, 'send'>,
  draft: Pick<KeptDraft, 'typed' | 'checked'>,
): {
  readonly intents: RunnerIntents;
  readonly answer: (answer: Answer) => void;
} {
  const values = new Map<number, (answer: ValueAnswer) => void>();
  const checks = new Map<number, (answer: CheckAnswer) => void>();
  let lastRequest = 0;
  const intents: RunnerIntents = {
    run: (args, definition) => link.send('runner/run', { arguments: args, ...(definition !== undefined && { definition }) }),
    stop: () => link.send('runner/stop', {}),
    again: () => link.send('runner/again', {}),
    sendToChat: () => link.send('runner/sendToChat', {}),
    openResult: () => link.send('runner/open', {}),
    openApp: () => link.send('runner/openApp', {}),
    savePreset: (args) => link.send('runner/savePreset', { arguments: args }),
    removePreset: (id) => link.send('runner/removePreset', { id }),
    forgetRuns: () => link.send('runner/forgetRuns', {}),
    undoRemove: () => link.send('runner/undoRemove', {}),
    typed: draft.typed,
    openLink: (href) => link.send('link/open', { href }),
    openResource: (uri) => link.send('runner/openResource', { uri }),
    value: (source) => {
      const requestId = (lastRequest += 1);
      return new Promise((resolve) => {
        values.set(requestId, resolve);
        link.send('runner/value', { requestId, source });
      });
    },
    check: async (args, signal) => {
      const requestId = (lastRequest += 1);
      signal.addEventListener('abort', () => checks.delete(requestId), { once: true });
      const { refusals, mayKeep } = await new Promise<CheckAnswer>((resolve) => {
        checks.set(requestId, resolve);
        link.send('runner/check', { requestId, arguments: args });
      });
      draft.checked(args, mayKeep);
      return refusals;
    },
  };
  return { intents, answer: (given) => settle(given, values, checks) };
}

function settle(
  given: Answer,
  values: Map<number, (answer: ValueAnswer) => void>,
  checks: Map<number, (answer: CheckAnswer) => void>,
): void {
  const { requestId } = given.body;
  if (given.name === 'runner/value') {
    values.get(requestId)?.(given.body);
  } else {
    checks.get(requestId)?.(given.body);
  }
  values.delete(requestId);
  checks.delete(requestId);
}

/** Keeps what is typed for when the form is drawn anew: in this page, and over a reload of the window as far as it may be stored. */
export class KeptDraft {
  readonly #link: Pick<HostLink<never, never>, 'store'>;
  /** Whether the page was there before a reload: the person may be elsewhere now. */
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

  /** What was typed; undefined before anything was. */
  get text(): string | undefined {
    return this.#text;
  }

  /** Takes note of the tool that the page is for; what was typed for another one is forgotten. */
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

  /**
   * Called when the host has looked at the text: text that may hold a secret is not written to disk, and nothing older stays
   * there in its place.
   */
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

/** Reads what was stored, by this page or by an earlier version of it. */
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
