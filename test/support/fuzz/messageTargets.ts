import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAppError } from '../../../src/base/errors.ts';
import { boundMessage } from '../../../src/host/intake/boundMessage.ts';
import { MessageReader } from '../../../src/host/intake/messageText.ts';
import { EventGuard } from '../../../src/host/transports/guardedFetch.ts';
import { LineSplitter } from '../../../src/platform/processes/lineSplitter.ts';
import { classify } from '../../../src/server/protocol/rpc/rpc.ts';
import { parseBody, whyUnread } from '../../../src/server/wire/transports/jsonBody.ts';
import { changedJson, changedText, inPieces } from './arbitraries.ts';
import { type Target, target } from './target.ts';

const messages: readonly unknown[] = [
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: { b: 1 }, _meta: { progressToken: 'c' } } },
  {
    jsonrpc: '2.0',
    id: 'x',
    result: { tools: [{ name: 'a', description: 'b', inputSchema: { type: 'object' }, icons: [{ src: 'data:,' }] }], nextCursor: 'c' },
  },
  {
    jsonrpc: '2.0',
    id: 1,
    result: {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'aa', mimeType: 'image/png' },
      ],
      structuredContent: {},
    },
  },
  {
    jsonrpc: '2.0',
    id: 1,
    result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' }, instructions: 'b' },
  },
  { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'a', data: { b: 1 } } },
  { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'a' } },
  {
    jsonrpc: '2.0',
    id: 3,
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }], maxTokens: 1 },
  },
];
const texts = messages.map((message) => JSON.stringify(message));
const methods = ['tools/list', 'tools/call', 'resources/read', 'initialize', 'prompts/get', 'completion/complete', undefined];

/** What a server on the other side of a pipe or a socket may say. */
const intake = target('JSON-RPC intake', fc.tuple(changedJson(messages), fc.constantFrom(...methods)), ([message, method]) => {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return;
  }
  const steps = boundMessage(message as never, method);
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next();
  }
  assert.ok(['passed', 'refused', 'dropped'].includes(step.value.kind));
  if (step.value.kind === 'passed') {
    assert.doesNotThrow(() => JSON.stringify(step.value));
  }
});

/** What a client of ours may send. */
const served = target(
  'JSON-RPC requests',
  fc.oneof(
    changedText(texts),
    changedJson(messages).map((value) => JSON.stringify(value)),
  ),
  (text) => {
    whyUnread(text);
    const parsed = parseBody(text);
    const inbound = parsed === undefined ? undefined : classify(parsed.body);
    if (inbound?.kind === 'request') {
      assert.ok(typeof inbound.method === 'string' && (typeof inbound.id === 'string' || Number.isSafeInteger(inbound.id)));
    }
  },
);

const cuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 6 });

/** Wherever a stream is cut, the same lines come out, and each is a message, a stray text or the end. */
const lines = target('stdio lines', fc.tuple(fc.array(changedText(texts), { maxLength: 4 }), cuts), async ([all, places]) => {
  const bytes = Buffer.from(all.join('\n'));
  const read = async (pieces: readonly Uint8Array[]): Promise<readonly unknown[]> => {
    const heard: unknown[] = [];
    const reader = new MessageReader({
      mayBatch: () => true,
      take: (message) => void heard.push(message),
      refuseBatch: () => void heard.push('batch'),
      stray: (text) => void heard.push(text),
      fail: (error) => void heard.push(error.code),
    });
    const splitter = new LineSplitter(1_000_000, 'fail');
    pieces.forEach((piece) => splitter.push(Buffer.from(piece)).lines.forEach((line) => reader.read(line)));
    splitter.end().forEach((line) => reader.read(line));
    await reader.idle;
    return heard;
  };
  assert.deepEqual(await read(inPieces(bytes, places)), await read([bytes]));
});

const events = fc.array(
  fc.tuple(
    fc.constantFrom('data: ', 'data:', 'id: 1\ndata: ', 'event: message\r\ndata: ', 'data: a\r\ndata: ', 'data: a\rdata: ', ': ', ''),
    changedText(texts),
    fc.constantFrom('\n\n', '\r\n\r\n', '\r\r', '\n', '\r\n'),
  ),
  { maxLength: 4 },
);

const carriageReturn = 0x0d;

const stream = target('SSE streams', fc.tuple(events, cuts), async ([all, places]) => {
  const bytes = Buffer.from(all.map((parts) => parts.join('')).join(''));
  const read = async (pieces: readonly Uint8Array[]): Promise<string> => {
    const guard = new EventGuard(1_000_000);
    const passed: Uint8Array[] = [];
    try {
      for (const piece of pieces) {
        passed.push((await guard.accept(piece)) ?? new Uint8Array());
      }
    } catch (error) {
      assert.ok(isAppError(error), String(error));
      return error.code;
    }
    return Buffer.concat(passed).toString();
  };
  const whole = await read([bytes]);
  const afterReturns = [...bytes].flatMap((byte, index) => (byte === carriageReturn ? [index + 1] : []));
  assert.equal(await read(inPieces(bytes, places)), whole, 'wherever the stream is cut, the same events come out');
  assert.equal(await read(inPieces(bytes, afterReturns)), whole, 'also in the middle of the end of a line');
});

export const messageTargets: readonly Target[] = [intake, served, lines, stream];
