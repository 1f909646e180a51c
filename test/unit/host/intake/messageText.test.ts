import assert from 'node:assert/strict';
import type { AppError } from '../../../../src/base/errors.ts';
import { MessageReader } from '../../../../src/host/intake/messageText.ts';

function reader(): { readonly read: (text: string) => void; readonly idle: () => Promise<void>; readonly seen: string[] } {
  const seen: string[] = [];
  const made = new MessageReader({
    mayBatch: () => false,
    take: (message) => void seen.push(JSON.stringify(message).slice(0, 60)),
    refuseBatch: () => void seen.push('batch'),
    stray: (text) => void seen.push(`stray ${text.slice(0, 5)}`),
    fail: (error: AppError) => void seen.push(error.code),
  });
  return { read: (text) => made.read(Buffer.from(text)), idle: async () => made.idle, seen };
}

describe('The text of messages', () => {
  it('is taken in its order, however large one of them is', async () => {
    const { read, idle, seen } = reader();
    read('{"id":1}');
    read(`{"id":2,"result":"${'€'.repeat(1_000_000)}"}`);
    read('{"id":3}');
    read('no message');
    read('[1]');
    assert.deepEqual(seen, ['{"id":1}']);
    await idle();
    assert.deepEqual(
      seen.map((each) => each.slice(0, 8)),
      ['{"id":1}', '{"id":2,', '{"id":3}', 'stray no', 'batch'],
    );
  });

  it('waits for a later turn where very many messages come at once', async () => {
    const { read, idle, seen } = reader();
    const texts = Array.from({ length: 1_000 }, (_, id) => `{"id":${id}}`);
    texts.forEach(read);
    assert.equal(seen.length, 100);
    await idle();
    assert.deepEqual(seen, texts);
  });

  it('with too many values is an error for whoever waits for that answer, wherever its id stands, and else the end', async () => {
    const { read, idle, seen } = reader();
    const values = `[${'1,'.repeat(200_000)}1]`;
    read(`{"jsonrpc":"2.0","id":7,"result":${values}}`);
    read(`{"result":${values},"jsonrpc":"2.0","id":"eight"}`);
    await idle();
    assert.deepEqual(
      seen.map((each) => /"id":([^,]+),"error"/.exec(each)?.[1]),
      ['7', '"eight"'],
    );
    read(`{"jsonrpc":"2.0","method":"notifications/message","params":${values}}`);
    await idle();
    assert.equal(seen.at(-1), 'host.tooManyValues');
  });

  it('with more escapes than anybody reads quickly is an error for whoever waits for it; one with many of them is taken', async () => {
    const { read, idle, seen } = reader();
    const answer = (id: number, escapes: number): string => `{"jsonrpc":"2.0","id":${id},"result":"${'\\u4e00'.repeat(escapes)}"}`;
    read(answer(1, 1_000_001));
    read(answer(2, 999_000));
    await idle();
    assert.match(seen[0] ?? '', /"id":1,"error"/);
    assert.match(seen[1] ?? '', /"id":2,"result":"一一/);
    assert.equal(seen.length, 2);
  });

  it('that nests too deep is the end', () => {
    const { read, seen } = reader();
    read(`{"a":${'['.repeat(600)}${']'.repeat(600)}}`);
    assert.deepEqual(seen, ['host.messageTooDeep']);
  });
});
