import { randomUUID } from 'node:crypto';
import { isAbort } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Late } from '../base/late.ts';
import type { AppAnswer, AppPort, KeptAppResult } from '../chat/apps/chatApps.ts';
import type { AppOpener, AppOpenerOptions } from '../host/apps/appOpening.ts';
import type { RawToolResult } from '../host/connection/serverSession.ts';
import { errorSentence } from '../views/errorReporter.ts';

/** The most results that are kept for apps as their servers sent them; an older one is shown as the conversation has it. */
const maxKept = 20;
const maxKeptLength = 2_000_000;

/** Joins the apps of servers to the chat. What opens one is loaded with the first. */
export class AppsJoin implements AppPort {
  readonly #kept = new Map<string, KeptAppResult>();
  readonly #opener: Late<AppOpener>;

  constructor(options: AppOpenerOptions) {
    this.#opener = new Late(async () => new (await import('../host/apps/appOpening.ts')).AppOpener(options));
  }

  /** Keeps a result for the app of its call; gives the key under which it is found. */
  keep(args: JsonObject, { content, structuredContent, isError, meta }: RawToolResult): string | undefined {
    const result: JsonObject = {
      content: [...content],
      isError,
      ...(structuredContent !== undefined && { structuredContent }),
      ...(meta !== undefined && { _meta: meta }),
    };
    if (JSON.stringify(result).length > maxKeptLength) {
      return undefined;
    }
    const key = randomUUID();
    this.#kept.set(key, { arguments: args, result });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return key;
  }

  resultOf(key: string): KeptAppResult | undefined {
    return this.#kept.get(key);
  }

  async open(wanted: Parameters<AppPort['open']>[0]): Promise<AppAnswer> {
    try {
      return await (await this.#opener.get()).open(wanted);
    } catch (error) {
      if (isAbort(error) || wanted.signal.aborted) {
        throw error;
      }
      return { kind: 'failed', sentence: errorSentence(error) };
    }
  }
}
