/** Runs inside the extension host: the echo server lives in the same process as Duplex's own listener. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestAccess } from '../../src/app/app.ts';
import { activateDuplex, discovery } from '../editor/support/duplex.ts';
import type { LoadOrder } from './loadClient.ts';
import type { Measurement } from './roundTrips.ts';
import { measureTools } from './toolTimes.ts';

const loadMs = 120_000;

export async function run(): Promise<void> {
  const access = await activateDuplex();
  const window = await discovery();
  const answering = access.questions.onDidChange(() => allowEveryone(access));
  const echo = await startEcho();
  const order: LoadOrder = { echoUrl: echo.url, mcpUrl: window.urls.mcp, sseUrl: window.urls.sse, token: window.token };
  try {
    const measurements = await load(order);
    const toolTimes = await measureTools(window);
    const result = { activationMs: activationMs(), measurements, toolTimes };
    writeFileSync(process.env['DUPLEX_BENCH_RESULT'] ?? '', JSON.stringify(result));
  } finally {
    answering.dispose();
    echo.close();
  }
}

function allowEveryone(access: TestAccess): void {
  // Not inside the event that tells of the question: whoever asks is still asking.
  setImmediate(() => access.questions.list().forEach(({ askId }) => access.questions.answer({ askId, choice: 'allowSession' })));
}

function activationMs(): number {
  return performance.getEntriesByName('duplex.activate')[0]?.duration ?? Number.NaN;
}

async function load(order: LoadOrder): Promise<Measurement[]> {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'loadClient.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(order)], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    timeout: loadMs,
  });
  return JSON.parse(stdout) as Measurement[];
}

/** The floor: parse the request, answer with an object of the same kind, nothing else. */
async function startEcho(): Promise<{ url: string; close: () => void }> {
  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { id } = JSON.parse(text) as { id: number };
      const body = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: '{}' }], structuredContent: {} } });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
