import type { IncomingMessage, ServerResponse } from 'node:http';
import { rpcErrorText } from '../../protocol/rpc/rpc.ts';

/** Why a request is refused. The texts are the same for everyone: they say nothing about the editor, other sessions or tokens. */
export type HttpRefusal =
  | { readonly status: 401; readonly challenge: string; readonly proof?: string | undefined; readonly workbench?: string | undefined }
  | { readonly status: 403; readonly challenge: string }
  | { readonly status: 405; readonly allow: string }
  | { readonly status: 429; readonly retryAfterSeconds: number; readonly rpc?: RefusalText | undefined }
  | { readonly status: 400; readonly rpc: RefusalText }
  /** The refusal has words if the client can do something about it. */
  | { readonly status: 404; readonly rpc?: RefusalText | undefined }
  | { readonly status: 426; readonly upgrade: string }
  | { readonly status: 403 | 406 | 409 | 413 | 415 | 500 };

/** A JSON-RPC error as the body of a refusal, because MCP clients show such errors. */
export interface RefusalText {
  readonly code: number;
  readonly message: string;
}

const reasons: Readonly<Record<HttpRefusal['status'], string>> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  406: 'not acceptable',
  409: 'conflict',
  413: 'payload too large',
  415: 'unsupported media type',
  426: 'upgrade required',
  429: 'too many requests',
  500: 'internal error',
};

/** How many bytes of a refused body are read at most before the connection is cut. */
const maxRefusedBytes = 64 * 1024 * 1024;

/** Refuses a request; there is no other way to do it. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal, lingerMs: number): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const rpc = 'rpc' in refusal ? refusal.rpc : undefined;
  const body = rpc === undefined ? JSON.stringify({ error: reasons[refusal.status] }) : rpcErrorText(null, rpc);
  response.writeHead(refusal.status, {
    ...extraHeaders(refusal),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  drain(request, lingerMs);
}

function extraHeaders(refusal: HttpRefusal): Record<string, string> {
  if ('challenge' in refusal) {
    return { 'WWW-Authenticate': refusal.challenge, ...(refusal.status === 401 && proofHeaders(refusal)) };
  }
  if ('allow' in refusal) {
    return { Allow: refusal.allow };
  }
  if ('upgrade' in refusal) {
    return { Upgrade: refusal.upgrade };
  }
  return 'retryAfterSeconds' in refusal ? { 'Retry-After': String(refusal.retryAfterSeconds) } : {};
}

function proofHeaders({ proof, workbench }: Extract<HttpRefusal, { status: 401 }>): Record<string, string> {
  return { ...(proof !== undefined && { 'Duplex-Proof': proof }), ...(workbench !== undefined && { 'Duplex-Workbench': workbench }) };
}

/**
 * Reads and discards the rest of the body for a moment: a sender that is cut off in the middle would see a reset connection instead
 * of the answer.
 */
function drain(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) {
    return;
  }
  let bytes = 0;
  const cutOff = setTimeout(() => request.socket.destroy(), lingerMs);
  cutOff.unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxRefusedBytes) {
      request.socket.destroy();
    }
  });
  request.once('close', () => {
    clearTimeout(cutOff);
  });
  request.once('error', () => undefined);
}

const retryAfter = { 'Retry-After': '1' };

/** Answers with JSON, unless the answer has begun or the connection is closed. The given headers cannot override the usual ones. */
export function sendJson(response: ServerResponse, status: number, text: string, headers?: Readonly<Record<string, string>>): void {
  if (response.headersSent || response.destroyed) {
    return;
  }
  const always = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  const isUsual = headers === undefined && status !== 429;
  response.writeHead(status, isUsual ? always : { ...headers, ...(status === 429 ? retryAfter : undefined), ...always });
  response.end(text);
}

export function sendAccepted(response: ServerResponse): void {
  if (!response.headersSent && !response.destroyed) {
    response.writeHead(202, { 'Content-Length': 0, 'Cache-Control': 'no-store' });
    response.end();
  }
}
