import { createHash, randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../../src/base/json.ts';
import { HttpPeer, type Answer } from '../support/httpPeer.ts';

export interface CodeAnswer {
  readonly code: string;
  readonly verifier: string;
  readonly location: URL;
}

export const redirectUri = 'http://127.0.0.1:7777/callback';

/** An OAuth client and the browser it opens, made of plain requests. */
export class OauthClient {
  readonly port: number;
  readonly base: string;
  readonly #peer: HttpPeer;
  clientId = '';

  constructor(port: number) {
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
    this.#peer = new HttpPeer(port, '');
  }

  close(): void {
    this.#peer.close();
  }

  send(method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string): Promise<Answer> {
    return this.#peer.send(method, path, { authorization: undefined, ...headers }, body);
  }

  async register(metadata: JsonObject = {}): Promise<Answer> {
    const body = JSON.stringify({ client_name: 'Test Client', redirect_uris: [redirectUri], ...metadata });
    const answer = await this.send('POST', '/register', { 'content-type': 'application/json' }, body);
    this.clientId = typeof answer.json.client_id === 'string' ? answer.json.client_id : this.clientId;
    return answer;
  }

  /** What the program puts into the address it opens; `undefined` leaves a parameter out. */
  authorizePath(verifier: string, changes: Readonly<Record<string, string | undefined>> = {}): string {
    const parameters: Readonly<Record<string, string | undefined>> = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'some-state',
      resource: `${this.base}/mcp`,
      ...changes,
    };
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/authorize?${new URLSearchParams(given).toString()}`;
  }

  newVerifier(): string {
    return randomBytes(32).toString('base64url');
  }

  authorize(changes: Readonly<Record<string, string | undefined>> = {}, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.send('GET', this.authorizePath(this.newVerifier(), changes), headers);
  }

  /** Follows the page until it leads away; `answer` is called while it waits. */
  async obtainCode(answer: () => void | Promise<void>, changes: Readonly<Record<string, string | undefined>> = {}): Promise<CodeAnswer> {
    const verifier = this.newVerifier();
    const page = await this.send('GET', this.authorizePath(verifier, changes));
    const followed = this.follow(page);
    await answer();
    const location = await followed;
    return { code: location.searchParams.get('code') ?? '', verifier, location };
  }

  async follow(page: Answer): Promise<URL> {
    let current = page;
    while (current.status === 200) {
      current = await this.send('GET', nextOf(current));
    }
    if (current.headers.location === undefined) {
      throw new Error(`The page leads nowhere: ${current.status} ${current.text}`);
    }
    return new URL(current.headers.location);
  }

  token(parameters: Readonly<Record<string, string | undefined>>, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.#post('/token', { client_id: this.clientId, ...parameters }, headers);
  }

  redeem({ code, verifier }: CodeAnswer, changes: Readonly<Record<string, string | undefined>> = {}): Promise<Answer> {
    const parameters = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri, ...changes };
    return this.token({ resource: `${this.base}/mcp`, ...parameters });
  }

  refresh(refreshToken: unknown, changes: Readonly<Record<string, string | undefined>> = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: String(refreshToken), ...changes });
  }

  revoke(token: unknown): Promise<Answer> {
    return this.#post('/revoke', { token: String(token), client_id: this.clientId }, {});
  }

  #post(path: string, parameters: Readonly<Record<string, string | undefined>>, headers: OutgoingHttpHeaders): Promise<Answer> {
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    return this.send('POST', path, form, new URLSearchParams(given).toString());
  }
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') {
    throw new Error(`Not a text: ${JSON.stringify(value)}`);
  }
  return value;
}

export function pairingCodeOf(page: Answer): string | undefined {
  return />([A-Z0-9]{4}-[A-Z0-9]{4})</.exec(page.text)?.[1];
}

export function nextOf(page: Answer): string {
  const next = /http-equiv="refresh" content="\d+; url=([^"]+)"/.exec(page.text)?.[1];
  if (next === undefined) {
    throw new Error(`No next page: ${page.text}`);
  }
  return next.replace(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code)));
}
