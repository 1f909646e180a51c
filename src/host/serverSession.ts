import { setTimeout as sleep } from 'node:timers/promises';
import type { AppError } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { SchemaVerdict } from '../contract/schemaVerdict.ts';
import type { ArgumentsRefusal } from './askedCall.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { abortError, untilAborted } from '../base/abort.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { tasksExtension } from '../contract/protocolNames.ts';
import { connectClient, EndedByProbe, negotiationFor } from './connectClient.ts';
import { DirectCalls } from './directCalls.ts';
import type { CallTimer } from './features/callTimer.ts';
import type { Era } from './shared/eraCache.ts';
import { admitTasks, carriedTaskOf, createTask, isCalledAsTask, taskPort } from './features/taskCalls.ts';
import { iconsOf } from './shared/icons.ts';
import type { TaskInput } from './features/taskInput.ts';
import { followTask, messageOfTask, type TaskState } from './features/taskFollower.ts';
import { isAlive, watchHealth } from './health.ts';
import { hostError } from './shared/hostErrors.ts';
import { withoutInvalidHeaders } from './parameterHeaders.ts';
import { retryRead } from './shared/retryRead.ts';
import { createClient, fromSdkError, type Client, type CreatedClient } from './shared/sdk.ts';
import type { ServerLink } from './shared/serverLink.ts';
import type { ReadyState, ToolInfo } from './shared/serverState.ts';
import type { OutputVerdict } from './checkTools.ts';
import { listTools, readTools, type ToolFilter } from './toolList.ts';
import { tapLink, type ServerTraffic } from './transports/tapTransport.ts';

/** A port: holds a value against a schema that the server wrote, without holding up anybody. */
export interface SchemaChecks {
  /** Without a value the schema alone is looked at. */
  check(schema: JsonObject, value: JsonValue | undefined, options: SchemaCheckOptions): Promise<SchemaVerdict>;
}

interface SchemaCheckOptions {
  readonly signal: AbortSignal;
  /** Whose schema it is: one server's slow ones must not hold up another's. */
  readonly owner: object;
}

export interface SessionOptions {
  readonly clientVersion: string;
  readonly timeoutMs: number;
  readonly filter: ToolFilter | undefined;
  readonly log: Log;
  /** Before the handshake: says what this side can do and takes the server's requests and notices. */
  readonly configure?: ((client: Client) => void) | undefined;
  /** After the handshake; `closed` resolves when this connection is gone. */
  readonly afterConnect?: ((client: Client, session: { readonly closed: Promise<unknown> }) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly schemas: SchemaChecks;
  readonly traffic?: ServerTraffic | undefined;
  /** What came of holding a result against the tool's output schema. */
  readonly noteOutput?: ((tool: string, seen: OutputVerdict) => void) | undefined;
}

export interface CallOptions {
  /** Ends it. */
  readonly timer: CallTimer;
  readonly timeoutMs: number;
  readonly onProgress: (progress: ToolProgress) => void;
  /** A task is being left alone for a while: nothing is awaited of the server meanwhile. */
  readonly onPause?: ((isPausing: boolean) => void) | undefined;
  /** By which the editor's own server finds who calls, to ask there; such a call is answered by its own result, never by a task. */
  readonly ownCallId?: string | undefined;
}

export interface ToolProgress {
  readonly value: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a tool gave back, as the protocol has it. */
export interface RawToolResult {
  readonly isError: boolean;
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonValue | undefined;
}

const maxReasonLength = 4_000;
/** Time between two readings of a list that keeps changing. */
const refreshGapMs = 100;
/** What a server gets to name the task of a call that was cancelled meanwhile, so that the task can be cancelled too. */
const lateTaskMs = 2_000;

/** One connection, from the handshake to its end. It is never used again after that. */
export class ServerSession {
  readonly #client: Client;
  readonly #directCalls: DirectCalls;
  readonly #link: ServerLink;
  readonly #options: SessionOptions;
  readonly #lifetime = new DisposableStore();
  readonly #closing = new AbortController();
  /** Tools whose input schema turned out to be of no use. */
  readonly #unheld = new Set<string>();
  readonly #toolsChanged = this.#lifetime.add(new Emitter<void>());
  #tools: readonly ToolInfo[] = [];
  #isStale = false;
  #isRefreshing = false;
  #failure: AppError | undefined;
  /** On a connection of 2026-07-28. */
  #taskInput: TaskInput | undefined;

