import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { createClient, fromSdkError, type Client, type Transport } from './sdk.ts';
import type { ReadyState, ToolInfo } from './serverState.ts';
import { listTools, readTools, type ToolFilter } from './toolList.ts';

/** A way to a server, made anew for every start. */
export interface ServerLink {
  readonly transport: Transport;
  /** Why the server is gone, if it is and was not asked to. */
  readonly end: AppError | undefined;
  readonly lastWords: string;
}

export interface SessionOptions {
  readonly clientVersion: string;
  readonly timeoutMs: number;
  readonly filter: ToolFilter | undefined;
  readonly log: Log;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (progress: ToolProgress) => void;
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

/** Time between two readings of a list that keeps changing. */
const refreshGapMs = 100;

/** One connection, from the handshake to its end. It is never used again after that. */
export class ServerSession {
  readonly #client: Client;
  readonly #link: ServerLink;
  readonly #options: SessionOptions;
  readonly #lifetime = new DisposableStore();
  readonly #closing = new AbortController();
  readonly #toolsChanged = this.#lifetime.add(new Emitter<void>());
  #tools: readonly ToolInfo[] = [];
  #isStale = false;
  #isRefreshing = false;

  readonly onDidChangeTools = this.#toolsChanged.event;
  /** Resolves when the connection is gone; to the reason when nobody had asked for it. */
  readonly closed: Promise<AppError | undefined>;

  private constructor(client: Client, link: ServerLink, options: SessionOptions) {
    this.#client = client;
    this.#link = link;
    this.#options = options;
    this.closed = new Promise((resolve) => {
      client.onclose = () => {
        const asked = this.#closing.signal.aborted;
        this.#release();
        resolve(asked ? undefined : (link.end ?? new AppError('host.connectionClosed', 'The server closed the connection.')));
      };
    });
  }

  /** Shakes hands and reads the tools. On failure everything is closed again before this rejects. */
  static async open(link: ServerLink, options: SessionOptions, signal: AbortSignal): Promise<ServerSession> {
    const client = await createClient(options.clientVersion);
    const session = new ServerSession(client, link, options);
    client.onerror = (error) => options.log.debug(`protocol: ${revealInvisible(error.message).slice(0, 500)}`);
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      session.#isStale = true;
      void session.#refresh();
    });
    try {
      await client.connect(link.transport, { timeout: options.timeoutMs, signal });
      await session.#readTools(signal);
      return session;
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : (link.end ?? fromSdkError(error, link.lastWords, options.timeoutMs));
      await session.close();
      throw reason;
    }
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
    };
  }

  /** Rejects with an AppError, or with an AbortError when `signal` fired; the server is then told. */
  async callTool(tool: ToolInfo, args: JsonObject, options: CallOptions): Promise<RawToolResult> {
    try {
      const result = await this.#client.callTool(
        { name: tool.name, arguments: args },
        {
          signal: options.signal,
          timeout: options.timeoutMs,
          resetTimeoutOnProgress: true,
          onprogress: ({ progress, total, message }) =>
            options.onProgress({
              value: progress,
              ...(total === undefined ? {} : { total }),
              ...(message === undefined ? {} : { message }),
            }),
          toolDefinition: checkable(tool),
        },
      );
      const content: readonly unknown[] = result.content;
      return {
        isError: result.isError === true,
        content: content.filter(isJsonObject),
        structuredContent: result.structuredContent as JsonValue | undefined,
      };
    } catch (error) {
      if (options.signal.aborted) {
        throw new DOMException('The call was cancelled.', 'AbortError');
      }
      throw this.#link.end ?? fromSdkError(error, this.#link.lastWords, options.timeoutMs);
    }
  }

  /** Resolves when the server is gone with everything it started. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client.close();
    // The client forgets a transport that never connected or is already closed; its process may still be ending.
    await this.#link.transport.close();
    this.#release();
  }

  async #readTools(signal: AbortSignal): Promise<void> {
    const raw = await listTools(this.#client, { timeout: this.#options.timeoutMs, signal });
    this.#tools = readTools(raw, this.#options.filter, this.#options.log);
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

type CheckableTool = NonNullable<NonNullable<Parameters<Client['callTool']>[1]>['toolDefinition']>;

/**
 * The SDK checks results against the tool's output schema. A schema with patterns is not checked: the server writes both
 * the expression and the text, and could pick two that keep the editor busy for ever.
 */
function checkable(tool: ToolInfo): CheckableTool {
  const plain = { name: tool.name, inputSchema: { type: 'object' as const } };
  const hasPattern = /"(pattern|patternProperties|format)":/.test(JSON.stringify(tool.outputSchema ?? {}));
  return tool.outputSchema === undefined || hasPattern ? plain : { ...plain, outputSchema: tool.outputSchema };
}
