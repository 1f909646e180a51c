import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import { listTools, matchesWildcard, readTools } from '../../../../src/host/connection/toolList.ts';
import { readAllPages, type Page } from '../../../../src/host/intake/listReading.ts';
import type { Client } from '../../../../src/host/shared/sdk.ts';

describe('The list of tools', () => {
  it('is refused when it is too large as a whole, though each of its tools is within measure', async () => {
    let pages = 0;
    const tool = { name: 'a', description: 'x'.repeat(200_000), inputSchema: { type: 'object' } };
    const client = {
      getServerCapabilities: () => ({ tools: {} }),
      request: () => Promise.resolve({ tools: Array(10).fill(tool), nextCursor: String((pages += 1)) }),
    } as unknown as Client;
    const read = listTools(client, { timeout: 1_000, signal: new AbortController().signal });
    await assert.rejects(read, { code: 'host.listTooLarge' });
    const readPage = (): Promise<Page> => Promise.resolve({ items: Array(10).fill(tool), nextCursor: String((pages += 1)) });
    await assert.rejects(readAllPages('prompts', readPage), { code: 'host.listTooLarge' });
    assert.ok(pages <= 10, `${pages} pages were read`);
  });

  it('keeps each name once', () => {
    const raw = [{ name: 'twice', description: 'first' }, { name: 'twice', description: 'second' }, { name: '' }];
    assert.deepEqual(
      readTools(raw, undefined, silentLog).map(({ name, description }) => [name, description]),
      [['twice', 'first']],
    );
  });
});

describe('Patterns for tool names', () => {
  it('know any characters and one character', () => {
    const cases = [
      ['read_file', '*', true],
      ['read_file', 'read_*', true],
      ['read_file', '*file', true],
      ['read_file', 'r?ad_*e', true],
      ['read_file', 'read', false],
      ['read.file', 'read.file', true],
      ['readxfile', 'read.file', false],
      ['', '**', true],
      ['', '?', false],
    ] as const;
    assert.deepEqual(
      cases.map(([text, pattern]) => matchesWildcard(text, pattern)),
      cases.map(([, , expected]) => expected),
    );
  });

  it('written to take for ever take no time', () => {
    const start = performance.now();
    assert.equal(matchesWildcard('a'.repeat(2_000), `${'*a'.repeat(500)}b`), false);
    assert.ok(performance.now() - start < 10_000);
  });
});
