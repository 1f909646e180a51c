import type { ServerResponse } from 'node:http';

const retryAfter = { 'Retry-After': '1' };

/** Answers with JSON, unless the answer has begun or nobody is there any more. Of the headers given, none overrides these. */
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
