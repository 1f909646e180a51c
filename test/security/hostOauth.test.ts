import assert from 'node:assert/strict';
import * as http from 'node:http';
import { once } from 'node:events';
import { inspect } from 'node:util';
import type { FetchLike } from '../../src/host/auth/authPorts.ts';
import { openLoopbackReceiver } from '../../src/host/auth/loopbackReceiver.ts';
import { listenLocally, sendJson, type Seen } from '../fixtures/authorizationServer/httpFixture.ts';
import { PersonAtBrowser } from '../fixtures/authorizationServer/personAtBrowser.ts';
import { ProtectedServer } from '../fixtures/authorizationServer/protectedServer.ts';
import type { Switches } from '../fixtures/authorizationServer/switches.ts';
import { connect, MemoryStore, never, openWindow, pageTexts } from '../unit/host/auth/support.ts';

const closing: (() => Promise<void>)[] = [];

async function start(switches: Partial<Switches>): Promise<ProtectedServer> {
  const server = await ProtectedServer.start(switches);
  closing.push(() => server.close());
  return server;
}

/** Another origin that writes down what reaches it. */
async function listener(): Promise<{ readonly origin: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const fixture = await listenLocally((request, response) => {
    seen.push(request);
    sendJson(response, 200, {});
  });
  closing.push(() => fixture.close());
  return { origin: fixture.origin, seen };
}

function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });
}

describe('A hostile sign-in', () => {
  closeAfterEach();
  const refusals: readonly { readonly what: string; readonly switches: Partial<Switches>; readonly code: string }[] = [
    { what: 'metadata of another issuer', switches: { issuerInMetadata: 'https://bank.example' }, code: 'auth.issuerMismatch' },
    { what: 'no PKCE', switches: { withoutPkce: true }, code: 'auth.noPkce' },
    {
      what: 'tokens for another server',
      switches: { resourceMetadata: { resource: 'https://bank.example/mcp' } },
      code: 'auth.resourceMismatch',
    },
    ...['http://evil.example/authorize', 'file:///etc/passwd', 'vscode://publisher.extension/run', 'https://user:pass@evil.example/'].map(
      (address) => ({
        what: `the authorization endpoint ${address}`,
        switches: { authorizationServerMetadata: { authorization_endpoint: address } },
        code: 'auth.insecureAddress',
      }),
    ),
    {
      what: 'a script as the authorization endpoint',
      switches: { authorizationServerMetadata: { authorization_endpoint: 'javascript:alert(1)' } },
      code: 'auth.badAnswer',
    },
    {
      what: 'a token endpoint that anybody on the way can read',
      switches: { authorizationServerMetadata: { token_endpoint: 'http://evil.example/token' } },
      code: 'auth.insecureAddress',
    },
  ];
  for (const { what, switches, code } of refusals) {
    it(`with ${what} is refused before the browser opens`, async () => {
      const server = await start(switches);
      const { auth, person } = openWindow(server.url);
      await assert.rejects(auth.signIn(never()), { code });
      assert.deepEqual(person.opened, []);
      assert.deepEqual(server.secrets, []);
    });
  }

  it('that comes back with another state is no answer: it ends nothing, and its code is not used', async () => {
    const server = await start({ stateInRedirect: 'guessed' });
    const person = new PersonAtBrowser();
    const stop = new AbortController();
    const open = async (url: URL): Promise<boolean> => {
      await person.open(url);
      await person.settled();
      stop.abort(); // the sign-in still waits for its own answer
      return true;
    };
    const { auth } = openWindow(server.url, { ports: { browser: { open } } });
    await assert.rejects(auth.signIn(stop.signal), { code: 'auth.cancelled' });
    assert.deepEqual(
      person.pages.map((page) => page.status),
      [404],
    );
    assert.deepEqual(server.authorization.requests('/token'), []);
  });

  for (const errorInRedirect of [undefined, 'access_denied']) {
    const what = errorInRedirect === undefined ? 'its code is not used' : 'its reason is not believed';
    it(`that comes back from another issuer is refused, and ${what}`, async () => {
      const server = await start({ issuerInRedirect: 'https://bank.example', errorInRedirect });
      const { auth, person } = openWindow(server.url);
      await assert.rejects(auth.signIn(never()), { code: 'auth.issuerMismatch' });
      await person.settled();
      assert.deepEqual(server.authorization.requests('/token'), []);
    });
  }

  it('cannot make a redirect carry the code and the verifier to another origin', async () => {
    const other = await listener();
    const server = await start({ redirectEverythingTo: `${other.origin}/token` });
    server.switches.authorizationServerMetadata = { token_endpoint: server.url.href };
    const { auth, person } = openWindow(server.url);
    await assert.rejects(auth.signIn(never()), { code: 'auth.refused' });
    await person.settled();
    assert.deepEqual(other.seen, []);
  });

  it('cannot fill the memory with its metadata', async () => {
    const server = await start({ authorizationServerMetadata: { padding: 'x'.repeat(2_000_000) } });
    const { auth } = openWindow(server.url);
    await assert.rejects(auth.signIn(never()), { code: 'auth.answerTooLarge' });
  });
});

