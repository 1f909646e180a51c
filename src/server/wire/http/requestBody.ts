import type { IncomingMessage } from 'node:http';

export type BodyReading = { readonly kind: 'read'; readonly text: string } | { readonly kind: 'tooLarge' } | { readonly kind: 'broken' };

/** Reads a body of at most `limit` bytes; at the first byte above it keeps nothing more, but does not cut the connection. */
export function readBody(request: IncomingMessage, limit: number, done: (reading: BodyReading) => void): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) {
    done({ kind: 'tooLarge' });
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isSettled = false;
  const settle = (reading: BodyReading): void => {
    if (!isSettled) {
      isSettled = true;
      done(reading);
    }
  };
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit) {
      chunks.push(chunk);
    } else if (!isSettled) {
      chunks.length = 0;
      settle({ kind: 'tooLarge' });
    }
  });
  request.on('end', () => {
    const [first] = chunks;
    settle({ kind: 'read', text: first !== undefined && chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString() });
  });
  // Follows 'end' as well as a broken connection; an error without a listener would be thrown.
  request.on('close', () => settle({ kind: 'broken' })).on('error', ignore);
}

function ignore(): void {
  // 'close' follows and tells.
}

/** `application/json`, whatever its parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\s*(?:;|$)/i.test(contentType);
}

/** Whether an `Accept` header takes a media type; an absent one takes all. */
export function accepts(accept: string | undefined, type: 'application/json' | 'text/event-stream'): boolean {
  return (
    accept === undefined || accept.includes(type) || accept.includes('*/*') || accept.includes(`${type.slice(0, type.indexOf('/'))}/*`)
  );
}
