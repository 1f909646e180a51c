import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as vscode from 'vscode';
import * as z from 'zod';
import { keepAliveTimeout } from './floors.ts';

/** As much of express as is used; it brings no types. */
interface ExpressApp {
  post(path: string, handle: (request: IncomingMessage & { readonly body: unknown }, response: ServerResponse) => Promise<void>): void;
  listen(port: number, host: string): Server;
}

/**
 * The same tool as other extensions would offer it: an McpServer of the SDK behind express, sessions kept in a map. It answers
 * in JSON, which is faster than the stream it would open by itself, and asks nobody for a credential.
 */
export async function startSdkPeer(): Promise<{ url: string; close: () => void }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const app = createMcpExpressApp() as ExpressApp;
  app.post('/mcp', async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    await (known ?? (await openSession(sessions))).handleRequest(request, response, request.body);
  });
  const server = app.listen(0, '127.0.0.1');
  server.keepAliveTimeout = keepAliveTimeout;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function openSession(sessions: Map<string, StreamableHTTPServerTransport>): Promise<StreamableHTTPServerTransport> {
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerTool(
    'get_diagnostics',
    {
      description: 'Returns what VS Code reports',
      inputSchema: { path: z.string().optional() },
      outputSchema: { diagnostics: z.array(z.unknown()) },
    },
    ({ path }) => {
      const diagnostics = vscode.languages
        .getDiagnostics()
        .flatMap(([uri, entries]) =>
          path !== undefined && !uri.path.endsWith(path) ? [] : entries.map(({ message }) => ({ path: uri.fsPath, message })),
        );
      return { content: [{ type: 'text', text: JSON.stringify({ diagnostics }) }], structuredContent: { diagnostics } };
    },
  );
  await server.connect(transport);
  return transport;
}