describe('A public server that points into the network of the person', () => {
  closeAfterEach();
  const insides = [
    'https://127.0.0.1',
    'https://169.254.169.254',
    'https://10.1.2.3',
    'https://[::1]',
    'https://[::ffff:192.168.0.1]',
    'https://[fd00::1]',
    'https://localhost',
    'https://localhost.',
    'https://app.localhost',
    'https://inner.example',
  ];
  const publicServer = new URL('https://mcp.example/mcp');
  const lookUp = (name: string): Promise<readonly string[]> => Promise.resolve(name === 'inner.example' ? ['10.0.0.7'] : ['203.0.113.5']);

  /** The far end: a public server and a public authorization server, as far as the documents go. */
  function farEnd(resource: Record<string, unknown>, authorization: Record<string, unknown>): { fetch: FetchLike; hosts: Set<string> } {
    const hosts = new Set<string>();
    const fetchFarEnd: FetchLike = (input) => {
      const url = new URL(String(input));
      hosts.add(url.hostname);
      const isResource = url.pathname.startsWith('/.well-known/oauth-protected-resource');
      const document = {
        issuer: 'https://auth.example',
        authorization_endpoint: 'https://auth.example/authorize',
        token_endpoint: 'https://auth.example/token',
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...authorization,
      };
      const ofResource = { resource: publicServer.href, authorization_servers: ['https://auth.example'], ...resource };
      return Promise.resolve(Response.json(isResource ? ofResource : document));
    };
    return { fetch: fetchFarEnd, hosts };
  }

  for (const inside of insides) {
    it(`reaches nothing at ${inside}`, async () => {
      const host = new URL(inside).hostname;
      const attempts = [
        farEnd({ authorization_servers: [inside] }, {}),
        farEnd({}, { token_endpoint: `${inside}/token` }),
        farEnd({}, { authorization_endpoint: `${inside}/authorize` }),
        farEnd({}, { registration_endpoint: `${inside}/register` }),
        farEnd({}, { revocation_endpoint: `${inside}/revoke` }),
      ];
      for (const { fetch, hosts } of attempts) {
        const { auth, person } = openWindow(publicServer, { ports: { fetch, lookUp } });
        await assert.rejects(auth.signIn(never()), { code: 'auth.privateAddress' });
        assert.equal(hosts.has(host), false);
        assert.deepEqual(person.opened, []);
      }
    });
  }

  it('reaches nothing through the address in its refusal either', async () => {
    const { fetch, hosts } = farEnd({}, {});
    const { auth } = openWindow(publicServer, { ports: { fetch, lookUp } });
    const headers = { 'www-authenticate': 'Bearer resource_metadata="https://10.0.0.1/secret"' };
    const response = new Response(null, { status: 401, headers });
    await assert.rejects(auth.provider.onUnauthorized({ response, serverUrl: publicServer, fetchFn: fetch }), {
      code: 'auth.privateAddress',
    });
    assert.deepEqual([...hosts], []);
  });

  it('gets no plain http, not even on this machine', async () => {
    const { fetch } = farEnd({ authorization_servers: ['http://127.0.0.1:1'] }, {});
    const { auth } = openWindow(publicServer, { ports: { fetch, lookUp } });
    await assert.rejects(auth.signIn(never()), { code: 'auth.insecureAddress' });
  });
});

