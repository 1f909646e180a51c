// features/: what the protocol has besides calling a tool. What the server offers: prompts, resources, completions, messages, tasks.
// What this side offers to the server, each under consent: roots.ts, sampling/, elicitation.ts. This file joins them for one server.
import { abortError } from '../../base/abort.ts';
import { isAbort, messageOf, type AppError } from '../../base/errors.ts';
import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Ask } from '../../consent/consentGate.ts';
import { hostError, timeoutError } from '../shared/hostErrors.ts';
import { retryRead } from '../shared/failures.ts';
import { type Client } from '../shared/sdk.ts';
import { fromSdkError } from '../shared/failures.ts';
import type { PromptInfo, ResourceInfo, ResourceTemplateInfo, SkillInfo } from '../shared/serverState.ts';
import { CallTimer, maxTimeoutMs } from './callTimer.ts';
import { OpenCalls, type CausedBy, type CausingClient, type OpenCall } from './openCalls.ts';
import { readPromptMessages, type PromptContent } from './serverContent.ts';
import { type ResourcePart, ResourceReads, ResourceSubscriptions } from './resources.ts';
import { ServerLists } from './serverLists.ts';
import type { ReadSkillFile } from './skills.ts';
import { ServerMessages, type ServerLogLevel } from './serverMessages.ts';

export interface ServerFeaturesOptions {
  readonly timeoutMs: number;
  readonly log: Log;
  /** Answer the server's own requests. Without them none are offered to it. */
  readonly handlers?: readonly ClientHandlers[];
  readonly isWaitingForPerson?: () => boolean;
  /** The open calls; the handlers have the same object. */
  readonly calls?: OpenCalls;
}

/** Answers requests of one server. It gets every client before that connects. */
export interface ClientHandlers extends Disposable {
  configure(client: Client): void;
  /** Called when the connection is gone. */
  detach?(): void;
  /** Answers a request for the person's model that an app of the server makes. */
  readonly sample?: SampleForApp;
}

/** Asks the person's model for an app, after the same review as for its server. Rejects with an error that has a code. */
export type SampleForApp = (params: JsonObject, by: AskingApp) => Promise<JsonObject>;

export interface AskingApp {
  /** The tool whose app it is. */
  readonly app: string;
  /** Shows the review. */
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

/** A prompt or template with an argument that can be completed. */
export type CompletionReference =
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'template'; readonly uriTemplate: string };

export interface CompletionQuery {
  readonly reference: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  /** The other arguments that are already filled in. */
  readonly context: Readonly<Record<string, string>>;
}

export interface CompletedValues {
  readonly values: readonly string[];
  readonly hasMore: boolean;
}

export interface FeatureOptions {
  readonly signal: AbortSignal;
  /** Shows the questions that the request causes; without it they appear in their usual place. */
  readonly ask?: Ask | undefined;
  /** The outside client for which it is read. */
  readonly client?: CausingClient | undefined;
}

interface Wanted {
  readonly capability: 'prompts' | 'resources' | 'completions';
  /** The name that people know it by. */
  readonly name: string;
}

interface Connection {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** The session of a connection, as far as its features need it. */
interface AttachedSession {
  readonly closed: Promise<unknown>;
  readonly origin?: string | undefined;
  /** Reads the tools again, as if the server had said that they changed. */
  refreshTools(): void;
}

/**
 * What one server offers besides tools, over all its connections. The registry puts the lists into its snapshots; ToolCaller
 * looks at `isWaitingForPerson`; ContentReader and LiveResources read prompts and resources; forms ask for completions; the
 * servers view sets the log level.
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

  /** Fires when prompts, resources, templates or skills changed. */
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

  get skills(): readonly SkillInfo[] {
    return this.#lists.current.skills;
  }

  /** Resolves when the lists of the present connection have been read. A server is ready before that. */
  get listed(): Promise<void> {
    return this.#lists.listed;
  }

  /** Whether a question of this server is open. Its calls do not time out meanwhile. */
  get isWaitingForPerson(): boolean {
    return this.#options.isWaitingForPerson?.() ?? false;
  }

  /** How an app of the server asks the person's model; undefined where no server is offered it. */
  get sample(): SampleForApp | undefined {
    return this.#options.handlers?.find(({ sample }) => sample !== undefined)?.sample;
  }

  /** Notes that a tool is called; the result must be told how the call ended. */
  beginCall(tool: string, by?: CausedBy): OpenCall {
    return this.#calls.begin(tool, by);
  }

  /** Called before a connection, to declare what this side can do and to handle the server's requests and notifications. */
  configure(client: Client): void {
    this.#lists.configure(client);
    this.#subscriptions.configure(client);
    this.#messages.configure(client);
    this.#options.handlers?.forEach((handlers) => handlers.configure(client));
  }

  /** Called after the handshake. It does not wait for the lists: a server that never lists its prompts can still be used. */
  attach(client: Client, session: AttachedSession): void {
    const { closed, origin } = session;
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
    this.#lists.attach(client, gone.signal, origin);
    this.#subscriptions.attach(client, gone.signal, () => {
      this.#lists.refresh(client);
      session.refreshTools();
    });
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

  /** Reads all files of a skill as the server has them now, each checked against its digest. */
  readSkill(uri: string, options: FeatureOptions): Promise<readonly ReadSkillFile[]> {
    return this.#request({ capability: 'resources', name: uri }, options, async (client, request) =>
      (await import('./skills.ts')).readSkill(client, uri, request),
    );
  }

  /** The subscription holds over reconnections until it is disposed; changes arrive through `onDidUpdateResource`. */
  subscribe(uri: string): Promise<Disposable> {
    return this.#subscriptions.subscribe(uri);
  }

  /** Resolves to no values for a server without completions. */
  async complete({ reference, argument, context }: CompletionQuery, options: FeatureOptions): Promise<CompletedValues> {
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
      return { values: completion.values, hasMore: completion.hasMore === true };
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

  /**
   * Sends one request. What the server asks meanwhile belongs to it, as with a tool call, and the time that a person takes
   * for that does not count.
   */
  async #request<T>(
    { capability, name }: Wanted,
    { signal, ask, client }: FeatureOptions,
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
    const open = this.beginCall(name, { ask, client });
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
