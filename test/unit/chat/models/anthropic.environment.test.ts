import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import { readBaseUrl } from '../../../../src/chat/models/anthropicClient.ts';
import { defaultBaseUrl } from '../../../../src/contract/modelEndpoint.ts';
import type { ModelRequest } from '../../../../src/chat/models/modelProvider.ts';
import { AnthropicServer, type RecordedRequest } from '../../../fixtures/anthropic/anthropicServer.ts';

const request: ModelRequest = {
  model: 'claude-stand-in-2',
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [],
  maxTokens: 64,
};

/** Every variable that the installed SDK mentions anywhere, so that a new one in a later version is covered too. */
async function variablesOfTheSdk(): Promise<readonly string[]> {
  const folder = dirname(createRequire(import.meta.url).resolve('@anthropic-ai/sdk'));
  const files = await readdir(folder, { recursive: true });
  const found = new Set<string>();
  for (const file of files.filter((name) => name.endsWith('.mjs'))) {
    const text = await readFile(join(folder, file), 'utf8');
    [...text.matchAll(/\bANTHROPIC_[A-Z0-9_]+/g)].forEach(([name]) => found.add(name));
  }
  return [...found];
}

describe('AnthropicProvider and the environment', function () {
  this.timeout(20_000); // the first request loads the SDK
  const before = { ...process.env };
  let server: AnthropicServer;
  let trap: AnthropicServer;

  beforeEach(async () => {
    server = await AnthropicServer.start();
    trap = await AnthropicServer.start();
  });
  afterEach(async () => {
    Object.keys(process.env)
      .filter((name) => !Object.hasOwn(before, name))
      .forEach((name) => Reflect.deleteProperty(process.env, name));
    Object.assign(process.env, before);
    await Promise.all([server.close(), trap.close()]);
  });

  const exchange = async (): Promise<readonly RecordedRequest[]> => {
    server.requests.length = 0;
    const provider = new AnthropicProvider({ apiKey: () => Promise.resolve(server.apiKey), baseUrl: () => server.url });
    const signal = new AbortController().signal;
    for await (const event of provider.stream(request, signal)) {
      assert.ok(event);
    }
    await provider.listModels(signal);
    return server.requests.map(({ headers, ...rest }) => ({ ...rest, headers: { ...headers } }));
  };

  it('sends exactly the same requests whatever ANTHROPIC variables are set', async () => {
    const clean = await exchange();
    const names = await variablesOfTheSdk();
    assert.ok(
      ['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS', 'ANTHROPIC_LOG', 'ANTHROPIC_PROFILE'].every((name) =>
        names.includes(name),
      ),
    );
    for (const name of names) {
      process.env[name] = `trap-${name}`;
    }
    process.env['ANTHROPIC_BASE_URL'] = trap.url;
    process.env['ANTHROPIC_CUSTOM_HEADERS'] = 'x-trap: 1\nauthorization: Bearer trap\nanthropic-beta: trap\nx-stainless-os: trap';
    process.env['ANTHROPIC_LOG'] = 'debug';
    process.env['ANTHROPIC_OPEN_TELEMETRY'] = 'true';
    assert.deepEqual(await exchange(), clean);
    assert.equal(trap.requests.length, 0);
    assert.equal(process.env['ANTHROPIC_BASE_URL'], trap.url, 'the variables are back in place for others');
  });

  it('writes nothing to the console, also when ANTHROPIC_LOG asks for everything', async () => {
    process.env['ANTHROPIC_LOG'] = 'debug';
    const lines: unknown[] = [];
    const methods = ['debug', 'info', 'log', 'warn', 'error'] as const;
    const original = { ...console };
    methods.forEach((method) => (console[method] = (...args: unknown[]) => void lines.push(args)));
    try {
      await exchange();
    } finally {
      Object.assign(console, original);
    }
    assert.deepEqual(lines, []);
  });

  it('sends only the headers it knows', async () => {
    const [message] = await exchange();
    const known = [
      'accept',
      'accept-encoding',
      'accept-language',
      'anthropic-version',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'sec-fetch-mode',
      'user-agent',
    ];
    assert.deepEqual(
      Object.keys(message?.headers ?? {}).filter((name) => !known.includes(name) && !name.startsWith('x-stainless-')),
      [],
    );
    assert.equal(message?.headers.authorization, `Bearer ${server.apiKey}`);
  });

  it('does not follow a redirect to another host', async () => {
    const redirecting = createServer((_, response) => response.writeHead(307, { location: `${trap.url}/v1/messages` }).end());
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    try {
      const provider = new AnthropicProvider({ apiKey: () => Promise.resolve('sk-ant-x'), baseUrl: () => baseUrl });
      await assert.rejects(provider.stream(request, new AbortController().signal).next(), { code: 'model.unreachable' });
    } finally {
      redirecting.closeAllConnections();
      await new Promise((resolve) => redirecting.close(resolve));
    }
    assert.equal(trap.requests.length, 0);
  });

  it('goes to Anthropic itself when the setting is empty, whatever the environment says', () => {
    process.env['ANTHROPIC_BASE_URL'] = trap.url;
    assert.equal(readBaseUrl(''), defaultBaseUrl);
    assert.equal(defaultBaseUrl, 'https://api.anthropic.com');
  });
});