describe('A token', () => {
  closeAfterEach();
  it('does not follow a redirect to another origin', async () => {
    const other = await listener();
    const server = await start({});
    const { auth, person } = openWindow(server.url);
    await auth.signIn(never());
    await person.settled();
    server.switches.redirectEverythingTo = `${other.origin}/mcp`;
    await assert.rejects(connect(server.url, auth));
    assert.deepEqual(other.seen, []);
  });

  it('is taken out of a request to another origin', async () => {
    const other = await listener();
    const server = await start({});
    const { auth } = openWindow(server.url);
    const guarded = auth.wrapFetch((url, init) => fetch(url, init));
    await (await guarded(other.origin, { headers: { authorization: 'Bearer secret', 'x-other': 'kept' } })).text();
    assert.deepEqual(
      other.seen.map(({ headers }) => [headers.authorization, headers['x-other']]),
      [[undefined, 'kept']],
    );
  });

  it('is not sent to a new address under an old name', async () => {
    const store = new MemoryStore();
    const [old, changed] = [await start({}), await start({})];
    const before = openWindow(old.url, { ports: { store } });
    await before.auth.signIn(never());
    await before.person.settled();
    const after = openWindow(changed.url, { ports: { store, maySignIn: () => Promise.resolve(false) } });
    await assert.rejects(connect(changed.url, after.auth), { code: 'host.unauthorized' });
    assert.ok(changed.seen.every(({ headers }) => headers.authorization === undefined));
  });

  it('is in no error, no log line and on no console, even when the authorization server repeats it', async () => {
    const printed: unknown[] = [];
    const { warn, error, log } = console;
    Object.assign(console, {
      warn: (...args: unknown[]) => printed.push(args),
      error: (...args: unknown[]) => printed.push(args),
      log: (...args: unknown[]) => printed.push(args),
    });
    try {
      const server = await start({ repeatsSecretsInErrors: true });
      const store = new MemoryStore();
      const window = openWindow(server.url, { ports: { store, maySignIn: () => Promise.resolve(false) } });
      await window.auth.signIn(never());
      await window.person.settled();
      const [record] = store.records.values();
      server.authorization.tokens.revoke(record?.refreshToken ?? '');
      const refused = await connect(server.url, window.auth).then(
        () => assert.fail('it was not refused'),
        (reason: unknown) => reason,
      );
      // A code that the server does not take: the error repeats it with the verifier.
      const fetchWithBadCode: FetchLike = (url, init) => {
        if (init?.body instanceof URLSearchParams) {
          init.body.set('redirect_uri', 'http://127.0.0.1:1/');
        }
        return fetch(url, init);
      };
      const second = openWindow(server.url, { ports: { fetch: fetchWithBadCode } });
      const failed = await second.auth.signIn(never()).catch((reason: unknown) => reason);
      await second.person.settled();
      const everything = inspect([refused, failed, window.log.lines, second.log.lines, printed], { depth: 20, maxStringLength: null });
      assert.match(everything, /invalid_grant/);
      assert.ok(server.secrets.length >= 4);
      assert.deepEqual(
        [...server.secrets, 'code_verifier'].filter((secret) => everything.includes(secret)),
        [],
      );
    } finally {
      Object.assign(console, { warn, error, log });
    }
  });
});

describe('The listener for the way back from the browser', () => {
  closeAfterEach();
  it('answers only to its own name, only to GET, only once, and repeats nothing', async () => {
    const receiver = await openLoopbackReceiver(undefined, pageTexts);
    try {
      const answer = receiver.answer('right', AbortSignal.timeout(10_000));
      const url = `${receiver.redirectUrl}?code=%3Cscript%3E&state=right`;
      assert.match(receiver.redirectUrl, /^http:\/\/127\.0\.0\.1:\d+\//);
      assert.equal((await request(url, { host: 'evil.example' })).status, 404);
      assert.equal((await request(url, {}, 'POST')).status, 404);
      assert.equal((await request(new URL('/favicon.ico', receiver.redirectUrl).href, {})).status, 404);
      const page = await request(url, {});
      assert.deepEqual(
        [page.status, page.text.includes('<script>'), page.policy],
        [200, false, "default-src 'none'; frame-ancestors 'none'"],
      );
      assert.match(page.text, /<html lang="de">.*<p>Die Antwort ist &#60;da&#62;\.<\/p>/);
      assert.equal((await answer).get('code'), '<script>');
      assert.equal((await request(url, {})).status, 404);
    } finally {
      receiver.dispose();
    }
  });

  it('is not ended by a stranger who guesses', async () => {
    const receiver = await openLoopbackReceiver(undefined, pageTexts);
    try {
      const answer = receiver.answer('right', AbortSignal.timeout(10_000));
      const { host } = new URL(receiver.redirectUrl);
      for (const guess of ['?code=x&state=wrong', '?code=x', '?error=access_denied&state=', '?state=right']) {
        assert.equal((await request(`${receiver.redirectUrl}${guess}`, {})).status, 404, guess);
      }
      assert.equal((await request(receiver.redirectUrl, { host }, 'GET', '//')).status, 404, 'a target that is no address');
      assert.equal((await request(`${receiver.redirectUrl}?code=x&state=right`, {})).status, 200);
      assert.equal((await answer).get('code'), 'x');
    } finally {
      receiver.dispose();
    }
  });

  it('takes the port of an earlier sign-in again, and another one if that is taken', async () => {
    const first = await openLoopbackReceiver(undefined, pageTexts);
    const second = await openLoopbackReceiver(first.redirectUrl, pageTexts);
    assert.notEqual(second.redirectUrl, first.redirectUrl);
    first.dispose();
    second.dispose();
    const again = await openLoopbackReceiver(second.redirectUrl, pageTexts);
    assert.equal(again.redirectUrl, second.redirectUrl);
    again.dispose();
  });
});

async function request(
  url: string,
  headers: http.OutgoingHttpHeaders,
  method = 'GET',
  target?: string,
): Promise<{ readonly status: number | undefined; readonly text: string; readonly policy: string | string[] | undefined }> {
  const sent = http.request(url, { method, headers, agent: false, ...(target !== undefined && { path: target }) });
  sent.end();
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
  return { status: response.statusCode, text, policy: response.headers['content-security-policy'] };
}
