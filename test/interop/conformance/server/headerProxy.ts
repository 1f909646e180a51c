import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeaderProxy {
  readonly port: number;
  /** Where to from now on, and with which token. */
  forwardTo(port: number, token: string): void;
  close(): Promise<void>;
}

/** Stands in front of the server for a suite that has no way to send a credential. Everything else passes untouched. */
export async function startHeaderProxy(): Promise<HeaderProxy> {
  let target = { port: 0, token: '' };
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, target));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo: (port, token) => {
      target = { port, token };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, { port, token }: { port: number; token: string }): void {
  const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
  const onward = request({ host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.on('close', () => outgoing.end());
  });
  onward.on('error', () => outgoing.destroy());
  // Who closes a stream cancels: that has to arrive.
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
