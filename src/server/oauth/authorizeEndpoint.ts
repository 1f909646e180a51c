import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Log } from '../../base/log.ts';
import type { OpenIncoming } from '../wire/http/incoming.ts';
import type { PendingAuthorizations, Visit } from './pendingAuthorizations.ts';
import { errorLocation, readAuthorization, type Reading } from './authorizationRequest.ts';
import { OauthError, readParameters, sendOauthJson } from './oauthAnswers.ts';
import { plainPage, sendPage, sendRedirect, waitingPage } from './pages.ts';
import type { Registrations } from './registrations.ts';

export interface AuthorizeOptions {
  readonly pending: PendingAuthorizations;
  readonly registrations: Registrations;
  readonly isResource: (base: string, resource: string) => boolean;
  readonly log: Log;
}

const sentences: Readonly<Record<(Reading & { kind: 'unusable' })['reason'], string>> = {
  unknownClient: 'The program that sent you here is not registered with this editor, or waited too long. Start it again.',
  wrongRedirect: 'The program that sent you here gave a return address it has not registered. Nothing was sent to it.',
};

const busySeconds = 5;

/** The one page a person sees. It opens the question in VS Code and waits for its answer; here nothing is decided. */
export class AuthorizeEndpoint {
  readonly #options: AuthorizeOptions;

  constructor(options: AuthorizeOptions) {
    this.#options = options;
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
      sendPage(response, 400, plainPage('This link cannot be used', `${error.message}.`));
    }
  }

  /** Some programs look here before they send the browser, to learn whether their registration is still known. */
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
      sendPage(response, 400, plainPage('This link cannot be used', sentences[reading.reason]));
      return;
    }
    if (reading.kind === 'refused') {
      sendRedirect(response, reading.location);
      return;
    }
    const visit = pending.begin(reading.request);
    if (visit === 'locked') {
      sendRedirect(response, errorLocation(reading.request, 'access_denied', 'denied before; ask again in ten minutes'));
    } else if (visit === 'busy') {
      const sentence = 'VS Code already asks you about another program. Answer that question first; this page then goes on by itself.';
      const page = plainPage('One question at a time', sentence, { url: request.url ?? '/', seconds: busySeconds });
      sendPage(response, 429, page, { 'Retry-After': String(busySeconds) });
    } else {
      this.#show(incoming, visit);
    }
  }

  #goOn(incoming: OpenIncoming, visitId: string): void {
    const { response } = incoming;
    this.#options.pending.wait(visitId, closeSignal(incoming.request, incoming)).then(
      (visit) => {
        if (visit === undefined) {
          sendPage(
            response,
            404,
            plainPage('This page is over', 'The question in VS Code was answered or withdrawn. You can close this page.'),
          );
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
    sendPage(response, 200, waitingPage(request.registration.name, pairingCode, request.redirectUri, `/authorize?visit=${id}`));
  }
}

/** Fires when the browser gives the page up. */
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
 * Browsers say what a request is for; a frame, a script, an image or a guess at the next page opens no question. Node's
 * own `fetch` says "cors" and nothing else, which no browser does; what it accepts tells whether it wants the page.
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
