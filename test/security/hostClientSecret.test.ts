import assert from 'node:assert/strict';
import { silentLog } from '../../src/base/log.ts';
import { createIssuerConsent } from '../../src/host/auth/issuerConsent.ts';
import { openLoopbackReceiver } from '../../src/host/auth/loopbackReceiver.ts';
import { SignIns } from '../../src/host/auth/signIns.ts';
import { AuthorizationServer } from '../fixtures/authorizationServer/authorizationServer.ts';
import { PersonAtBrowser } from '../fixtures/authorizationServer/personAtBrowser.ts';
import { ProtectedServer } from '../fixtures/authorizationServer/protectedServer.ts';
import { honest, type Switches } from '../fixtures/authorizationServer/switches.ts';
import { MemoryLock, MemoryStore, never, pageTexts } from '../unit/host/auth/support.ts';
import { createTestHost, type TestHost } from '../unit/host/support.ts';

const secret = 's3cret-of-the-person';
const redirectUris = ['http://127.0.0.1/oauth/callback'];
const withSecret = { authMethods: ['client_secret_basic'] } as const;

/** Whether what is given as the password of a request, or anything else of it, holds the secret. */
function sawSecret({ seen }: AuthorizationServer, text: string): boolean {
  return seen.some(({ headers, body, query }) => {
    const basic = Buffer.from(/^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '', 'base64').toString();
    return [basic, body, query.toString(), JSON.stringify(headers)].some((part) => part.includes(text));
  });
}

