import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLog } from '../../../src/base/log.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { RememberedEras } from '../../../src/host/shared/eraCache.ts';
import { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import type { RawToolResult, ServerSession } from '../../../src/host/connection/serverSession.ts';
import type { SchemaChecker } from '../../../src/host/connection/schemaChecks.ts';
import { CallTimer, maxTimeoutMs } from '../../../src/host/features/callTimer.ts';
import type { ToolInfo } from '../../../src/host/shared/serverState.ts';
import { checksInProcess } from '../../support/checksInProcess.ts';
import { openRemoteLink, type RemoteLinkOptions, type RemoteTarget } from '../../../src/host/transports/remoteLink.ts';

/** An HTTP server of a test, on a free port of this machine. */
export interface HttpPeer {
  readonly url: URL;
  readonly server: Server;
  /** Every request, as `METHOD path`. */
  readonly requests: string[];
  /** Ends it at once, with every connection. */
  close(): Promise<void>;
}

export async function startPeer(listener: RequestListener, path = '/mcp'): Promise<HttpPeer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  return listenOn(server, requests, `http://127.0.0.1`, path);
}

export async function listenOn(server: Server, requests: string[], base: string, path: string): Promise<HttpPeer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: new URL(`${base}:${port}${path}`),
    server,
    requests,
    close: () => {
      closed ??= new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closed;
    },
  };
}

export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const parsed: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
  return isJsonObject(parsed) ? parsed : {};
}

/** What a small server of the legacy era answers; undefined to a notification. */
export function legacyAnswer(message: JsonObject, protocolVersion = '2025-11-25'): JsonObject | undefined {
  const { id, method } = message;
  if (id === undefined) {
    return undefined;
  }
  const answer = (result: JsonValue): JsonObject => ({ jsonrpc: '2.0', id, result });
  switch (typeof method === 'string' ? method : '') {
    case 'initialize':
      return answer({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'peer', version: '1' } });
    case 'ping':
      return answer({});
    case 'tools/list':
      return answer({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
    case 'tools/call': {
      const params = isJsonObject(message['params']) ? message['params'] : {};
      return answer({ content: [{ type: 'text', text: JSON.stringify(params['arguments'] ?? {}) }] });
    }
    default:
      return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } };
  }
}

export function sendJson(response: ServerResponse, body: JsonValue, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Streamable HTTP with JSON answers and no listening stream. */
export function streamable(protocolVersion = '2025-11-25'): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    void readJson(request).then((message) => {
      const answer = legacyAnswer(message, protocolVersion);
      if (answer === undefined) {
        response.writeHead(202).end();
      } else {
        sendJson(response, answer);
      }
    });
  };
}

export interface RemoteHost {
  readonly connection: ServerConnection;
  start(): ReturnType<ServerConnection['start']>;
  call(args?: JsonObject): Promise<RawToolResult>;
  close(): Promise<void>;
}

export function connectTo(
  url: URL,
  target: Partial<RemoteTarget> = {},
  link: Partial<RemoteLinkOptions> = {},
  schemas: SchemaChecker = checksInProcess,
): RemoteHost {
  const timeoutMs = target.timeoutMs ?? 5_000;
  const connection = new ServerConnection(
    { clientVersion: '0.0.0', timeoutMs, filter: undefined, log: silentLog, schemas },
    { kind: 'stopped', reason: 'neverStarted' },
  );
  const whole: RemoteTarget = {
    definition: { id: 'user::peer' },
    url,
    type: 'auto',
    headers: {},
    timeoutMs,
    mayUseSecretsOverPlainHttp: false,
    ...target,
  };
  const eraCache = new RememberedEras();
  return {
    connection,
    start: () => connection.start((signal) => openRemoteLink(whole, { log: silentLog, signal, eraCache, ...link })),
    call: async (args = {}) => {
      const [tool] = connection.tools;
      if (connection.session === undefined || tool === undefined) {
        throw new Error(`Not ready but ${JSON.stringify(connection.state)}`);
      }
      return callPlainly(connection.session, tool, { args, timeoutMs });
    },
    close: async () => {
      await connection.stop('byUser');
      connection.dispose();
    },
  };
}

/** Without a wish that could end it, and in the time that the protocol's client keeps. */
export async function callPlainly(
  session: ServerSession,
  tool: ToolInfo,
  { args = {}, timeoutMs }: { readonly args?: JsonObject; readonly timeoutMs: number },
): Promise<RawToolResult> {
  const timer = new CallTimer(maxTimeoutMs, () => true);
  try {
    return await session.callTool(tool, args, { timer, timeoutMs, onProgress: () => undefined });
  } finally {
    timer.dispose();
  }
}

/** Closes everything a test opened, in reverse. */
export class Cleanup {
  readonly #closes: (() => Promise<unknown>)[] = [];
  add<T extends { close(): Promise<unknown> }>(closable: T): T {
    this.#closes.push(() => closable.close());
    return closable;
  }
  async run(): Promise<void> {
    for (const close of this.#closes.splice(0).reverse()) {
      await close();
    }
  }
}
