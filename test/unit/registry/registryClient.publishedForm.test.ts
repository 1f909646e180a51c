import assert from 'node:assert/strict';
import { RegistryClient, RegistrySearch } from '../../../src/registry/registryClient.ts';
import { knownServers, listed } from '../../fixtures/registry/entries.ts';
import { publishedForm, publishedQuery } from '../../fixtures/registry/publishedForm.ts';
import { readPublishedTexts } from '../../fixtures/registry/publishedTexts.ts';
import { StandInRegistry } from '../../fixtures/registry/standInRegistry.ts';

const bundle = {
  registryType: 'mcpb',
  identifier: 'https://github.com/example/notes/releases/download/v1.0.0/notes.mcpb',
  fileSha256: '0123456789abcdef'.repeat(4),
  transport: { type: 'stdio' },
};
const remote = {
  type: 'streamable-http',
  url: 'https://{region}.example.com/mcp',
  variables: { region: { default: 'eu', choices: ['eu', 'us'] } },
  headers: [{ name: 'Authorization', value: 'Bearer {token}', variables: { token: { isSecret: true, isRequired: true } } }],
};
const all = [
  ...knownServers,
  listed('io.example/bundle', { packages: [bundle] }),
  listed('io.example/remote', { remotes: [remote] }, 'deprecated'),
];

const page = (server: object): object => ({ servers: [listed('io.example/x', { ...server })], metadata: { count: 1 } });
const npm = { registryType: 'npm', identifier: 'x', transport: { type: 'stdio' } };
/** What the schemas forbid. */
const forbidden = [
  { name: 'noSlash' },
  { description: 'x'.repeat(101) },
  { packages: [{ ...npm, version: 'latest' }] },
  { packages: [{ ...npm, packageArguments: [{ type: 'positional' }] }] },
  { packages: [{ ...bundle, fileSha256: 'short' }] },
  { remotes: [{ type: 'websocket', url: 'https://x.example' }] },
];
/** What only their descriptions forbid. */
const forbiddenInWords = [
  { packages: [{ ...npm, version: '^1.0.0' }] },
  { packages: [{ ...bundle, fileSha256: undefined }] },
  { packages: [{ ...bundle, identifier: 'notes.mcpb' }] },
  { packages: [{ ...npm, registryType: 'gem' }] },
  { surprise: true },
];

describe('The stand-in of a registry', () => {
  let registry: StandInRegistry;
  before(async () => {
    registry = await StandInRegistry.start(all);
  });
  after(() => registry.close());

  it('answers in the form that the registry’s OpenAPI and the schema of server.json publish, on every page', async () => {
    const names: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const response = await fetch(`${registry.url}/v0.1/servers?version=latest&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
      const { servers, metadata } = publishedForm.parse(await response.json());
      names.push(...servers.map(({ server }) => server.name));
      assert.equal(metadata.count, servers.length);
      cursor = metadata.nextCursor;
    }
    assert.deepEqual(
      names,
      all.map(({ server }) => server.name),
    );
  });

  it('is asked only for what the OpenAPI lets a client ask, and all that it lists is read', async () => {
    registry.seen.length = 0;
    const search = new RegistrySearch(new RegistryClient(), registry.url, 'io.');
    await search.read(new AbortController().signal);
    assert.deepEqual(
      search.entries.map(({ name, unreadable }) => [name, unreadable]),
      all.map(({ server }) => [server.name, 0]),
    );
    const [{ method, path, query } = { method: '', path: '', query: new URLSearchParams() }] = registry.seen;
    assert.deepEqual([method, path], ['GET', '/v0.1/servers']);
    assert.deepEqual(
      [...query.keys()].filter((key) => !publishedQuery.includes(key)),
      [],
    );
  });

  it('would not pass with what the published texts forbid, and gives no such answer', async () => {
    const lax = await StandInRegistry.start([]);
    const statusFor = async (server: object): Promise<number> => {
      lax.list([listed('io.example/x', { ...server })]);
      return (await fetch(`${lax.url}/v0.1/servers`)).status;
    };
    try {
      for (const server of [...forbidden, ...forbiddenInWords]) {
        assert.ok(!publishedForm.safeParse(page(server)).success, JSON.stringify(server));
        assert.equal(await statusFor(server), 500, JSON.stringify(server));
      }
      assert.ok(publishedForm.safeParse(page({})).success);
      assert.equal(await statusFor({}), 200);
    } finally {
      await lax.close();
    }
  });

  it('agrees with the published texts themselves, where they are at hand', async function () {
    const texts = readPublishedTexts();
    if (texts === undefined) {
      this.skip(); // DUPLEX_REGISTRY_TEXTS does not say where they are
    }
    const answer: unknown = await (await fetch(`${registry.url}/v0.1/servers`)).json();
    assert.deepEqual(texts.problemsOfAnswer(answer), []);
    for (const { server } of all) {
      assert.deepEqual(texts.problemsOfServer(server), [], server.name);
    }
    for (const server of forbidden) {
      assert.notDeepEqual(texts.problemsOfAnswer(page(server)), [], JSON.stringify(server));
      assert.notDeepEqual(texts.problemsOfServer(listed('io.example/x', { ...server }).server), [], JSON.stringify(server));
    }
    assert.deepEqual(publishedQuery, texts.query);
  });
});
