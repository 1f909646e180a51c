// models/: the models that can answer in the chat, each behind the port of modelProvider.ts: Anthropic (this file, with its format,
// events and errors beside it), VS Code's models (vscodeModels.ts) and the offline guide, which is no AI (offlineGuide.ts).
// answeringModel.ts decides which of them answers.
import type { Anthropic } from '@anthropic-ai/sdk';
import { abortError, pause } from '../../base/abort.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { isAbort } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { EndpointKey } from '../../contract/modelEndpoint.ts';
import { type AnthropicAccess, createAnthropicClient, readAccess, readBaseUrl } from './anthropicClient.ts';
import { type FailedRequest, type RequestProgress, toFailedRequest } from './anthropicErrors.ts';
import { toModelEvents } from './anthropicEvents.ts';
import { toolForAnthropic } from './anthropicTools.ts';
import { thinkingOf, toCountedWire, toModelInfo, toWire } from './anthropicWire.ts';
import { modelError } from './modelErrors.ts';
import type { ModelEvent, ModelInfo, ModelProvider, ModelRequest } from './modelProvider.ts';

export interface AnthropicOptions {
  /** Reads the key of an address, for every request; it is not kept. A plain text is a bearer token. */
  readonly apiKey: (baseUrl: string) => Promise<string | EndpointKey | undefined>;
  /** The setting `duplex.anthropic.baseUrl`; '' for Anthropic's own address. */
  readonly baseUrl: () => string;
  /** The editor's `fetch`, which knows about proxies and certificates. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** How long, in ms, nothing at all may come before the request is given up. */
  readonly idleMs?: number;
  readonly maxRetries?: number;
  /** The longest pause, in ms, that the provider may ask for; a longer one is an error at once. */
  readonly maxWaitMs?: number;
}

/** The most models that are taken from Anthropic's list. */
const maxModels = 200;

/** The provider for Claude, through Anthropic's own SDK, which is loaded on the first request. */
export class AnthropicProvider implements ModelProvider {
  readonly kind = 'anthropic';
  readonly isAi = true;
  readonly #options: AnthropicOptions;
  readonly #clock: Clock;
  /** How each known model is told to think, by address and id. */
  readonly #thinking = new Map<string, ModelInfo['thinking']>();

  constructor(options: AnthropicOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  destination(): string {
    return readBaseUrl(this.#options.baseUrl());
  }

  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.#ask(signal, '', async (client, { baseUrl }, attempt) => {
      const models: ModelInfo[] = [];
      let listed = 0;
      for await (const model of client.models.list({ limit: 100 }, { signal: attempt.signal })) {
        const info = toModelInfo(model);
        models.push(...(info === undefined ? [] : [info]));
        listed += 1;
        if (listed >= maxModels) {
          break;
        }
      }
      models.forEach(({ id, thinking }) => this.#thinking.set(`${baseUrl} ${id}`, thinking));
      return models;
    });
  }

  async countTokens(request: ModelRequest, signal: AbortSignal): Promise<number> {
    return this.#ask(signal, request.model, async (client, access, attempt) => {
      assertDestination(request, access);
      const counted = await client.messages.countTokens(toCountedWire(request), { signal: attempt.signal });
      return counted.input_tokens;
    });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const access = await this.#access();
    assertDestination(request, access);
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
      await this.#pause(wait, request, signal);
    }
  }

  async *#events(request: ModelRequest, access: AnthropicAccess, attempt: Attempt): AsyncGenerator<ModelEvent> {
    const client = await this.#client(access, attempt);
    const thinking = request.thinking === true ? await this.#thinkingOf(request.model, client, access, attempt) : undefined;
    const stream = await client.messages.create(toWire(request, thinking), { signal: attempt.signal });
    for await (const event of toModelEvents(stream, request.model)) {
      const tool = event.kind === 'toolUse' ? request.tools.find(({ name }) => name === event.name) : undefined;
      yield event.kind === 'toolUse' && tool !== undefined ? { ...event, input: toolForAnthropic(tool).argumentsOf(event.input) } : event;
    }
  }

  /** Makes one request that is not tried again, because the person does not wait for its answer. */
  async #ask<T>(
    signal: AbortSignal,
    model: string,
    ask: (client: Anthropic, access: AnthropicAccess, attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const access = await this.#access();
    const attempt = this.#attempt(signal);
    try {
      return await ask(await this.#client(access, attempt), access, attempt);
    } catch (error) {
      throw this.#failure(error, attempt, access, model, 'none').error;
    } finally {
      attempt.dispose();
    }
  }

  /**
   * How a model is told to think. A model that the person typed in may be in no list, so it is asked for; endpoints other than
   * Anthropic's know only the older way.
   */
  async #thinkingOf(model: string, client: Anthropic, { baseUrl }: AnthropicAccess, attempt: Attempt): Promise<ModelInfo['thinking']> {
    const key = `${baseUrl} ${model}`;
    if (!this.#thinking.has(key)) {
      try {
        this.#thinking.set(key, thinkingOf(await client.models.retrieve(model, undefined, { signal: attempt.signal })));
      } catch {
        return 'budgeted';
      }
    }
    return this.#thinking.get(key);
  }

  /** Reads the address first, and then the key of that very address. */
  async #access(): Promise<AnthropicAccess> {
    const baseUrl = readBaseUrl(this.#options.baseUrl());
    return readAccess(await this.#options.apiKey(baseUrl), baseUrl);
  }

  async #pause(milliseconds: number, { retryNow }: ModelRequest, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const subscription = retryNow?.(() => enough.abort());
    try {
      await pause(this.#clock, milliseconds, AbortSignal.any([signal, enough.signal]));
    } catch (error) {
      if (signal.aborted || !enough.signal.aborted) {
        throw error;
      }
    } finally {
      subscription?.dispose();
    }
  }

  #client(access: AnthropicAccess, attempt: Attempt): Promise<Anthropic> {
    const idleMs = this.#options.idleMs ?? 60_000;
    // The SDK's own timer does not know our clock, so it gets more time and ours fires first.
    return createAnthropicClient({ ...access, fetch: this.#options.fetch ?? fetch, timeoutMs: idleMs * 2, onBytes: () => attempt.touch() });
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
      return { error: modelError('model.idle', { seconds }) };
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

function assertDestination({ destination }: ModelRequest, { baseUrl }: AnthropicAccess): void {
  if (destination !== undefined && destination !== baseUrl) {
    throw modelError('chat.destinationChanged');
  }
}

/** One attempt at a request. It ends when the person stops it, or when nothing has come for too long. */
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
    // A request must not go on when its reader stops early.
    this.#silence.abort();
  }
}
