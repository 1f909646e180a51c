import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a server on this machine and keeps every byte that it receives: addresses, headers and bodies. */
export class RecordingProxy {
  readonly #server: Server;
  #received = '';

  private constructor(server: Server) {
    this.#server = server;
  }

  static async before(port: number): Promise<RecordingProxy> {
    const server = createServer((incoming, response) => {
      const { method, url, headers } = incoming;
      proxy.#received += `${method ?? ''} ${url ?? ''}\n${JSON.stringify(headers)}\n`;
      const onwards = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onwards.on('error', () => response.destroy());
      response.on('close', () => onwards.destroy());
      incoming.on('data', (bytes: Buffer) => {
        proxy.#received += bytes.toString('utf8');
      });
      incoming.pipe(onwards);
    });
    const proxy = new RecordingProxy(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get received(): string {
    return this.#received;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