describe('The secret of a client', () => {
  let host: TestHost;
  let signIns: SignIns;
  let person: PersonAtBrowser;
  let server: ProtectedServer;
  const closing: (() => Promise<void>)[] = [];

  /** A hostile MCP server's own authorization server: it gives what it is asked for, and keeps what it is sent. */
  async function harvester(switches: Partial<Switches> = {}): Promise<AuthorizationServer> {
    const hostile = await AuthorizationServer.start({ ...honest(), ...withSecret, ...switches });
    closing.push(() => hostile.close());
    hostile.addClient('mine', { secret, redirectUris });
    return hostile;
  }

  async function configure(auth: object | undefined): Promise<string> {
    await host.configure({ notes: { url: server.url.href, ...(auth === undefined ? {} : { auth }) } });
    const { id } = host.server('notes');
    const state = await host.registry.start(id, { ask: host.ask, signal: never() });
    assert.equal(state.kind === 'failed' && state.error.code, 'host.unauthorized');
    return id;
  }

  async function signIn(id: string): Promise<string> {
    const state = await signIns.signIn(id);
    await person.settled();
    return state.kind === 'failed' ? state.error.code : state.kind;
  }

  const configured = { clientId: 'mine', clientSecret: '${env:NOTES_SECRET}' };

  beforeEach(async () => {
    server = await ProtectedServer.start(withSecret);
    server.authorization.addClient('mine', { secret, redirectUris });
    host = await createTestHost({
      environment: { env: { NOTES_SECRET: secret } },
      ports: { authFor: (remote) => signIns.authFor(remote) },
    });
    person = new PersonAtBrowser();
    signIns = new SignIns({
      store: new MemoryStore(),
      lock: new MemoryLock(),
      browser: person,
      openReceiver: (preferred) => openLoopbackReceiver(preferred, pageTexts),
      issuers: createIssuerConsent(host.gate, host.ask),
      log: silentLog,
    });
    host.answer = () => 'allow';
  });

  afterEach(async () => {
    signIns.dispose();
    await host.close();
    await server.close();
    for (const close of closing.splice(0)) {
      await close();
    }
  });

  it('is sent to no authorization server before the person has agreed to that one, and never after a no', async () => {
    const hostile = await harvester();
    server.switches.resourceMetadata = { authorization_servers: [hostile.issuer] };
    const id = await configure(configured);
    host.answer = () => 'deny';
    assert.equal(await signIn(id), 'auth.issuerNotAllowed');
    const question = host.asked.at(-1);
    assert.deepEqual(question?.detail, {
      kind: 'signIn',
      server: 'notes',
      issuer: hostile.issuer,
      secret: { name: '${env:NOTES_SECRET}', sentTo: [hostile.issuer] },
    });
    assert.deepEqual([question.why, question.choices], ['new', ['deny', 'allow']]);
    assert.deepEqual([sawSecret(hostile, secret), hostile.requests('/token'), person.opened], [false, [], []]);

    let sentBeforeTheAnswer: boolean | undefined;
    host.answer = () => {
      sentBeforeTheAnswer = sawSecret(hostile, secret);
      return 'allow';
    };
    assert.equal(await signIn(id), 'signedIn');
    assert.deepEqual([sentBeforeTheAnswer, sawSecret(hostile, secret)], [false, true]);
  });

  it('is not sent to another authorization server that the server names later, and the difference is shown', async () => {
    const id = await configure(configured);
    assert.equal(await signIn(id), 'signedIn');
    const { issuer } = server.authorization;
    const questions = host.asked.length;
    assert.equal(await signIn(id), 'signedIn');
    assert.equal(host.asked.length, questions, 'the same issuer is not asked about again');

    const hostile = await harvester();
    server.switches.resourceMetadata = { authorization_servers: [hostile.issuer] };
    host.answer = () => 'deny';
    assert.equal(await signIn(id), 'auth.issuerNotAllowed');
    const question = host.asked.at(-1);
    assert.deepEqual(
      [question?.why, question?.differences],
      [
        'changed',
        [
          { field: 'issuer', before: issuer, after: hostile.issuer },
          { field: 'sentTo', before: JSON.stringify([issuer]), after: JSON.stringify([hostile.issuer]) },
        ],
      ],
    );
    assert.deepEqual([sawSecret(hostile, secret), hostile.requests('/authorize')], [false, []]);
  });

  it('is not sent to a token endpoint elsewhere that a known issuer names later', async () => {
    const id = await configure(configured);
    assert.equal(await signIn(id), 'signedIn');
    const hostile = await harvester();
    server.switches.authorizationServerMetadata = { token_endpoint: `${hostile.issuer}/token` };
    host.answer = () => 'deny';
    assert.equal(await signIn(id), 'auth.issuerNotAllowed');
    assert.deepEqual(
      host.asked.at(-1)?.differences.map(({ field }) => field),
      ['sentTo'],
    );
    assert.equal(sawSecret(hostile, secret), false);
  });

  it('stands in the start question with the issuer it goes to, once that is known', async () => {
    const id = await configure(configured);
    const disclosed = (): unknown => host.asked.flatMap(({ detail }) => (detail.kind === 'startServer' ? [detail.disclosures] : [])).at(-1);
    const { host: address } = server.url;
    assert.deepEqual(disclosed(), [{ name: 'NOTES_SECRET', destination: address, isSignIn: true }]);
    assert.equal(await signIn(id), 'signedIn');
    await host.configure({ notes: { url: server.url.href, auth: configured, timeout: 5_000 } });
    await host.registry.start(id, { ask: host.ask, signal: never() });
    assert.deepEqual(disclosed(), [{ name: 'NOTES_SECRET', destination: server.authorization.issuer }]);
  });

  it('stands in the start question with every origin that gets it, not with the issuer that only names them', async () => {
    const elsewhere = await harvester();
    server.switches.authorizationServerMetadata = { token_endpoint: `${elsewhere.issuer}/token` };
    const id = await configure(configured);
    await signIn(id);
    const sentTo = host.asked.flatMap(({ detail }) => (detail.kind === 'signIn' ? [detail.secret?.sentTo] : [])).at(-1);
    assert.deepEqual(sentTo, [elsewhere.issuer, server.authorization.issuer].sort());
    await host.configure({ notes: { url: server.url.href, auth: configured, timeout: 5_000 } });
    await host.registry.start(id, { ask: host.ask, signal: never() });
    const disclosed = host.asked.flatMap(({ detail }) => (detail.kind === 'startServer' ? [detail.disclosures] : [])).at(-1);
    assert.deepEqual(
      disclosed,
      sentTo.map((destination) => ({ name: 'NOTES_SECRET', destination })),
    );
  });

  it('is not used behind the back of a person who has taken the permission back', async () => {
    const id = await configure(configured);
    assert.equal(await signIn(id), 'signedIn');
    const [answer] = host.ledger.answers().filter(({ action }) => action === 'useIssuer');
    await host.ledger.revoke(answer?.id ?? '');
    server.authorization.tokens.expireAccessTokens();
    server.authorization.seen.splice(0);
    const state = await host.registry.start(id, { ask: host.ask, signal: never() });
    assert.equal(state.kind === 'failed' && state.error.code, 'host.unauthorized');
    await signIns.signOut(id);
    assert.equal(sawSecret(server.authorization, secret), false);
  });

  it('that Duplex registered stays with the issuer that gave it, and another issuer is asked about', async () => {
    const id = await configure(undefined);
    const questions = host.asked.length;
    assert.equal(await signIn(id), 'signedIn');
    assert.equal(host.asked.length, questions, 'nothing of the person goes to the first issuer');
    const hostile = await harvester();
    server.switches.resourceMetadata = { authorization_servers: [hostile.issuer] };
    host.answer = () => 'deny';
    assert.equal(await signIn(id), 'auth.issuerNotAllowed');
    assert.deepEqual(host.asked.at(-1)?.detail, {
      kind: 'signIn',
      server: 'notes',
      issuer: hostile.issuer,
      earlierIssuer: server.authorization.issuer,
    });
    assert.deepEqual([hostile.requests('/register'), hostile.requests('/authorize')], [[], []]);
    host.answer = () => 'allow';
    assert.equal(await signIn(id), 'signedIn');
    assert.equal(sawSecret(hostile, 'secret-'), true, 'its own registration');
    const given = server.authorization.seen.flatMap(({ headers }) => /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? []);
    assert.ok(given.length > 0);
    assert.deepEqual(
      hostile.seen.filter(({ headers }) => given.some((basic) => headers.authorization?.includes(basic))),
      [],
    );
  });
});
