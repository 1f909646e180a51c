import assert from 'node:assert/strict';
import { AnthropicProvider } from '../../src/chat/models/anthropic.ts';
import { readAccess } from '../../src/chat/models/anthropicClient.ts';
import { isAppError } from '../../src/base/errors.ts';
import { defaultBaseUrl, type EndpointKey } from '../../src/contract/modelEndpoint.ts';
import { ApiKeyStore } from '../../src/editor/storage/apiKeyStore.ts';
import { AnthropicServer } from '../fixtures/anthropic/anthropicServer.ts';

/** VS Code's secret storage, as far as the store of keys uses it. */
class FakeSecrets {
  readonly values = new Map<string, string>();
  readonly onDidChange = (): { dispose(): void } => ({ dispose: () => undefined });
  get = (name: string): Promise<string | undefined> => Promise.resolve(this.values.get(name));
  store = (name: string, value: string): Promise<void> => Promise.resolve(void this.values.set(name, value));
  delete = (name: string): Promise<void> => Promise.resolve(void this.values.delete(name));
  keys = (): Promise<string[]> => Promise.resolve([...this.values.keys()]);
}

describe('The key of a model', function () {
  this.timeout(20_000); // the first request loads the SDK
  const never = new AbortController().signal;
  const fromEnvironment = process.env['ANTHROPIC_API_KEY'];
  let secrets: FakeSecrets;
  let keys: ApiKeyStore;
  let mine: AnthropicServer;
  let other: AnthropicServer;

  beforeEach(async () => {
    delete process.env['ANTHROPIC_API_KEY'];
    secrets = new FakeSecrets();
    keys = new ApiKeyStore(secrets);
    [mine, other] = await Promise.all([AnthropicServer.start(), AnthropicServer.start()]);
  });
  afterEach(async () => {
    delete process.env['ANTHROPIC_API_KEY'];
    if (fromEnvironment !== undefined) {
      process.env['ANTHROPIC_API_KEY'] = fromEnvironment;
    }
    keys.dispose();
    await Promise.all([mine.close(), other.close()]);
  });

  const codeOf = async (baseUrl: string): Promise<unknown> => {
    const provider = new AnthropicProvider({ apiKey: (address) => keys.get(address), baseUrl: () => baseUrl });
    const error: unknown = await provider.listModels(never).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return isAppError(error) ? error.code : error;
  };

  it('is sent to the address it was stored for and to no other', async () => {
    await keys.set({ baseUrl: mine.url, sentAs: 'bearer', key: mine.apiKey });
    assert.deepEqual(
      [await codeOf(mine.url), await codeOf(other.url), await codeOf(`${mine.url}/gateway`)],
      [undefined, 'model.noKey', 'model.noKey'],
    );
    assert.deepEqual([mine.requests.length, other.requests.length], [1, 0]);
  });

  it('of an earlier version counts for Anthropic’s own address only', async () => {
    secrets.values.set('duplex.anthropic.apiKey', 'sk-ant-old');
    assert.deepEqual(await keys.get(defaultBaseUrl), { baseUrl: defaultBaseUrl, sentAs: 'bearer', key: 'sk-ant-old' });
    assert.equal(await codeOf(other.url), 'model.noKey');
    assert.equal(other.requests.length, 0);
  });

  it('that was moved to another address in the store counts as none', async () => {
    await keys.set({ baseUrl: mine.url, sentAs: 'bearer', key: mine.apiKey });
    secrets.values.set(`duplex.anthropic.apiKey:${other.url}`, secrets.values.get(`duplex.anthropic.apiKey:${mine.url}`) ?? '');
    assert.equal(await codeOf(other.url), 'model.noKey');
    assert.equal(other.requests.length, 0);
  });

  it('does not follow a base URL that changes between reading it and sending', async () => {
    await keys.set({ baseUrl: mine.url, sentAs: 'bearer', key: mine.apiKey });
    let address = mine.url;
    const provider = new AnthropicProvider({
      apiKey: async (baseUrl) => {
        address = other.url;
        return keys.get(baseUrl);
      },
      baseUrl: () => address,
    });
    await provider.listModels(never);
    assert.deepEqual([mine.requests.length, other.requests.length], [1, 0]);
  });

  it('of the environment goes to Anthropic’s own address and to this machine, and nowhere else', async () => {
    process.env['ANTHROPIC_API_KEY'] = mine.apiKey;
    const elsewhere = [
      'http://192.168.0.7:8080',
      'https://gateway.example',
      'https://api.anthropic.com.example',
      'http://api.anthropic.com',
    ];
    let sent = 0;
    for (const address of elsewhere) {
      const provider = new AnthropicProvider({
        apiKey: (baseUrl) => keys.get(baseUrl),
        baseUrl: () => address,
        fetch: () => Promise.reject(new Error(`sent ${(sent += 1)}`)),
      });
      const { host } = new URL(address);
      await assert.rejects(provider.listModels(never), { code: 'model.noKey', args: { host } });
    }
    assert.equal(sent, 0);
    assert.equal((await keys.get(defaultBaseUrl))?.key, mine.apiKey);
    assert.equal(await codeOf(mine.url), undefined);
  });

  it('that the person stored counts also where the variable does not', async () => {
    process.env['ANTHROPIC_API_KEY'] = mine.apiKey;
    const own: EndpointKey = { baseUrl: 'https://gateway.example', sentAs: 'x-api-key', key: 'of-the-gateway' };
    await keys.set(own);
    assert.deepEqual(await keys.get(own.baseUrl), own);
  });

  it('goes into the header that was asked for, and into no other', async () => {
    for (const sentAs of ['bearer', 'x-api-key'] as const) {
      await keys.set({ baseUrl: mine.url, sentAs, key: mine.apiKey });
      assert.equal(await codeOf(mine.url), undefined);
    }
    assert.deepEqual(
      mine.requests.map(({ headers }) => [headers.authorization, headers['x-api-key']]),
      [
        [`Bearer ${mine.apiKey}`, undefined],
        [undefined, mine.apiKey],
      ],
    );
  });

  it('may be missing only where an endpoint is on this machine and the person said so', () => {
    const none = (baseUrl: string): EndpointKey => ({ baseUrl, sentAs: 'none', key: '' });
    assert.deepEqual(readAccess(none('http://127.0.0.1:11434'), 'http://127.0.0.1:11434'), {
      apiKey: '',
      sentAs: 'none',
      baseUrl: 'http://127.0.0.1:11434',
    });
    for (const address of ['http://192.168.0.7', 'https://localhost.example', 'http://127.0.0.1.example']) {
      assert.throws(() => readAccess(none(address), address), { code: 'model.noKey' });
    }
  });
});
