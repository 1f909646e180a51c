import { mayGoOn } from '../../access/credentials.ts';
import { handling } from '../../access/spreadWork.ts';
import { accepts, type Incoming, type RouteHandler } from '../http/incoming.ts';
import { type ReplySink, rpcCode } from '../../protocol/rpc/rpc.ts';
import type { Session } from '../../protocol/legacy/session.ts';
import { takeJsonBody } from './jsonBody.ts';
import { mustPass } from './fairUse.ts';
import { sendAccepted, sendJson } from '../http/answers.ts';
import { noPlace, noSession, streamOwner, type SseConnection, takePlaces } from './streamHub.ts';
import type { EndpointServices } from './streamableHttp.ts';
import type { WireCredential } from '../../seen/viewer.ts';

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
    if (sessionId === null) {
      incoming.refuse({ status: 400, rpc: { code: rpcCode.invalidRequest, message: 'sessionId is missing' } });
      return;
    }
    const find = (): SseSession | undefined => this.#find(sessionId, incoming.credential);
    if (find() === undefined) {
      incoming.refuse(noSession('sse'));
      return;
    }
    // The session may end while the body is on its way, so it is looked up again.
    const deliver = (take: (found: SseSession, body: unknown) => void) => (body: unknown) => {
      const found = find();
      if (found === undefined) {
        incoming.refuse(noSession('sse'));
      } else {
        take(found, body);
      }
    };
    const { limits, fairUse, log } = this.#services;
    const take = (mustPassOnly?: typeof mustPass): ((body: unknown) => void) =>
      deliver(({ session, sink }, body) => {
        const receipt = session.receive(body, sink, mustPassOnly);
        if (receipt.kind === 'accepted') {
          sendAccepted(incoming.response);
          return;
        }
        sendJson(incoming.response, 400, receipt.text);
        if (receipt.id !== null) {
          // Clients of this transport expect answers on the stream, not in the response to the POST.
          sink.respond(receipt.text);
        }
      });
    takeJsonBody(incoming, { bodyBytes: limits.bodyBytes, fairUse, log, onLimited: take(mustPass) }, take());
  }

  /** Finds a session; that of another client looks like none. */
  #find(sessionId: string, credential: WireCredential): SseSession | undefined {
    const found = this.#sessions.get(sessionId);
    return found !== undefined && mayGoOn(found.session.credential, credential) ? found : undefined;
  }
}
