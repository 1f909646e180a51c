import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { beginProfile, endProfile } from './profiling.ts';

/** As Duplex's own: a round of all others is longer than what Node takes by itself. */
export const keepAliveTimeout = 65_000;

/** Each answers a `PUT` of a result by giving that one from then on: as many bytes as whoever is measured beside it. */
export interface Floors {
  /** One JSON answer to a POST. */
  readonly jsonUrl: string;
  /** The same again, for another result. */
  readonly statelessUrl: string;
  /** A stream; what is POSTed to the same place is accepted with 202, and answered on it. */
  readonly sseUrl: string;
  readonly wsUrl: string;
  /** For the client: `/cpu` is how many microseconds this process has taken so far, `/profile` begins one and `/profile?NAME` ends it. */
  readonly controlUrl: string;
  close(): void;
}

/**
 * What no server can do without, in the same process as the one that is measured: parse the request, answer with an object of
 * the same kind and size, nothing else.
 */
export async function startFloors(): Promise<Floors> {
  const results = new Map<string, object>();
  let stream: http.ServerResponse | undefined;
  const server = http.createServer({ noDelay: true, keepAliveTimeout }, (request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/control/')) {
      void control(url.slice('/control'.length)).then((answer) => sendJson(response, JSON.stringify(answer)));
    } else if (request.method === 'GET') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /sse\n\n');
    } else if (request.method === 'PUT') {
      takeBody(request, (text) => sendJson(response, String(results.set(url, JSON.parse(text) as object).size)));
    } else {
      takeBody(request, (text) => {
        const answer = answerTo(text, results.get(url));
        if (url === '/sse') {
          answerOnStream(answer, response, stream);
        } else {
          sendJson(response, answer);
        }
      });
    }
  });
  const sockets = new WebSocketServer({ server, path: '/ws', perMessageDeflate: false });
  sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(answerTo(data.toString(), results.get('/ws')))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    jsonUrl: `http://${address}/mcp`,
    statelessUrl: `http://${address}/stateless`,
    sseUrl: `http://${address}/sse`,
    wsUrl: `ws://${address}/ws`,
    controlUrl: `http://${address}/control`,
    close: () => {
      sockets.clients.forEach((socket) => socket.terminate());
      sockets.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function control(wish: string): Promise<number> {
  const [what, name] = wish.split('?');
  if (what === '/profile') {
    await (name === undefined ? beginProfile() : endProfile(decodeURIComponent(name)));
  }
  const { user, system } = process.cpuUsage();
  return user + system;
}

function takeBody(request: http.IncomingMessage, take: (text: string) => void): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => take(text));
}

function answerTo(text: string, result: object | undefined): string {
  const { id } = JSON.parse(text) as { id: number };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

function sendJson(response: http.ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function answerOnStream(answer: string, response: http.ServerResponse, stream: http.ServerResponse | undefined): void {
  response.writeHead(202, { 'content-length': 0 });
  response.end();
  stream?.write(`event: message\ndata: ${answer}\n\n`);
}
