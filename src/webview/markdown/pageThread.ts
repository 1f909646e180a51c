import { Late } from '../../base/late.ts';
import type { CodePiece } from './highlightCode.ts';
import type { Block } from './parseMarkdown.ts';
import type { Slice } from './slices.ts';

export type ThreadRequest =
  | {
      readonly kind: 'markdown';
      readonly text: string;
      /** Whose text it is, if it grows; undefined for one that is there at once. */
      readonly reader: number | undefined;
      /** How many slices of it the page has. */
      readonly known: number;
    }
  | { readonly kind: 'code'; readonly code: string; readonly language: string };

export type ThreadAnswer =
  | { readonly kind: 'markdown'; readonly from: number; readonly slices: readonly Slice<Block>[] }
  | { readonly kind: 'code'; readonly slices: readonly Slice<readonly CodePiece[]>[] };

type AnswerOf<R extends ThreadRequest> = Extract<ThreadAnswer, { readonly kind: R['kind'] }>;

/** What a page needs of a thread; a browser's Worker is one. */
export interface RunningThread {
  onmessage: ((event: MessageEvent<ThreadAnswer | 'ready'>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: ThreadRequest): void;
  terminate(): void;
}

interface Asked {
  readonly request: ThreadRequest;
  readonly settle: (answer: ThreadAnswer | undefined) => void;
}

/** Time is counted in steps, so that a page that stood still itself does not take that for the thread's slowness. */
const stepMs = 100;
/** The most steps, of `stepMs` each, that the thread may take for one answer. */
const maxStepsToAnswer = 20;
/** The most steps, of `stepMs` each, that the thread may take to start. */
const maxStepsToStart = 100;
/** After so many slow texts within `restMs`, texts are shown as they are for a while: a thread must not be busy for ever either. */
const maxMisses = 5;
/** The time, in ms, within which slow texts are counted. */
const restMs = 60_000;

/**
 * A page's end of the thread that reads its texts. One request is under way at a time, Markdown before colours. What takes too long
 * ends with its thread and is answered by `undefined`; the next request gets a new thread.
 */
export class PageThread {
  readonly #start: () => Promise<RunningThread>;
  readonly #waiting: Asked[] = [];
  #thread: RunningThread | undefined;
  #current: Asked | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #missedAt: number[] = [];

  constructor(start: () => Promise<RunningThread>) {
    this.#start = start;
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  ask<R extends ThreadRequest>(request: R): Promise<AnswerOf<R> | undefined> {
    return new Promise((resolve) => {
      // The thread answers each request by the kind of answer that belongs to it.
      const asked: Asked = { request, settle: (answer) => resolve(answer as AnswerOf<R> | undefined) };
      const place = request.kind === 'code' ? -1 : this.#waiting.findIndex(({ request: { kind } }) => kind === 'code');
      this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, asked);
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#current !== undefined) {
      return;
    }
    const asked = this.#waiting.shift();
    if (asked === undefined) {
      return;
    }
    this.#current = asked;
    if (this.#isResting()) {
      this.#settle(undefined);
      return;
    }
    try {
      this.#thread ??= await this.#started();
    } catch {
      this.#miss();
      return;
    }
    this.#limit(maxStepsToAnswer, () => this.#miss());
    this.#thread.onmessage = ({ data }) => data !== 'ready' && this.#settle(data);
    this.#thread.onerror = () => this.#miss();
    this.#thread.postMessage(asked.request);
  }

  async #started(): Promise<RunningThread> {
    const thread = await this.#start();
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        clearInterval(this.#timer);
        thread.terminate();
        reject(new Error('The thread did not start.'));
      };
      this.#limit(maxStepsToStart, fail);
      thread.onmessage = () => {
        clearInterval(this.#timer);
        resolve(thread);
      };
      thread.onerror = fail;
    });
  }

  #limit(steps: number, act: () => void): void {
    clearInterval(this.#timer);
    let left = steps;
    this.#timer = setInterval(() => {
      left -= 1;
      if (left <= 0) {
        clearInterval(this.#timer);
        act();
      }
    }, stepMs);
  }

  #miss(): void {
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#missedAt.push(performance.now());
    this.#settle(undefined);
  }

  #isResting(): boolean {
    while (this.#missedAt[0] !== undefined && performance.now() - this.#missedAt[0] > restMs) {
      this.#missedAt.shift();
    }
    return this.#missedAt.length >= maxMisses;
  }

  #settle(answer: ThreadAnswer | undefined): void {
    clearInterval(this.#timer);
    const current = this.#current;
    this.#current = undefined;
    current?.settle(answer);
    void this.#next();
  }
}

const threadCode = new Late(async () => {
  const { source } = await import('thread:./textThread.ts');
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
});

/** The one thread of this page. */
export const pageThread = new PageThread(async () => new Worker(await threadCode.get()));
