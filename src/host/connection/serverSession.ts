import { abortError, untilAborted } from '../../base/abort.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../base/json.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { appMimeType, appsExtension, tasksExtension } from '../../contract/protocolNames.ts';
import type { CallTimer } from '../features/callTimer.ts';
import {
  admitTasks,
  carriedTaskOf,
  createTask,
  followTask,
  isCalledAsTask,
  messageOfTask,
  type TaskInput,
  taskPort,
  type TaskState,
} from '../features/tasks.ts';
import type { Era } from '../shared/eraCache.ts';
import { fromSdkError, retryRead } from '../shared/failures.ts';
import { hostError } from '../shared/hostErrors.ts';
import { leftOutKey } from '../intake/boundMessage.ts';
import { intakeLink } from '../intake/intakeLink.ts';
import { ReadingOrder, Refresher } from '../intake/listReading.ts';
import { iconsOf } from '../shared/icons.ts';
import { Pulse } from '../shared/pulse.ts';
import { type Client, createClient, type CreatedClient } from '../shared/sdk.ts';
import type { ServerLink } from '../shared/serverLink.ts';
import type { ReadyState, ToolInfo } from '../shared/serverState.ts';
import { type ServerTraffic, tapLink } from '../transports/tapTransport.ts';
import { shakeHands, EndedByProbe, negotiationFor } from './handshake.ts';
import { DirectCalls } from './directCalls.ts';
import { isAnswering, watchHealth } from './health.ts';
import { type ArgumentsRefusal, ToolSchemas, type ToolSchemasOptions } from './schemaChecks.ts';
import { listTools, readTools, type ToolFilter, withoutInvalidHeaders } from './toolList.ts';

export interface SessionOptions extends ToolSchemasOptions {
  readonly clientVersion: string;
  readonly timeoutMs: number;
  readonly filter: ToolFilter | undefined;
  /** Called before the handshake, to declare what this side can do and to handle the server's requests and notifications. */
  readonly configure?: ((client: Client) => void) | undefined;
  /** Called after the handshake; `closed` resolves when this connection is gone. */
  readonly afterConnect?: ((client: Client, session: Pick<ServerSession, 'closed' | 'origin' | 'refreshTools'>) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly traffic?: ServerTraffic | undefined;
}

export interface CallOptions {
  /** Limits and ends the call. */
  readonly timer: CallTimer;
  readonly timeoutMs: number;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Called when nothing is awaited of the server for a while, and when that is over. */
  readonly onPause?: ((isPausing: boolean) => void) | undefined;
  /** Tells the editor's own server which call asks, so that its questions appear there. Such a call is never answered by a task. */
  readonly ownCallId?: string | undefined;
}

export interface ToolProgress {
  readonly value: number;
  readonly total?: number;
  readonly message?: string;
}

/** The result of a tool as the protocol has it. */
export interface RawToolResult {
  readonly isError: boolean;
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonValue | undefined;
  /** What only an app of the server may look at. No model gets it. */
  readonly meta?: JsonObject | undefined;
}

/** How long a server has to name the task of a call that was cancelled meanwhile, so that the task can be cancelled too. */
const lateTaskMs = 2_000;

/** One connection, from the handshake to its end. After that it is never used again. */
export class ServerSession {
  readonly #client: Client;
  readonly #directCalls: DirectCalls;
  readonly #link: ServerLink;
  readonly #options: SessionOptions;
  readonly #lifetime = new DisposableStore();
  readonly #closing = new AbortController();
  readonly #toolChanges = new Refresher(() => this.#readToolsAgain(), this.#closing.signal);
  readonly #schemas: ToolSchemas;
  readonly #pulse = new Pulse();
  readonly #toolsChanged = this.#lifetime.add(new Emitter<void>());
  readonly #toolReadings = new ReadingOrder();
  #tools: readonly ToolInfo[] = [];
  #failure: AppError | undefined;
  /** How tasks ask the person on a connection of 2026-07-28; undefined on an older one. */
  #taskInput: TaskInput | undefined;

  readonly onDidChangeTools = this.#toolsChanged.event;
  /** Resolves when the connection is gone: to the reason, or to undefined when it was closed on request. */
  readonly closed: Promise<AppError | undefined>;

