import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import type { OpenIncoming } from '../wire/http/incoming.ts';
import { errorLocation, readAuthorization } from './authorizationRequest.ts';
import { OauthError, readParameters, sendOauthJson } from './oauthAnswers.ts';
import { oauthPageTable, OauthPages, type PageLanguage, pageHeaders } from './oauthPages.ts';
import type { PendingAuthorizations, Visit } from './pendingAuthorizations.ts';
import type { Registrations } from './registrations.ts';

export interface AuthorizeOptions {
  readonly pending: PendingAuthorizations;
  readonly registrations: Registrations;
  readonly isResource: (base: string, resource: string) => boolean;
  readonly log: Log;
  readonly pageLanguage: PageLanguage;
}

const busySeconds = 5;

/** `/authorize`, the only page that a person sees. It opens the question in VS Code and waits for the answer; nothing is decided here. */
export class AuthorizeEndpoint {
  readonly #options: AuthorizeOptions;
  readonly #pages: OauthPages;

  constructor(options: AuthorizeOptions) {
    this.#options = options;
    this.#pages = new OauthPages(options.pageLanguage);
  }

  visit(incoming: OpenIncoming): void {
    const { request, response } = incoming;
    if (!isTopLevelNavigation(request.headers)) {
      this.#refuseProgram(incoming);
      return;
    }
    try {
      const parameters = readParameters(incoming.query);
      const visitId = parameters.get('visit');
      if (visitId === undefined) {
        this.#begin(incoming, parameters);
      } else {
        this.#goOn(incoming, visitId);
      }
    } catch (error) {
      if (!(error instanceof OauthError)) {
        throw error;
      }
      this.#pages.sendPlain(response, 400, oauthPageTable.unusable, `${error.message}.`);
    }
  }

  /** Answers programs: some look here before they open a browser, to learn whether their registration is still known. */
  #refuseProgram(incoming: OpenIncoming): void {
    const isKnown = this.#options.registrations.find(incoming.query.get('client_id') ?? undefined) !== undefined;
    if (isKnown) {
      incoming.refuse({ status: 403 });
    } else {
      sendOauthJson(incoming, 400, { error: 'invalid_client', error_description: 'the client is not registered' });
    }
  }

  #begin(incoming: OpenIncoming, parameters: ReadonlyMap<string, string>): void {
    const { pending, registrations, isResource } = this.#options;
    const { base, response, request } = incoming;
    const context = { registrations, issuer: base, isResource: (resource: string) => isResource(base, resource) };
    const reading = readAuthorization(parameters, context);
    if (reading.kind === 'unusable') {
      this.#pages.sendPlain(response, 400, oauthPageTable.unusable, oauthPageTable[reading.reason]);
      return;
    }
    if (reading.kind === 'refused') {
      sendRedirect(response, reading.location);
      return;
    }
    const visit = pending.begin(reading.request);
    if (visit === 'locked') {
      sendRedirect(response, errorLocation(reading.request, 'access_denied', 'denied before; ask again in ten minutes'));
    } else if (visit === 'paused') {
      this.#pages.sendPlain(response, 429, oauthPageTable.paused, oauthPageTable.pausedWhy, {
        url: request.url ?? '/',
        seconds: busySeconds,
      });
    } else if (visit === 'busy') {
      this.#pages.sendPlain(response, 429, oauthPageTable.busy, oauthPageTable.busyWhy, { url: request.url ?? '/', seconds: busySeconds });
    } else {
      this.#show(incoming, visit);
    }
  }

  #goOn(incoming: OpenIncoming, visitId: string): void {
    const { response } = incoming;
    this.#options.pending.wait(visitId, closeSignal(incoming.request, incoming)).then(
      (visit) => {
        if (visit === undefined) {
          this.#pages.sendPlain(response, 404, oauthPageTable.over, oauthPageTable.overWhy);
        } else if (visit.location === undefined) {
          this.#show(incoming, visit);
        } else {
          sendRedirect(response, visit.location);
        }
      },
      (error: unknown) => {
        this.#options.log.error('A sign-in page failed.', error);
        incoming.refuse({ status: 500 });
      },
    );
  }

  #show({ response }: OpenIncoming, { id, pairingCode, request }: Visit): void {
    const { registration, redirectUri } = request;
    this.#pages.sendWaiting(response, { name: registration.name, pairingCode, redirectUri, nextUrl: `/authorize?visit=${id}` });
  }
}

/** Fires when the browser closes the connection before the page is sent. */
function closeSignal(request: IncomingMessage, { response }: OpenIncoming): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) {
      controller.abort();
    }
  });
  if (request.destroyed && !request.complete) {
    controller.abort();
  }
  return controller.signal;
}

/**
 * Whether a person opened the page. Browsers say what a request is for: a frame, a script, an image or a prefetch must open no
 * question. Node's own `fetch` says "cors" and nothing else, which no browser does; there the `Accept` header tells whether it
 * wants the page.
 */
function isTopLevelNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-fetch-site': site, accept = '*/*' } = headers;
  if (headers['sec-purpose'] !== undefined || headers['x-moz'] === 'prefetch') {
    return false;
  }
  if (destination !== undefined || site !== undefined) {
    return mode === 'navigate' && destination === 'document';
  }
  return (mode === undefined || mode === 'navigate' || mode === 'cors') && /text\/html|\*\/\*/.test(accept);
}

function sendRedirect(response: ServerResponse, location: string): void {
  if (!response.headersSent && !response.destroyed) {
    response.writeHead(302, { ...pageHeaders, Location: location, 'Content-Length': 0 });
    response.end();
  }
}
