import { mayGoOn } from '../../access/credentials.ts';
import { handling } from '../../access/spreadWork.ts';
import { accepts, type Incoming, type RouteHandler } from '../http/incoming.ts';
import { type ReplySink, rpcCode } from '../../protocol/rpc/rpc.ts';
import type { Session } from '../../protocol/legacy/session.ts';
import { takeJsonBody } from './jsonBody.ts';
import { refuseLimited } from './fairUse.ts';
import { sendAccepted, sendJson } from '../http/answers.ts';
import { noPlace, noSession, streamOwner, type SseConnection, takePlaces } from './streamHub.ts';
import type { EndpointServices } from './streamableHttp.ts';

interface SseSession {
  readonly session: Session;
  readonly sink: ReplySink;
}

/** HTTP+SSE of revision 2024-11-05: one stream is one session; messages come by POST, and all answers go out on the stream. */
export class HttpSseEndpoint {
  readonly #services: EndpointServices;
  readonly #sessions = new Map<string, SseSession>();

  constructor(services: EndpointServices) {
    this.#services = services;
  }

  readonly streamMethods: ReadonlyMap<string, RouteHandler> = new Map([['GET', (incoming: Incoming) => this.#open(incoming)]]);
  readonly messageMethods: ReadonlyMap<string, RouteHandler> = new Map([['POST', (incoming: Incoming) => this.#post(incoming)]]);

  #open(incoming: Incoming): void {
    if (!accepts(incoming.request.headers.accept, 'text/event-stream')) {
      incoming.refuse({ status: 406 });
      return;
    }
    const missing = takePlaces(this.#services, incoming.credential);
    if (missing === undefined) {
      this.#begin(incoming);
    } else {
      incoming.refuse(noPlace(missing, this.#services.limits));
    }
  }

  #begin({ response, credential }: Incoming): void {
    const holder: { connection?: SseConnection } = {};
    const write = (text: string): void => holder.connection?.message(text);
    const session = this.#services.directory.openForClient(credential, 'sse', {
      outlet: write,
      isConnected: () => holder.connection?.isOpen === true,
      onClose: (sessionId) => {
        this.#sessions.delete(sessionId);
        holder.connection?.end();
      },
    });
    const connection = this.#services.hub.open(response, streamOwner(session, credential));
    holder.connection = connection;
    connection.onClose(() => handling.run(() => session.dispose()));
    this.#sessions.set(session.id, { session, sink: { respond: write, notify: write, abandon: () => undefined } });
    connection.endpoint(`/messages?sessionId=${session.id}`);
  }

  #post(incoming: Incoming): void {
    const sessionId = incoming.query.get('sessionId');
    const found = sessionId === null ? undefined : this.#sessions.get(sessionId);
    if (found === undefined || !mayGoOn(found.session.credential, incoming.credential)) {
      incoming.refuse(
        sessionId === null ? { status: 400, rpc: { code: rpcCode.invalidRequest, message: 'sessionId is missing' } } : noSession('sse'),
      );
      return;
    }
    const { limits, fairUse, log } = this.#services;
    const onLimited = (body: unknown): void => {
      const passing = refuseLimited(body, found.sink);
      if (passing.length > 0) {
        found.session.receive(passing, found.sink);
      }
      sendAccepted(incoming.response);
    };
    takeJsonBody(incoming, { bodyBytes: limits.bodyBytes, fairUse, log, onLimited }, (body) => {
      const receipt = found.session.receive(body, found.sink);
      if (receipt.kind === 'accepted') {
        sendAccepted(incoming.response);
        return;
      }
      sendJson(incoming.response, 400, receipt.text);
      if (receipt.id !== null) {
        // Clients of this transport expect answers on the stream, not in the response to the POST.
        found.sink.respond(receipt.text);
      }
    });
  }
}
