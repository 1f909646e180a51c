import assert from 'node:assert/strict';
import { neverAborted } from '../../../src/base/abort.ts';
import { RegistryClient, RegistrySearch, registryAddress } from '../../../src/registry/registryClient.ts';
import { sendJson } from '../../fixtures/authorizationServer/httpFixture.ts';
import { listed } from '../../fixtures/registry/entries.ts';
import { StandInRegistry } from '../../fixtures/registry/standInRegistry.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('registryAddress', () => {
  it('takes https, and http on this machine alone', () => {
    const wrong = ['http://registry.example', 'ftp://x', 'nonsense', 'https://user:word@registry.example', 'http://127.0.0.1.example', ' '];
    assert.deepEqual(
      ['https://registry.example', 'http://127.0.0.1:1', 'http://localhost:1'].map((url) => registryAddress(url).href),
      ['https://registry.example/', 'http://127.0.0.1:1/', 'http://localhost:1/'],
    );
    assert.deepEqual(
      wrong.map((url) => codeOf(() => registryAddress(url))),
      [...Array.from({ length: 5 }, () => 'registry.badAddress'), 'registry.off'],
    );
  });
});

describe('A registry client', () => {
  let registry: StandInRegistry;
  beforeEach(async () => {
    registry = await StandInRegistry.start();
  });
  afterEach(() => registry.close());

  const names = (search: RegistrySearch): readonly string[] => search.entries.map(({ name }) => name.split('/').at(-1) ?? '');
  const searchFor = (text: string, client = new RegistryClient()): RegistrySearch => new RegistrySearch(client, registry.url, text);

  it('asks for the newest versions that have the text in their name, with every sign of it encoded', async () => {
    const search = searchFor('memory');
    await search.read(neverAborted());
    await searchFor('a&limit=9 /#').read(neverAborted());
    assert.deepEqual(names(search), ['server-memory']);
    const [first, second] = registry.seen.map(({ path, query }) => [path, Object.fromEntries(query)]);
    assert.deepEqual(first, ['/v0.1/servers', { search: 'memory', version: 'latest', limit: '50' }]);
    assert.deepEqual(second, ['/v0.1/servers', { search: 'a&limit=9 /#', version: 'latest', limit: '50' }]);
  });

  it('keeps answers for a day, and asks again when the person wants that', async () => {
    const clock = new FakeClock();
    const client = new RegistryClient({ clock });
    const read = async (isFresh = false): Promise<number> => {
      await searchFor('', client).read(neverAborted(), isFresh);
      return registry.seen.length;
    };
    assert.deepEqual([await read(), await read(), await read(true)], [1, 1, 2]);
    clock.advance(24 * 60 * 60_000 + 1);
    assert.equal(await read(), 3);
  });

  it('lets the oldest answers go when they are many or large', async () => {
    const requestsAfter = async (count: number): Promise<number> => {
      const client = new RegistryClient();
      const before = registry.seen.length;
      for (const text of [...Array.from({ length: count }, (_, index) => `x${index}`), 'x0']) {
        await searchFor(text, client).read(neverAborted());
      }
      return registry.seen.length - before;
    };
    assert.deepEqual([await requestsAfter(40), await requestsAfter(41)], [40, 42]);
    registry.misbehave((_, response) => sendJson(response, 200, { servers: [], padding: 'x'.repeat(3 * 1024 * 1024) }));
    assert.deepEqual([await requestsAfter(2), await requestsAfter(3)], [2, 4]);
  });

  it('reads a list of 10,000 entries page by page, and no more of it than anybody reads', async () => {
    const many = await StandInRegistry.start(Array.from({ length: 10_000 }, (_, index) => listed(`io.example/server-${index}`)));
    try {
      const search = new RegistrySearch(new RegistryClient(), many.url, '');
      while (search.hasMore) {
        await search.read(neverAborted());
      }
      assert.deepEqual([search.entries.length, many.seen.length], [1_000, 20]);
    } finally {
      await many.close();
    }
  });

  it('takes a hundred entries of one page, however many it has', async () => {
    registry.misbehave((_, response) =>
      sendJson(response, 200, { servers: Array.from({ length: 5_000 }, (_each, index) => listed(`io.example/server-${index}`)) }),
    );
    const search = searchFor('');
    await search.read(neverAborted());
    assert.deepEqual([search.entries.length, search.hasMore], [100, false]);
  });

  it('ends where a cursor goes round in circles, and where it never ends', async () => {
    const pagesWith = async (cursor: () => string): Promise<number> => {
      registry.misbehave((_, response) =>
        sendJson(response, 200, { servers: [listed('io.example/one')], metadata: { nextCursor: cursor() } }),
      );
      const search = searchFor('');
      let pages = 0;
      while (search.hasMore) {
        await search.read(neverAborted());
        pages += 1;
      }
      return pages;
    };
    let count = 0;
    assert.deepEqual([await pagesWith(() => 'same'), await pagesWith(() => `next ${(count += 1)}`)], [2, 20]);
  });

  it('says what is wrong with an answer, and can be asked again', async () => {
    const search = searchFor('');
    const failure = async (misbehave: Parameters<StandInRegistry['misbehave']>[0]): Promise<string> => {
      registry.misbehave(misbehave);
      return search.read(neverAborted(), true).then(
        () => 'read',
        (error: unknown) => (error as { code?: string }).code ?? 'no code',
      );
    };
    assert.deepEqual(
      [
        await failure((_, response) => sendJson(response, 503, {})),
        await failure((_, response) => void response.end('<html>')),
        await failure((_, response) => sendJson(response, 200, { servers: 'none' })),
        await failure((_, response) => void response.destroy()),
        await failure((_, response) => void response.end(`"${'x'.repeat(5 * 1024 * 1024)}"`)),
        await failure((_, response) => void response.writeHead(302, { location: 'http://elsewhere.example/' }).end()),
        await failure((_, response) => void response.writeHead(302, { location: '/again' }).end()),
        await failure(undefined),
      ],
      [
        'registry.refused',
        'registry.notAList',
        'registry.notAList',
        'registry.unreachable',
        'registry.tooLarge',
        'registry.redirected',
        'registry.redirected',
        'read',
      ],
    );
    assert.equal(search.entries.length, 5);
  });

  it('follows a registry that has moved on the same machine', async () => {
    registry.misbehave(({ path }, response) => {
      if (path === '/v0.1/servers') {
        response.writeHead(301, { location: '/moved' }).end();
      } else {
        sendJson(response, 200, { servers: [listed('io.example/moved')] });
      }
    });
    const search = searchFor('');
    await search.read(neverAborted());
    assert.deepEqual(names(search), ['moved']);
  });
});

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'nothing thrown';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
