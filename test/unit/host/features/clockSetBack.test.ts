import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import { createGuard } from '../../../../src/host/features/handlerContext.ts';
import { ResourceReads } from '../../../../src/host/features/resources.ts';
import { ServerMessages } from '../../../../src/host/features/serverMessages.ts';
import type { Client } from '../../../../src/host/shared/sdk.ts';

describe('A clock of the computer that is set back', () => {
  const wall = Date.now.bind(Date);
  const monotonic = performance.now.bind(performance);
  let elapsed = 0;
  beforeEach(() => {
    elapsed = 0;
    Date.now = () => wall() + (elapsed === 0 ? 0 : elapsed - 3_600_000);
    performance.now = () => 1_000_000 + elapsed;
  });
  afterEach(() => {
    Date.now = wall;
    performance.now = monotonic;
  });

  it('does not silence the log of a server', () => {
    const lines: string[] = [];
    const messages = new ServerMessages({ ...silentLog, info: (text) => lines.push(text) });
    const flood = (): void => Array.from({ length: 300 }).forEach(() => messages.write('info', undefined, 'x'));
    flood();
    elapsed = 1_001;
    flood();
    assert.equal(lines.length, 400);
  });

  it('does not refuse what a server asks of the person', async () => {
    const guard = createGuard();
    const client = { getServerCapabilities: () => ({}) } as unknown as Client;
    const ask = (): Promise<string> => guard.run('a form', client, () => Promise.resolve('answered'));
    for (let count = 0; count < 20; count += 1) {
      await ask();
    }
    await assert.rejects(ask(), /Too many requests/);
    elapsed = 60_001;
    assert.equal(await ask(), 'answered');
  });

  it('does not keep a resource for longer than the server allows', async () => {
    let reads = 0;
    const readResource = async (): Promise<object> => {
      reads += 1;
      return Promise.resolve({ ttlMs: 1_000, contents: [{ uri: 'a:b', text: `${reads}` }] });
    };
    const cache = new ResourceReads();
    const read = (): Promise<unknown> =>
      cache.read({ readResource } as unknown as Client, 'a:b', { timeout: 1_000, signal: new AbortController().signal });
    await read();
    await read();
    elapsed = 1_001;
    await read();
    assert.equal(reads, 2);
  });
});
