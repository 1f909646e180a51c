// features/: what the protocol has besides calling a tool. Of the server: prompts, resources, completions, messages, tasks. Of
// this side, for the server to ask: roots.ts, sampling.ts, elicitation.ts, each under consent. This file is one server's.
import { abortError } from '../../base/abort.ts';
import { isAbort, messageOf, type AppError } from '../../base/errors.ts';
import type { Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Ask } from '../../consent/consentGate.ts';
import { hostError, timeoutError } from '../shared/hostErrors.ts';
import { retryRead } from '../shared/failures.ts';
import { type Client } from '../shared/sdk.ts';
import { fromSdkError } from '../shared/failures.ts';
import type { PromptInfo, ResourceInfo, ResourceTemplateInfo } from '../shared/serverState.ts';
import { CallTimer, maxTimeoutMs } from './callTimer.ts';
import { OpenCalls, type OpenCall } from './openCalls.ts';
import { readPromptMessages, type PromptContent } from './serverContent.ts';
import { type ResourcePart, ResourceReads, ResourceSubscriptions } from './resources.ts';
import { ServerLists } from './serverLists.ts';
import { ServerMessages, type ServerLogLevel } from './serverMessages.ts';

export interface ServerFeaturesOptions {
  readonly timeoutMs: number;
  readonly log: Log;
  /** What answers the server's own requests; none are offered to it without. */
  readonly handlers?: readonly ClientHandlers[];
  readonly isWaitingForPerson?: () => boolean;
  /** Shared with the handlers. */
  readonly calls?: OpenCalls;
}

/** Answers requests of one server. Told of every client before it connects. */
export interface ClientHandlers extends Disposable {
  configure(client: Client): void;
  /** That connection is gone. */
  detach?(): void;
}

/** What has an argument that can be completed. */
export type CompletionReference =
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'template'; readonly uriTemplate: string };

export interface CompletionRequest {
  readonly reference: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  /** The other arguments that are already filled in. */
  readonly context: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  readonly hasMore: boolean;
}

export interface FeatureOptions {
  readonly signal: AbortSignal;
  /** Where the questions that it causes have a place of their own. */
  readonly ask?: Ask | undefined;
}

interface Wanted {
  readonly capability: 'prompts' | 'resources' | 'completions';
  /** What people know it by. */
  readonly name: string;
}

interface Connection {
  readonly client: Client;
  readonly signal: AbortSignal;
}

const maxCompletions = 100;

/**
 * What one server offers besides tools, over all its connections. The registry puts the lists into its snapshots and the
 * caller of tools looks at `isWaitingForPerson`; the chat and documents read resources and prompts (contentReader.ts,
 * liveResources.ts) and ask for completions; the servers view sets log levels.
 */
export class ServerFeatures implements Disposable {
  readonly #options: ServerFeaturesOptions;
  readonly #lifetime = new DisposableStore();
  readonly #lists: ServerLists;
  readonly #subscriptions: ResourceSubscriptions;
  readonly #messages: ServerMessages;
  readonly #calls: OpenCalls;
  #reads = new ResourceReads();
  #connection: Connection | undefined;
  #logLevel: ServerLogLevel | undefined;

  /** Prompts, resources or templates changed. */
  readonly onDidChange: Event<void>;
  readonly onDidUpdateResource: Event<string>;

