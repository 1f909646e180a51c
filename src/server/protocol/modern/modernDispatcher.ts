// modern/: revision 2026-07-28: no sessions; every request says for itself who asks and in which version, questions to the
// client are answers to its request, and the server decides what becomes a task. modernClient.ts is one client.
import type { Method } from '../methods/lists.ts';
import type { ProtocolServices } from '../clients/protocolServices.ts';
import { commonCapabilities } from '../clients/serverIdentity.ts';
import { tasksExtension } from '../../../contract/protocolNames.ts';
import { supportedVersions } from './envelope.ts';
import { ModernClient, type ModernClientOptions } from './modernClient.ts';
import { RequestStates } from './requestStates.ts';
import { ResultTexts } from './results.ts';

/** What all clients of the revision without sessions share. */
export interface ModernShared extends ProtocolServices {
  readonly states: RequestStates;
  readonly results: ResultTexts;
}

const capabilities = { ...commonCapabilities, extensions: { [tasksExtension]: {} } };

/**
 * Speaks revision 2026-07-28. A transport asks `isModernMessage` (envelope.ts) whether a parsed message belongs here, gets
 * a client from `SessionDirectory.openModern` (one per WebSocket) or `SessionDirectory.stateless` (one per credential, for
 * POSTs), and hands each message to `client.receive(message, sink)`:
 *
 * - the receipt is like that of `Session.receive`: `invalid` carries a -32600 answer to send; otherwise the sink gets
 *   `notify` (progress, logs, subscription events) and then `respond`, or `abandon` when the request was cancelled;
 * - `receipt.cancel()` cancels this request: for transports where closing a stream does. Over a WebSocket
 *   `notifications/cancelled` is just another message;
 * - `client.dispose()` when the connection goes: subscriptions are answered with their empty result, the rest is cancelled.
 */
export class ModernDispatcher {
  readonly #shared: ModernShared;

  constructor(services: ProtocolServices) {
    const { catalog, methods, identity } = services;
    const discover: Method = async () => JSON.stringify({ supportedVersions, capabilities, instructions: catalog.instructions });
    this.#shared = {
      ...services,
      methods: new Map([...methods, ['server/discover', discover]]),
      states: new RequestStates(services.clock),
      results: new ResultTexts(identity),
    };
  }

  open(options: ModernClientOptions): ModernClient {
    return new ModernClient(this.#shared, options);
  }
}