  readonly onDidChangeTools = this.#toolsChanged.event;
  /** Resolves when the connection is gone; to the reason when nobody had asked for it. */
  readonly closed: Promise<AppError | undefined>;

  private constructor(created: CreatedClient, link: ServerLink, options: SessionOptions) {
    const { client } = created;
    this.#client = client;
    this.#directCalls = new DirectCalls(created);
    this.#link = link;
    this.#options = options;
    this.closed = new Promise((resolve) => {
      client.onclose = () => {
        const asked = this.#closing.signal.aborted;
        this.#release();
        const gone = link.end ?? hostError('host.closedByServer', {});
        resolve(this.#failure ?? (asked ? undefined : gone));
      };
    });
  }

  /** Shakes hands and reads the tools. On failure everything is closed again before this rejects. */
  static async open(opened: ServerLink, options: SessionOptions, signal: AbortSignal): Promise<ServerSession> {
    const link = tapLink(opened, options.traffic);
    const negotiation = negotiationFor(link, options.timeoutMs);
    const created = await createClient(options.clientVersion, negotiation);
    const session = new ServerSession(created, link, options);
    const { client } = created;
    client.onerror = (error) => options.log.debug(`protocol: ${revealInvisible(error.message).slice(0, 500)}`);
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      session.#isStale = true;
      void session.#refresh();
    });
    try {
      if (negotiation.mode !== 'legacy') {
        client.registerCapabilities({ extensions: { [tasksExtension]: {} } });
      }
      options.configure?.(client);
      await connectClient(client, link, { timeout: options.timeoutMs, signal });
      if (session.era === 'modern') {
        session.#taskInput = admitTasks(link.transport);
      }
      options.afterConnect?.(client, session);
      await session.#readTools(signal);
      session.#watch();
      return session;
    } catch (error) {
      await session.close();
      if (signal.aborted) {
        throw signal.reason;
      }
      throw error instanceof EndedByProbe ? error : (link.end ?? fromSdkError(error, link.lastWords, options.timeoutMs));
    }
  }

  /** The SDK's own end of it. */
  get client(): Client {
    return this.#client;
  }

