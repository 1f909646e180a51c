import type { ServerResponse } from 'node:http';
import { sendJson } from '../http/jsonAnswer.ts';
import type { ReplySink } from '../../protocol/rpc/replySink.ts';
import { primesStreams } from '../../protocol/requests/revisions.ts';
import type { HttpSession } from './httpSession.ts';
import type { ResumableStream } from './resumableStream.ts';
import { ownerOf, type StreamHub, type StreamOwner } from './streamHub.ts';
import type { WireCredential } from '../../seen/viewer.ts';

export interface ExchangeOptions {
  readonly response: ServerResponse;
  readonly credential: WireCredential;
  readonly session: HttpSession;
  readonly hub: StreamHub;
  readonly acceptsJson: boolean;
  readonly acceptsSse: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The answer to one POST: plain JSON if nothing comes before it, a stream otherwise. */
export class PostExchange implements ReplySink {
  readonly #options: ExchangeOptions;
  #stream: ResumableStream | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  respond(text: string, status = 200): void {
    if (this.#stream === undefined && (this.#options.acceptsJson || status !== 200)) {
      sendJson(this.#options.response, status, text, this.#options.headers);
      return;
    }
    const stream = this.#openStream();
    stream.send(text);
    stream.finish();
  }

  notify(text: string): void {
    const { acceptsSse, hub } = this.#options;
    if (this.#stream !== undefined || (acceptsSse && hub.hasRoom(this.#owner))) {
      this.#openStream().send(text);
    }
  }

  abandon(): void {
    if (this.#options.acceptsSse) {
      this.#openStream().finish();
    } else {
      sendAccepted(this.#options.response);
    }
  }

  get #owner(): StreamOwner {
    return ownerOf(this.#options.session.session, this.#options.credential);
  }

  #openStream(): ResumableStream {
    if (this.#stream === undefined) {
      const { response, session, hub, headers } = this.#options;
      this.#stream = session.openPostStream();
      if (!response.headersSent && !response.destroyed) {
        this.#stream.attach(hub.open(response, this.#owner, headers), { prime: primesStreams(session.session.revision) });
      }
    }
    return this.#stream;
  }
}

export function sendAccepted(response: ServerResponse): void {
  if (!response.headersSent && !response.destroyed) {
    response.writeHead(202, { 'Content-Length': 0, 'Cache-Control': 'no-store' });
    response.end();
  }
}
