import assert from 'node:assert/strict';
import { LineReader } from '../../../src/bridge/hostPipe.ts';

function read(maxBytes: number, chunks: readonly string[]): readonly string[] {
  const seen: string[] = [];
  const reader = new LineReader(maxBytes, { line: (text) => seen.push(text), tooLong: () => seen.push('<too long>') });
  for (const chunk of chunks) {
    reader.push(Buffer.from(chunk));
  }
  reader.end();
  return seen;
}

describe('Lines of the host', () => {
  it('are put together from any pieces, with either line end, and empty ones left out', () => {
    assert.deepEqual(read(100, ['{"a"', ':1}\r\n\n{"b":2}', '\n', '{"c":3}']), ['{"a":1}', '{"b":2}', '{"c":3}']);
  });

  it('keep characters whole that are cut between pieces', () => {
    const seen: string[] = [];
    const reader = new LineReader(100, { line: (text) => seen.push(text), tooLong: () => undefined });
    for (const byte of Buffer.from('"é€😀"\n')) {
      reader.push(Buffer.from([byte]));
    }
    assert.deepEqual(seen, ['"é€😀"']);
  });

  it('longer than the bound are reported once and skipped, and the next one is read', () => {
    assert.deepEqual(read(5, ['123', '456', '789\nok\n1234567']), ['<too long>', 'ok', '<too long>']);
  });
});