  get era(): Era {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  /** Of a remote server. */
  get origin(): string | undefined {
    return this.#link.origin;
  }

  /** In our words, with the reason the connection ended if it did. */
  failureOf(error: unknown, timeoutMs = this.#options.timeoutMs): AppError {
    return this.#failure ?? this.#link.end ?? fromSdkError(error, this.#link.lastWords, timeoutMs);
  }

  get tools(): readonly ToolInfo[] {
    return this.#tools;
  }

  describe(): ReadyState {
    const version = this.#client.getServerVersion();
    return {
      kind: 'ready',
      serverName: revealInvisible(version?.title ?? version?.name ?? ''),
      version: revealInvisible(version?.version ?? ''),
      protocolVersion: this.#client.getNegotiatedProtocolVersion() ?? '',
      capabilities: Object.keys(this.#client.getServerCapabilities() ?? {}),
      instructions: this.#client.getInstructions(),
      ...iconsOf(version?.icons, this.#link.origin),
    };
  }

  /** Rejects with an AppError, or with an AbortError when `signal` fired; the server is then told. */
  async callTool(tool: ToolInfo, args: JsonObject, options: CallOptions): Promise<RawToolResult> {
    try {
      // Before anything happens: a schema that cannot be used is no reason to lose a result.
      if (tool.outputSchema !== undefined) {
        await this.#checkSchema(tool.outputSchema, options.timer.signal);
      }
      const isTaskCall = options.ownCallId === undefined && isCalledAsTask(this.#client, tool);
      const result = readResult(await (isTaskCall ? this.#callAsTask(tool, args, options) : this.#callDirectly(tool, args, options)));
      // The server has answered: what follows takes none of its time.
      options.onPause?.(true);
      return result.isError || tool.outputSchema === undefined ? result : await this.#checked(tool, tool.outputSchema, result, options);
    } catch (error) {
      if (options.timer.isOver) {
        throw abortError('The call was cancelled.');
      }
      const isClosed = this.#closing.signal.aborted;
      throw this.failureOf(isClosed ? hostError('host.connectionClosed') : error, options.timeoutMs);
    }
  }

  /**
   * What the tool's input schema says against these arguments. Undefined when it says nothing, or when it cannot be used or
   * takes too long: the server has the last word.
   */
  async argumentsRefusal({ name, inputSchema }: ToolInfo, args: JsonObject, signal: AbortSignal): Promise<ArgumentsRefusal | undefined> {
    const verdict = await this.#options.schemas.check(inputSchema, args, { signal, owner: this });
    if ((verdict.kind === 'badSchema' || verdict.kind === 'gaveUp') && !this.#unheld.has(name)) {
      // Once: it is tried again at every word that is typed.
      this.#unheld.add(name);
      this.#options.log.warn(
        `Arguments of ${revealInvisible(name)} were not held against its input schema: ${revealInvisible(verdict.reason)}`,
      );
    }
    return verdict.kind === 'misfit' ? shownRefusal(verdict) : undefined;
  }

  /** Resolves when the server is gone with everything it started. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client.close();
    // The client forgets a transport that never connected or is already closed; its process may still be ending.
    await this.#link.transport.close();
    this.#release();
  }

  /** Ends the connection for a reason of ours. */
  fail(reason: AppError): void {
    this.#failure ??= reason;
    void this.close();
  }

  /** The SDK would do it here and now, and a server can make a schema that takes minutes. */
  async #checkSchema(outputSchema: JsonObject, signal: AbortSignal): Promise<void> {
    refuse(await this.#options.schemas.check(outputSchema, undefined, { signal, owner: this }));
  }

  /** The tool has acted by now: a result that could not be checked in time is kept, or the model would act again. */
  async #checked(
    { name }: ToolInfo,
    outputSchema: JsonObject,
    result: RawToolResult,
    { timer: { signal } }: CallOptions,
  ): Promise<RawToolResult> {
    if (result.structuredContent === undefined) {
      this.#options.noteOutput?.(name, { schema: outputSchema, verdict: { kind: 'misfit', reason: 'no structured content', places: [] } });
      throw hostError('host.invalidAnswer', { reason: `${name} has an output schema but did not return structured content.` });
    }
    const verdict = await this.#options.schemas.check(outputSchema, result.structuredContent, { signal, owner: this });
    this.#options.noteOutput?.(name, { schema: outputSchema, verdict });
    if (verdict.kind !== 'gaveUp') {
      refuse(verdict);
      return result;
    }
    this.#options.log.warn(`The result of ${revealInvisible(name)} was not held against its output schema: it ${verdict.reason}.`);
    const note = `Note: this result was not checked against the tool's output schema. Checking it was given up: it ${verdict.reason}.`;
    return { ...result, content: [...result.content, { type: 'text', text: note }] };
  }

  async #callDirectly(tool: ToolInfo, args: JsonObject, options: CallOptions): Promise<JsonObject> {
    const result = await this.#directCalls.call(tool, args, options);
    const task = this.era === 'modern' ? carriedTaskOf(result['_meta']) : undefined;
    return task === undefined ? result : this.#follow(task, options);
  }

  async #callAsTask(tool: ToolInfo, args: JsonObject, options: CallOptions): Promise<JsonObject> {
    const { signal } = options.timer;
    signal.throwIfAborted();
    const giveUp = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const onAbort = (): void => void (timer = setTimeout(() => giveUp.abort(), lateTaskMs));
    signal.addEventListener('abort', onAbort, { once: true });
    const creating = createTask(this.#client, tool, args, { signal: giveUp.signal, timeout: options.timeoutMs }).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
    const followed = creating.then(({ task, answer }) => (task === undefined ? answer : this.#follow(task, options)));
    return untilAborted(followed, signal);
  }

  #follow(task: TaskState, options: CallOptions): Promise<JsonObject> {
    const following = followTask(taskPort(this.#client, options.timeoutMs, this.#taskInput), task, {
      signal: AbortSignal.any([options.timer.signal, this.#closing.signal]),
      onState: (state, look) => options.onProgress({ value: look, message: messageOfTask(state) }),
      onPause: (isPausing) => options.onPause?.(isPausing),
    });
    return following.finally(() => this.#taskInput?.forget(task.id));
  }

  #watch(): void {
    if (this.#lifetime.isDisposed || this.#link.isDebugged === true) {
      return;
    }
    const clock = this.#options.clock ?? systemClock;
    const onDead = (): void => this.fail(hostError('host.unhealthy'));
    this.#lifetime.add(watchHealth({ clock, isAlive: () => isAlive(this.#client), onDead }));
  }

  async #readTools(signal: AbortSignal): Promise<void> {
    const read = (): Promise<readonly JsonObject[]> => listTools(this.#client, { timeout: this.#options.timeoutMs, signal });
    const raw = await retryRead(read, (error) => this.failureOf(error), signal);
    this.#tools = readTools(
      this.era === 'modern' ? withoutInvalidHeaders(raw, this.#options.log) : raw,
      this.#options.filter,
      this.#options.log,
      this.#link.origin,
    );
  }

  /** Many notices within a moment cause one reading; one that comes while it reads causes another. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing) {
      return;
    }
    this.#isRefreshing = true;
    const { signal } = this.#closing;
    try {
      while (this.#isStale) {
        await sleep(refreshGapMs, undefined, { signal, ref: false });
        this.#isStale = false;
        await this.#readTools(signal);
        this.#toolsChanged.fire();
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#options.log.warn(
          `The changed list of tools could not be read: ${fromSdkError(error, undefined, this.#options.timeoutMs).message}`,
        );
      }
    } finally {
      this.#isRefreshing = false;
    }
  }

  #release(): void {
    this.#closing.abort();
    this.#lifetime.dispose();
  }
}

function readResult(result: JsonObject): RawToolResult {
  const { content, structuredContent, isError } = result;
  if (!Array.isArray(content)) {
    throw hostError('host.invalidAnswer', { reason: 'it has no content.' });
  }
  return { isError: isError === true, content: (content as readonly unknown[]).filter(isJsonObject), structuredContent };
}

function shownRefusal({ reason, places }: Extract<SchemaVerdict, { readonly kind: 'misfit' }>): ArgumentsRefusal {
  return {
    reason: revealInvisible(reason).slice(0, maxReasonLength),
    places: places.map((place) => ({ ...place, wanted: revealInvisible(place.wanted), reason: revealInvisible(place.reason) })),
  };
}

function refuse(verdict: SchemaVerdict): void {
  const reason = misfitOf(verdict);
  if (reason !== undefined) {
    throw hostError('host.invalidAnswer', { reason: revealInvisible(reason).slice(0, maxReasonLength) });
  }
}

function misfitOf(verdict: SchemaVerdict): string | undefined {
  switch (verdict.kind) {
    case 'fits':
      return undefined;
    case 'misfit':
      return `its structured content does not match the tool's output schema: ${verdict.reason}`;
    case 'badSchema':
      return `the tool's output schema cannot be used: ${verdict.reason}`;
    case 'gaveUp':
      return `checking the tool's output schema was given up: it ${verdict.reason}.`;
  }
}
