import assert from 'node:assert/strict';
import * as net from 'node:net';
import fc from 'fast-check';
import { silentLog } from '../../../src/base/log.ts';
import { defaultServerTimings } from '../../../src/server/access/limits.ts';
import { runServer, type RunningServer } from '../../unit/server/support/runningServer.ts';
import { changedText, inPieces } from './arbitraries.ts';
import type { Target } from './target.ts';

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
});

/** More than the server of this test takes. */
const hugeBody = 'a'.repeat(70_000);

/** How long the server waits for those that are slow; they are part of what is tried, and nobody wants to wait for them. */
const timings = { ...defaultServerTimings, headers: 100, requestBody: 200, refusedBody: 100, stop: 100 };

interface Spoken {
  readonly text: string;
  readonly cuts: readonly number[];
  /** What the sender does after its last byte: it says that this was all, is gone, or says nothing more. */
  readonly then: 'end' | 'destroy' | 'wait';
}

/** Requests as bytes, with the right host and a valid token where nothing is changed. */
function requests(port: number, token: string): readonly string[] {
  const head = (first: string, ...more: readonly string[]): string =>
    [`${first} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, ...more, '', ''].join('\r\n');
  const json = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
  const chunks = `${initialize.length.toString(16)}\r\n${initialize}\r\n0\r\n\r\n`;
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  const posted = head('POST /mcp', ...json, `Content-Length: ${initialize.length}`) + initialize;
  return [
    posted,
    posted + posted,
    head('POST /mcp', ...json, 'Transfer-Encoding: chunked') + chunks,
    head('POST /mcp', ...json, 'Transfer-Encoding: chunked', `Content-Length: ${initialize.length}`) + chunks,
    head('POST /mcp', ...json, 'Content-Length: 99999999999') + initialize,
    head('POST /mcp', ...json, 'Expect: 100-continue', `Content-Length: ${initialize.length}`) + initialize,
    head('POST /mcp', ...json, `Content-Length: ${hugeBody.length}`) + hugeBody,
    head('POST /messages?sessionId=a', ...json, `Content-Length: ${initialize.length}`) + initialize,
    head('GET /sse', 'Accept: text/event-stream'),
    head('GET /ws', ...upgrade) + maskedFrame(initialize),
    head('GET /ws', ...upgrade, 'Sec-WebSocket-Extensions: permessage-deflate') + maskedFrame('{'),
    head('GET /mcp', ...upgrade),
    head('GET /mcp', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    head('DELETE /mcp', 'Mcp-Session-Id: a'),
    head('OPTIONS /mcp', 'Origin: https://example.com', 'Access-Control-Request-Method: POST'),
    head('GET /.well-known/oauth-protected-resource/mcp'),
    head('POST /token', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 10') + 'grant_type',
    head(`GET http://127.0.0.1:${port}/mcp?${'a'.repeat(2_000)}`),
    head('GET /mcp', ...Array.from({ length: 120 }, (_, index) => `X-${index}: ${index}`)),
    head('GET /mcp', `X-Long: ${'a'.repeat(20_000)}`),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  ];
}

/** One text in a frame as a client writes it, one character for each byte. */
function maskedFrame(text: string): string {
  const mask = [1, 2, 3, 4];
  const length = text.length < 126 ? [0x80 | text.length] : [0x80 | 126, text.length >> 8, text.length & 0xff];
  const masked = [...Buffer.from(text, 'latin1')].map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.from([0x81, ...length, ...mask, ...masked]).toString('latin1');
}

function spoken(port: number, token: string): fc.Arbitrary<Spoken> {
  const one = changedText(requests(port, token));
  return fc.record({
    text: fc.oneof(
      { arbitrary: one, weight: 4 },
      {
        arbitrary: fc.array(one, { minLength: 2, maxLength: 4 }).map((all) => all.join('')),
        weight: 1,
      },
    ),
    cuts: fc.array(fc.nat({ max: 3_000 }), { maxLength: 3 }),
    then: fc.oneof(
      { arbitrary: fc.constant('end' as const), weight: 40 },
      { arbitrary: fc.constant('destroy' as const), weight: 8 },
      { arbitrary: fc.constant('wait' as const), weight: 1 },
    ),
  });
}

/** Says it, and gives what came back once the server has closed the connection. */
async function say(port: number, { text, cuts, then }: Spoken): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk));
  socket.on('error', () => undefined); // the event 'close' follows
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of inPieces(Buffer.from(text, 'latin1'), cuts)) {
    socket.write(piece);
    if (cuts.length > 0) {
      await new Promise(setImmediate);
    }
  }
  if (then === 'destroy') {
    socket.destroy();
  } else if (then === 'end') {
    socket.end();
  }
  await closed;
  return heard;
}

function check(heard: string, { text }: Spoken, token: string): void {
  assert.match(heard, /^(?:$|HTTP\/1\.1 \d{3} )/, 'what is answered is HTTP');
  assert.doesNotMatch(heard, /^HTTP\/1\.1 5/m, 'nothing fails inside');
  assert.ok(text.includes(token) || !heard.includes('"result"'), 'without the token there is no result');
}

/** Whether a sender that says no more is one whose connection the server may keep: a stream, a WebSocket, or between two requests. */
function mayStay(heard: string): boolean {
  return /^HTTP\/1\.1 (?:101|2\d\d|4\d\d) /.test(heard);
}

/** The listener on real sockets. Whatever comes in, it answers or closes, says nothing without a token, and goes on for others. */
export const socketTarget: Target = {
  name: 'HTTP on raw sockets',
  run: async (numRuns, seed) => {
    const failures: string[] = [];
    const log = { ...silentLog, error: (message: string, error?: unknown) => void failures.push(`${message} ${String(error)}`) };
    const running = await runServer({ log, timings, limits: { bodyBytes: 64 * 1024 } });
    const slow = new Set<Promise<void>>();
    try {
      const property = fc.asyncProperty(spoken(running.port, running.token), async (what) => {
        if (what.then === 'wait') {
          slow.add(waitFor(running, what));
        } else {
          check(await say(running.port, what), what, running.token);
        }
        assert.deepEqual(failures, []);
      });
      await fc.assert(property, { numRuns, seed });
      await Promise.all(slow);
      const { status } = await running.peer().post(JSON.parse(initialize));
      assert.equal(status, 200, 'others are served as before');
    } finally {
      await running.close();
    }
  },
};

/** One who says no more is cut off after a while, unless the server owes it nothing. */
async function waitFor({ port, token }: RunningServer, what: Spoken): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  let heard = '';
  socket.on('error', () => undefined); // the event 'close' follows
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      heard += chunk;
      if (mayStay(heard)) {
        resolve();
      }
    });
  });
  socket.write(Buffer.from(what.text, 'latin1'));
  await over;
  socket.destroy();
  check(heard, what, token);
}