  constructor(options: ServerFeaturesOptions) {
    this.#options = options;
    this.#calls = options.calls ?? new OpenCalls();
    this.#lists = this.#lifetime.add(new ServerLists(options));
    this.#subscriptions = this.#lifetime.add(new ResourceSubscriptions(options));
    this.#messages = new ServerMessages(options.log);
    this.onDidChange = this.#lists.onDidChange;
    this.onDidUpdateResource = this.#subscriptions.onDidUpdate;
    this.#lifetime.add(this.#subscriptions.onDidUpdate((uri) => this.#reads.drop(uri)));
    options.handlers?.forEach((handlers) => this.#lifetime.add(handlers));
  }

  get prompts(): readonly PromptInfo[] {
    return this.#lists.current.prompts;
  }

  get resources(): readonly ResourceInfo[] {
    return this.#lists.current.resources;
  }

  get templates(): readonly ResourceTemplateInfo[] {
    return this.#lists.current.templates;
  }

  /** Resolves when the lists of the present connection have been read; servers are ready before that. */
  get listed(): Promise<void> {
    return this.#lists.listed;
  }

  /** A question of this server is open: its calls do not time out meanwhile. */
  get isWaitingForPerson(): boolean {
    return this.#options.isWaitingForPerson?.() ?? false;
  }

  /** A tool is called: to be told how that ended. `ask` as above. */
  beginCall(tool: string, ask?: Ask): OpenCall {
    return this.#calls.begin(tool, ask);
  }

  /** Before a connection: says what this side can do and takes the server's requests and notices. */
  configure(client: Client): void {
    this.#lists.configure(client);
    this.#subscriptions.configure(client);
    this.#messages.configure(client);
    this.#options.handlers?.forEach((handlers) => handlers.configure(client));
  }

  /** After the handshake. Does not wait for the server: one that never lists its prompts can still be used. */
  attach(client: Client, { closed }: { readonly closed: Promise<unknown> }): void {
    const gone = new AbortController();
    const connection = { client, signal: gone.signal };
    this.#connection = connection;
    this.#reads = new ResourceReads();
    void closed.then(() => {
      gone.abort();
      if (this.#connection === connection) {
        this.#connection = undefined;
        this.#subscriptions.detach();
        this.#lists.detach();
        this.#options.handlers?.forEach((handlers) => handlers.detach?.());
      }
    });
    this.#lists.attach(client, gone.signal);
    this.#subscriptions.attach(client, gone.signal);
    this.#sendLogLevel().catch((error: unknown) => {
      if (!isAbort(error)) {
        this.#options.log.warn(`The log level could not be set: ${messageOf(error)}`);
      }
    });
  }

  /** Rejects with an AppError, or with an AbortError when `signal` fired. */
  getPrompt(name: string, args: Readonly<Record<string, string>>, options: FeatureOptions): Promise<PromptContent> {
    return this.#request({ capability: 'prompts', name }, options, async (client, request) =>
      readPromptMessages(await client.getPrompt({ name, arguments: { ...args } }, request)),
    );
  }

  readResource(uri: string, options: FeatureOptions): Promise<readonly ResourcePart[]> {
    return this.#request({ capability: 'resources', name: uri }, options, (client, request) => this.#reads.read(client, uri, request));
  }

  /** Holds over reconnections until it is disposed; changes arrive through `onDidUpdateResource`. */
  subscribe(uri: string): Promise<Disposable> {
    return this.#subscriptions.subscribe(uri);
  }

  /** Nothing for a server that completes nothing. */
  async complete({ reference, argument, context }: CompletionRequest, options: FeatureOptions): Promise<Completion> {
    if (this.#connection?.client.getServerCapabilities()?.completions === undefined) {
      return { values: [], hasMore: false };
    }
    const ref =
      reference.kind === 'prompt'
        ? { type: 'ref/prompt' as const, name: reference.name }
        : { type: 'ref/resource' as const, uri: reference.uriTemplate };
    const more = Object.keys(context).length === 0 ? {} : { context: { arguments: { ...context } } };
    const name = reference.kind === 'prompt' ? reference.name : reference.uriTemplate;
    return this.#request({ capability: 'completions', name }, options, async (client, request) => {
      const { completion } = await client.complete({ ref, argument: { ...argument }, ...more }, request);
      return { values: completion.values.slice(0, maxCompletions), hasMore: completion.hasMore === true };
    });
  }

  /** The level that the server was told; undefined while it chooses by itself what it sends. */
  get logLevel(): ServerLogLevel | undefined {
    return this.#logLevel;
  }

  /**
   * Sets the level from now on and over reconnections. A server without logging, or of a revision without levels, is not told.
   * Rejects with an AppError when the server does not take it: then the level is what it was.
   */
  async setLogLevel(level: ServerLogLevel): Promise<void> {
    const before = this.#logLevel;
    this.#logLevel = level;
    try {
      await this.#sendLogLevel();
    } catch (error) {
      this.#logLevel = before;
      throw error;
    }
  }

  dispose(): void {
    this.#connection = undefined;
    this.#lifetime.dispose();
  }

  async #sendLogLevel(): Promise<void> {
    const { client, signal } = this.#connection ?? {};
    const isKnown = client?.getServerCapabilities()?.logging !== undefined && client.getProtocolEra() !== 'modern';
    const { timeoutMs } = this.#options;
    if (client === undefined || signal === undefined || this.#logLevel === undefined || !isKnown) {
      return;
    }
    try {
      await client.request({ method: 'logging/setLevel', params: { level: this.#logLevel } }, { timeout: timeoutMs, signal });
    } catch (error) {
      throw signal.aborted ? abortError() : fromSdkError(error, undefined, timeoutMs);
    }
  }

  /** What the server asks meanwhile belongs to it, as with a call of a tool; the time that a person takes for that does not count. */
  async #request<T>(
    { capability, name }: Wanted,
    { signal, ask }: FeatureOptions,
    send: (client: Client, options: { timeout: number; signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const connection = this.#connection;
    if (connection === undefined) {
      throw hostError('host.notRunning', {});
    }
    if (connection.client.getServerCapabilities()?.[capability] === undefined) {
      throw hostError('host.notOffered', { capability });
    }
    signal.throwIfAborted();
    const { timeoutMs } = this.#options;
    const timer = new CallTimer(timeoutMs, () => this.isWaitingForPerson);
    const request = { timeout: maxTimeoutMs, signal: AbortSignal.any([signal, connection.signal, timer.signal]) };
    const failureOf = (error: unknown): AppError => fromSdkError(error, undefined, timeoutMs);
    const open = this.beginCall(name, ask);
    const attempt = (): Promise<T> => {
      timer.restart();
      return send(connection.client, request);
    };
    try {
      const result = await retryRead(attempt, failureOf, request.signal);
      open.end('answered');
      return result;
    } catch (error) {
      if (signal.aborted) {
        throw abortError('The request was cancelled.');
      }
      if (connection.signal.aborted) {
        throw hostError('host.connectionClosed');
      }
      throw timer.signal.aborted ? timeoutError(timeoutMs) : failureOf(error);
    } finally {
      open.end('givenUp');
      timer.dispose();
    }
  }
}
