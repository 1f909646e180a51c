import type * as vscode from 'vscode';
import { pause, untilAborted } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import { hasCode, isAppError, messageOf } from '../../base/errors.ts';
import { editorError } from '../shared/editorErrors.ts';

/** How long, in ms, a language service may take to start before an empty answer is believed. */
const startMs = 6_000;
/** How long, in ms, a language whose service did not start is not waited for again. */
const silentMs = 60_000;
/** The pause, in ms, before a language service that gave an empty answer is asked again. */
const retryMs = 250;

/** Runs a command of VS Code. */
export type ExecuteCommand = (command: string, args: readonly unknown[]) => PromiseLike<unknown>;

/** VS Code's provider commands, bounded by their signal, with patience for services that are still starting. */
export class LanguageService {
  readonly #execute: ExecuteCommand;
  readonly #awake = new Set<string>();
  readonly #silentUntil = new Map<string, number>();

  constructor(execute: ExecuteCommand) {
    this.#execute = execute;
  }

  /** Asks providers. VS Code does not tell `undefined` from an empty answer either. */
  async ask<T>(command: string, args: readonly unknown[], signal: AbortSignal): Promise<T | undefined> {
    signal.throwIfAborted();
    try {
      return (await untilAborted(this.#execute(command, args), signal)) as T | undefined;
    } catch (error) {
      signal.throwIfAborted();
      throw isAppError(error) ? error : editorError('language.failed', { reason: messageOf(error) });
    }
  }

  /** Whether a service for this language has ever answered. */
  hasAnswered(languageId: string): boolean {
    return this.#awake.has(languageId);
  }

  /**
   * Asks, and asks again while the answer is empty and no service for the language has ever answered, for as long as a service
   * may take to start.
   */
  async askPatiently<T>(
    document: Pick<vscode.TextDocument, 'languageId' | 'uri'>,
    ask: () => Promise<T>,
    isEmpty: (answer: T) => boolean,
    signal: AbortSignal,
  ): Promise<T> {
    const { languageId } = document;
    const deadline = performance.now() + startMs;
    for (;;) {
      const answer = await ask();
      if (!isEmpty(answer)) {
        this.#awake.add(languageId);
        return answer;
      }
      if (this.#awake.has(languageId) || (this.#silentUntil.get(languageId) ?? 0) > performance.now()) {
        return answer;
      }
      if (performance.now() > deadline) {
        this.#silentUntil.set(languageId, performance.now() + silentMs);
        return answer;
      }
      if (!(await this.#mayAskAgain(document, signal))) {
        return answer;
      }
    }
  }

  /** Waits until it makes sense to ask again. False when the time is up meanwhile: then the empty answer is the answer. */
  async #mayAskAgain(document: Pick<vscode.TextDocument, 'languageId' | 'uri'>, signal: AbortSignal): Promise<boolean> {
    try {
      // A symbol or two show that the service is up and that the empty answer is meant.
      if (await this.#hasSymbols(document, signal)) {
        this.#awake.add(document.languageId);
      } else {
        await pause(systemClock, retryMs, signal);
      }
      return true;
    } catch (error) {
      if (isTimeUp(signal)) {
        return false;
      }
      throw error;
    }
  }

  async #hasSymbols({ uri }: Pick<vscode.TextDocument, 'uri'>, signal: AbortSignal): Promise<boolean> {
    const symbols = await this.ask<unknown[]>('vscode.executeDocumentSymbolProvider', [uri], signal);
    return (symbols?.length ?? 0) > 0;
  }
}

/** The limit, in ms, for calls that a resource makes too: reads of resources have 10 s, and the answer has to be made of it. */
export const readMs = 9_000;
/** The limit, in ms, for each step of a call that takes two. */
export const halfCallMs = 12_000;
/** The limit, in ms, for a whole call. */
export const callMs = 25_000;

/**
 * Gives all steps of one call this much time together. Then their signal fires, with the reason that the time is up. Every step
 * has to listen to it, so that a step which has a part of the answer by then can give that.
 */
export async function withTimeLimit<T>(limitMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const onAbort = (): void => limit.abort(signal.reason);
  const timer = setTimeout(() => limit.abort(editorError('language.tooSlow')), limitMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Whether the signal fired because the time is up, and not because the client has lost interest. */
export function isTimeUp(signal: AbortSignal): boolean {
  return signal.aborted && hasCode(signal.reason, 'language.tooSlow');
}

/** The answers, with `instead` for those that did not come in time. Rejects if none came. */
export async function thoseInTime<T>(asked: readonly Promise<T>[], instead: T, signal: AbortSignal): Promise<T[]> {
  let late = 0;
  const inTime = async (answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!isTimeUp(signal)) {
        throw error;
      }
      late += 1;
      return instead;
    }
  };
  const answers = await Promise.all(asked.map(inTime));
  if (late > 0 && late === asked.length) {
    throw signal.reason;
  }
  return answers;
}