  private constructor(created: CreatedClient, link: ServerLink, options: SessionOptions) {
    const { client } = created;
    this.#client = client;
    this.#directCalls = new DirectCalls(created);
    this.#link = link;
    this.#options = options;
    this.#schemas = new ToolSchemas(options);
    this.closed = new Promise((resolve) => {
      client.onclose = () => {
        const asked = this.#closing.signal.aborted;
        this.#release();
        const gone = link.end ?? hostError('host.closedByServer', {});
        resolve(this.#failure ?? (asked ? undefined : gone));
      };
    });
  }

  /** Shakes hands and reads the tools. On failure everything is closed before this rejects. */
  static async open(opened: ServerLink, options: SessionOptions, signal: AbortSignal): Promise<ServerSession> {
    const link = tapLink(intakeLink(opened, options.log), options.traffic);
    const negotiation = negotiationFor(link, options.timeoutMs);
    const created = await createClient(options.clientVersion, negotiation);
    const session = new ServerSession(created, link, options);
    const { client } = created;
    client.onerror = (error) => options.log.debug(`protocol: ${revealInvisible(error.message.slice(0, 500))}`);
    client.setNotificationHandler('notifications/tools/list_changed', () => session.refreshTools());
    try {
      const tasks = negotiation.mode !== 'legacy' && { [tasksExtension]: {} };
      client.registerCapabilities({ extensions: { [appsExtension]: { mimeTypes: [appMimeType] }, ...tasks } });
      options.configure?.(client);
      await shakeHands(client, link, { timeout: options.timeoutMs, signal });
      session.#pulse.follow(link.transport);
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

  /** The SDK's client of this connection. */
  get client(): Client {
    return this.#client;
  }

  get era(): Era {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  /** The origin of a remote server; undefined for a local one. */
  get origin(): string | undefined {
    return this.#link.origin;
  }

  /** Translates an error of the SDK; the reason why the connection ended, if it did, comes first. */
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

  /** Reads the tools again soon, because they changed or may have. */
  refreshTools(): void {
    this.#toolChanges.request();
  }

  /** Rejects with an AppError, or with an AbortError when the call was cancelled; the server is then told. */
  async callTool(tool: ToolInfo, args: JsonObject, options: CallOptions): Promise<RawToolResult> {
    try {
      // A schema that cannot be used must be found before the tool acts, or its result would be lost.
      if (tool.outputSchema !== undefined) {
        await this.#schemas.requireUsable(tool.outputSchema, options.timer.signal);
      }
      const isTaskCall = options.ownCallId === undefined && isCalledAsTask(this.#client, tool);
      const answer = await (isTaskCall ? this.#callAsTask(tool, args, options) : this.#callDirectly(tool, args, options));
      const result = readResult(answer);
      // The server has answered; what follows must not count as its time.
      options.onPause?.(true);
      const isUnchecked = result.isError || isLeftOut(answer);
      return isUnchecked || tool.outputSchema === undefined ? result : await this.#checked(tool, tool.outputSchema, result, options);
    } catch (error) {
      if (options.timer.isOver) {
        throw abortError('The call was cancelled.');
      }
      const isClosed = this.#closing.signal.aborted;
      throw this.failureOf(isClosed ? hostError('host.connectionClosed') : error, options.timeoutMs);
    }
  }

  /** Why the tool's input schema refuses these arguments, if it does. */
  argumentsRefusal(tool: ToolInfo, args: JsonObject, signal: AbortSignal): Promise<ArgumentsRefusal | undefined> {
    return this.#schemas.argumentsRefusal(tool, args, signal);
  }

  /** Resolves when the server and everything it started are gone. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client.close();
    // The client forgets a transport that never connected or is already closed, but the process may still be ending.
    await this.#link.transport.close();
    this.#release();
  }

  /** Ends the connection for a reason on this side. */
  fail(reason: AppError): void {
    this.#failure ??= reason;
    void this.close();
  }

  async #checked(tool: ToolInfo, outputSchema: JsonObject, result: RawToolResult, { timer }: CallOptions): Promise<RawToolResult> {
    const note = await this.#schemas.checkOutput(tool, outputSchema, result.structuredContent, timer.signal);
    return note === undefined ? result : { ...result, content: [...result.content, { type: 'text', text: note }] };
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
    this.#lifetime.add(watchHealth({ clock, pulse: this.#pulse, isAlive: () => isAnswering(this.#client), onDead }));
  }

  /** Another reading may end meanwhile, so what has changed is told by the list that is replaced. One that says the same is no change. */
  async #readTools(signal: AbortSignal): Promise<void> {
    const read = (): Promise<readonly JsonObject[]> => listTools(this.#client, { timeout: this.#options.timeoutMs, signal });
    const counts = this.#toolReadings.begin();
    const raw = await retryRead(read, (error) => this.failureOf(error), signal);
    if (!counts()) {
      return;
    }
    const tools = readTools(
      this.era === 'modern' ? withoutInvalidHeaders(raw, this.#options.log) : raw,
      this.#options.filter,
      this.#options.log,
      this.#link.origin,
    );
    if (!isSameJson(tools, this.#tools)) {
      this.#tools = tools;
      this.#toolsChanged.fire();
    }
  }

  /** A list that cannot be read again leaves the earlier tools as they are. */
  async #readToolsAgain(): Promise<void> {
    const { signal } = this.#closing;
    try {
      await this.#readTools(signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#options.log.warn(
          `The changed list of tools could not be read: ${fromSdkError(error, undefined, this.#options.timeoutMs).message}`,
        );
      }
    }
  }

  #release(): void {
    this.#closing.abort();
    this.#lifetime.dispose();
  }
}

/** Reads a result that the door has let in. */
export function readResult(result: JsonObject): RawToolResult {
  const { content, structuredContent, isError, _meta } = result;
  if (!Array.isArray(content)) {
    throw hostError('host.invalidAnswer', { reason: 'it has no content.' });
  }
  return {
    isError: isError === true,
    content: (content as readonly unknown[]).filter(isJsonObject),
    structuredContent,
    ...(isJsonObject(_meta) && { meta: _meta }),
  };
}

/** Whether the door has left the structured content out, which a sentence in the result says: then it cannot be checked. */
function isLeftOut({ _meta }: JsonObject): boolean {
  return isJsonObject(_meta) && _meta[leftOutKey] === true;
}
