import { Server, type Transport, type TransportSendOptions } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import { legacyRevisions } from '../revisions.ts';
import type { RequestId } from '../rpc/rpc.ts';

export interface ServerIdentity {
  readonly version: string;
  readonly instructions: string;
}

type SdkMessage = Parameters<NonNullable<Transport['onmessage']>>[0];

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/**
 * The official SDK's server for one session. It negotiates, answers ping and unknown methods, and will carry requests to
 * the client. Our own methods do not pass through it: its dispatch costs some 30 µs a request, a fifth of what a bare
 * `node:http` answer takes.
 */
export class SdkLink {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the high-level server knows tools; here only the protocol is wanted
  readonly #server: Server;
  readonly #transport: Transport;

  constructor(identity: ServerIdentity, log: Log, deliver: (message: JsonObject, relatedTo: RequestId | undefined) => void) {
    this.#transport = {
      start: () => Promise.resolve(),
      close: () => {
        this.#transport.onclose?.();
        return Promise.resolve();
      },
      send: (message: unknown, options?: TransportSendOptions) => {
        deliver(message as JsonObject, options?.relatedRequestId);
        return Promise.resolve();
      },
    };
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
    this.#server = new Server(
      { name: 'duplex', title: 'Duplex', version: identity.version },
      { capabilities, instructions: identity.instructions, supportedProtocolVersions: [...legacyRevisions] },
    );
    this.#server.onerror = (error) => {
      // The SDK quotes the client's message, which may be as long as a body.
      log.debug(`session: ${error.message.slice(0, 120)}`);
    };
  }

  async connect(): Promise<void> {
    await this.#server.connect(this.#transport);
  }

  receive(message: JsonObject): void {
    this.#transport.onmessage?.(message as unknown as SdkMessage);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}
