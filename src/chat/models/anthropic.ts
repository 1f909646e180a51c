// models/: who can answer in the chat, each behind the interface of modelProvider.ts: Anthropic (this file, with its wire format,
// events and errors beside it) and the offline guide, which is no AI.
import type { Anthropic } from '@anthropic-ai/sdk';
import { isAbort } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { abortError, pause } from '../../base/abort.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { createClient, readApiKey, readBaseUrl, type AnthropicAccess } from './anthropicClient.ts';
import { toFailedRequest, type FailedRequest, type RequestProgress } from './anthropicErrors.ts';
import { toModelEvents } from './anthropicEvents.ts';
import { toWire } from './anthropicWire.ts';
import type { ModelEvent, ModelInfo, ModelProvider, ModelRequest } from '../modelProvider.ts';
import { chatError } from '../chatSentences.ts';

export interface AnthropicOptions {
  /** The stored key, or `ANTHROPIC_API_KEY`; read for every request, kept nowhere. */
  readonly apiKey: () => Promise<string | undefined>;
  /** `duplex.anthropic.baseUrl`; '' for Anthropic's own. */
  readonly baseUrl: () => string;
  /** The editor's, which knows about proxies and certificates. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** Given up when nothing at all, not even a ping, comes for this long. */
  readonly idleMs?: number;
  readonly maxRetries?: number;
  /** A longer `retry-after` than this is an error at once: nobody waits for it in front of a chat. */
  readonly maxWaitMs?: number;
}

const maxModels = 200;

/** Claude through Anthropic's own SDK, which is loaded on the first request. */
export class AnthropicProvider implements ModelProvider {
  readonly kind = 'anthropic';
  readonly isAi = true;
  readonly #options: AnthropicOptions;
  readonly #clock: Clock;

  constructor(options: AnthropicOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  destination(): string {
    return readBaseUrl(this.#options.baseUrl());
  }

  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const access = await this.#access();
    const attempt = this.#attempt(signal);
    try {
      const client = await this.#client(access, attempt);
      const models: ModelInfo[] = [];
      for await (const model of client.models.list({ limit: 100 }, { signal: attempt.signal })) {
        models.push(toModelInfo(model));
        if (models.length >= maxModels) {
          break;
        }
      }
      return models;
    } catch (error) {
      throw this.#failure(error, attempt, access, '', 'none').error;
    } finally {
      attempt.dispose();
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const access = await this.#access();
    if (request.destination !== undefined && request.destination !== access.baseUrl) {
      throw chatError('chat.destinationChanged');
    }
    for (let retries = 0; ; retries += 1) {
      let progress = 'none' as RequestProgress;
      const attempt = this.#attempt(signal);
      let failed: FailedRequest;
      try {
        for await (const event of this.#events(request, access, attempt)) {
          progress = event.kind === 'usage' && progress !== 'output' ? 'begun' : 'output';
          yield event;
        }
        return;
      } catch (error) {
        failed = this.#failure(error, attempt, access, request.model, progress);
      } finally {
        attempt.dispose();
      }
      const wait = this.#waitBeforeRetry(failed, retries);
      if (failed.retry === undefined || wait === undefined) {
        throw failed.error;
      }
      yield { kind: 'waiting', reason: failed.retry.reason, retryInMs: wait };
      await pause(this.#clock, wait, signal);
    }
  }

  async *#events(request: ModelRequest, access: AnthropicAccess, attempt: Attempt): AsyncGenerator<ModelEvent> {
    const client = await this.#client(access, attempt);
    const stream = await client.messages.create(toWire(request), { signal: attempt.signal });
    yield* toModelEvents(stream, request.model);
  }

  async #access(): Promise<AnthropicAccess> {
    return { apiKey: readApiKey(await this.#options.apiKey()), baseUrl: readBaseUrl(this.#options.baseUrl()) };
  }

  #client(access: AnthropicAccess, attempt: Attempt): Promise<Anthropic> {
    const idleMs = this.#options.idleMs ?? 60_000;
    // The SDK's own timer would end the request too, but it knows nothing of the injected clock: ours comes first.
    return createClient({ ...access, fetch: this.#options.fetch ?? fetch, timeoutMs: idleMs * 2, onBytes: () => attempt.touch() });
  }

  #attempt(signal: AbortSignal): Attempt {
    return new Attempt(signal, this.#clock, this.#options.idleMs ?? 60_000);
  }

  #failure(error: unknown, attempt: Attempt, access: AnthropicAccess, model: string, progress: RequestProgress): FailedRequest {
    if (attempt.isStopped) {
      throw abortError();
    }
    if (attempt.isIdle) {
      const seconds = Math.round((this.#options.idleMs ?? 60_000) / 1000);
      return { error: chatError('model.idle', { seconds }) };
    }
    const plain = isAbort(error) ? new Error('The request was broken off.') : error;
    return toFailedRequest(plain, { apiKey: access.apiKey, model, progress, nowMs: this.#clock.wallTime() });
  }

  #waitBeforeRetry(failed: FailedRequest, retries: number): number | undefined {
    if (failed.retry === undefined || retries >= (this.#options.maxRetries ?? 3)) {
      return undefined;
    }
    const wait = failed.retry.afterMs ?? Math.min(1_000 * 2 ** retries, 8_000);
    return wait <= (this.#options.maxWaitMs ?? 60_000) ? wait : undefined;
  }
}

/** One request: ends when the person stops it, or when it has been silent for too long. */
class Attempt implements Disposable {
  isIdle = false;
  readonly signal: AbortSignal;
  readonly #outer: AbortSignal;
  readonly #silence = new AbortController();
  readonly #clock: Clock;
  readonly #idleMs: number;
  #timer: Disposable | undefined;

  constructor(outer: AbortSignal, clock: Clock, idleMs: number) {
    this.#outer = outer;
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.signal = AbortSignal.any([outer, this.#silence.signal]);
    this.touch();
  }

  get isStopped(): boolean {
    return this.#outer.aborted;
  }

  touch(): void {
    this.#timer?.dispose();
    if (this.signal.aborted) {
      return;
    }
    this.#timer = this.#clock.schedule(this.#idleMs, () => {
      this.isIdle = true;
      this.#silence.abort();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    // A consumer that leaves early must not leave a request behind.
    this.#silence.abort();
  }
}

function toModelInfo(model: Anthropic.ModelInfo): ModelInfo {
  return {
    id: model.id,
    label: model.display_name === '' ? model.id : model.display_name,
    // Gateways in front of the API leave it out.
    ...(typeof model.max_input_tokens === 'number' ? { contextTokens: model.max_input_tokens } : {}),
  };
}
