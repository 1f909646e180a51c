import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { EventGuard, type FetchWatcher, guardedFetch } from '../../../../src/host/transports/guardedFetch.ts';

const watcher: FetchWatcher = {
  onViolation: (error) => assert.fail(error),
  onNetworkFailure: () => assert.fail(),
  onResponse: () => undefined,
  onStreamEnd: () => undefined,
};

/** How many bytes each call of a decoder was given, while `work` was under way. */
async function decodedAtOnce(work: () => Promise<unknown>): Promise<number[]> {
  const decoding = mock.method(TextDecoder.prototype, 'decode');
  try {
    await work();
    return decoding.mock.calls.map(({ arguments: [bytes] }) => bytes?.byteLength ?? 0);
  } finally {
    decoding.mock.restore();
  }
}

describe('A large answer over HTTP', () => {
  it('is decoded piece by piece, and whole: a character may stand on two pieces', async () => {
    // Three bytes for each character: no piece ends where one does.
    const sent = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '€'.repeat(2_000_000) }] } };
    const bytes = new TextEncoder().encode(JSON.stringify(sent));
    const fetch = guardedFetch(
      () => Promise.resolve(new Response(bytes, { status: 200, headers: { 'content-type': 'application/json' } })),
      watcher,
    );
    const response = await fetch('http://127.0.0.1/mcp', { method: 'POST' });
    let heard: unknown;
    const sizes = await decodedAtOnce(async () => {
      heard = (await response.json()) as unknown;
    });
    assert.deepEqual(heard, sent);
    // What the guard itself reads of the message is no more than a piece at a time, too.
    assert.ok(Math.max(...sizes) <= 256 * 1024, `${Math.max(...sizes)} bytes in one go`);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) >= bytes.length, 'the whole message was decoded here');
  });
});

describe('An event stream', () => {
  it('has its event also where the end of a line and the empty line after it come in pieces', async () => {
    const guard = new EventGuard(1_000);
    let passed = '';
    for (const piece of ['data: {}\r', '\n', '\n']) {
      passed += Buffer.from((await guard.accept(Buffer.from(piece))) ?? []).toString();
    }
    assert.equal(passed, 'data: {}\n\n');
  });

  it('lets others have their turn while a large event is read that is there already', async () => {
    const piece = Buffer.alloc(4 * 1024, 'a');
    let [left, turns, turnsUntilRead] = [3_000, 0, 0];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      left -= 1;
      controller.enqueue(left > 0 ? piece : Buffer.from('data: {}\n\n'));
      if (left === 0) {
        turnsUntilRead = turns;
        controller.close();
      }
    };
    const headers = { 'content-type': 'text/event-stream' };
    const fetch = guardedFetch(() => Promise.resolve(new Response(new ReadableStream({ pull }), { status: 200, headers })), watcher);
    const timer = setInterval(() => (turns += 1), 0);
    try {
      await (await fetch('http://127.0.0.1/mcp', { method: 'POST' })).arrayBuffer();
    } finally {
      clearInterval(timer);
    }
    assert.ok(turnsUntilRead > 0, 'nobody had a turn before the whole event was read');
  });
});
