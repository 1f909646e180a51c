import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { answerInputs, type InputValues } from '../../src/definitions/inputs.ts';
import { KnownSecrets, rememberedInputs } from '../../src/definitions/knownSecrets.ts';
import { readDefinitions } from '../../src/definitions/readDefinitions.ts';
import type { SignInRecord, TokenStore } from '../../src/host/auth/authPorts.ts';
import { rememberedTokens } from '../../src/host/auth/tokens.ts';
import { holdSecret } from '../../src/secrets/findSecrets.ts';
import type { ScriptTarget } from '../../src/traffic/exchangeScript.ts';
import { trafficLines, TrafficLog } from '../../src/traffic/trafficLog.ts';
import { scriptOf, scriptTarget } from '../../src/views/traffic/repeatExchange.ts';
import { TrafficFeed } from '../../src/views/traffic/trafficFeed.ts';
import { trafficMask } from '../../src/traffic/trafficMask.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { longestBlock } from '../support/longestBlock.ts';

const github = `ghp_${'a1'.repeat(18)}`;
const configured = 'alpha-beta-gamma';
const servers = {
  one: { command: 'one', args: ['--api-key', 'delta-epsilon-9', '${input:word}', '${input:level}'], env: { ONE_TOKEN: configured } },
};
const inputs = [
  { type: 'promptString', id: 'word' },
  { type: 'pickString', id: 'level', options: ['moderate'] },
];
const { definitions } = readDefinitions([{ scope: 'user', value: servers, inputs, location: 'user settings' }]);
const [definition] = definitions;
const peer = { side: 'server', id: definition?.id ?? '', name: 'one' } as const;

const atOnce = (): Promise<void> => Promise.resolve();

/** Of any size and shape. A message that is looked at must not hold up the editor. */
const maxBlockMs = 300;

describe('The protocol traffic', () => {
  let log: TrafficLog;
  let known: KnownSecrets;
  beforeEach(() => {
    known = new KnownSecrets(() => definition, {});
    log = new TrafficLog({ clock: systemClock, mask: trafficMask((id) => known.of(id)), canRepeat: () => true });
    log.setOpen(true);
  });
  afterEach(() => log.dispose());

  /** Wherever a secret can stand. */
  const say = (): void => {
    const params: JsonObject = {
      name: `tool ${github}`,
      arguments: {
        password: 'correct horse battery',
        nested: [{ text: `{"inner":"${github}"}`, [configured]: true }],
        deep: `${'x'.repeat(40_000)} ${github}`,
        edge: `${'y'.repeat(32 * 1024 - 20)} ${github}${'z'.repeat(9_000)}`,
      },
    };
    log.note(peer, 'sent', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    log.note(peer, 'received', {
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: `I was given ${configured}, delta-epsilon-9` }] },
    });
    log.note(peer, 'received', { jsonrpc: '2.0', method: `odd ${github}` });
  };
  const secrets = [github, 'ghp_a1a1', configured, 'delta-epsilon-9', 'correct horse'];
  const leaksOf = (text: string): unknown => secrets.filter((secret) => text.includes(secret));

  it('gives no secret to the page, in rows or in details', () => {
    const told: unknown[] = [];
    const tell = (each: unknown): void => void told.push(each);
    const clock = new FakeClock();
    const feed = new TrafficFeed({
      log,
      clock,
      whyNoScript: () => undefined,
      postRows: tell,
      postFound: tell,
      postDetail: tell,
      letOthersWork: () => Promise.resolve(),
    });
    say();
    feed.start();
    feed.select(1);
    feed.select(2);
    assert.deepEqual(leaksOf(JSON.stringify(told)), []);
    assert.ok(JSON.stringify(told).includes('[redacted]'));
    feed.dispose();
  });

  it('exports no secret, neither as lines nor as a script', async () => {
    say();
    log.note(peer, 'sent', {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'short', arguments: { text: `a ${github}`, token: configured } },
    });
    const records = log.list();
    const target = definition && scriptTarget(definition, { folders: [], userHome: '/home/me', platform: 'linux', isSignedIn: false });
    const scripts = records.flatMap((record) => scriptOf(record, () => target ?? 'gone') ?? []);
    assert.equal(scripts.length, 1); // the other call is too long to be repeated
    assert.deepEqual([leaksOf(await trafficLines(records, atOnce)), leaksOf(scripts.join('\n'))], [[], []]);
  });

  it('shows, exports and keeps nothing of what a person answered to an input, whatever it looks like', async () => {
    assert.ok(definition);
    const answers: Readonly<Record<string, string>> = { word: 'plain jane', level: 'moderate' };
    const nothing = async (): Promise<undefined> => undefined;
    const kept: InputValues = { get: async (_, { id }) => answers[id], ask: nothing, keep: nothing, forget: nothing };
    await answerInputs(definition, rememberedInputs(kept, known), { mayAsk: false, signal: new AbortController().signal });
    log.note(peer, 'received', { jsonrpc: '2.0', method: 'x', params: { text: 'I am plain jane, moderate' } });
    assert.match(await trafficLines(log.list(), atOnce), /I am \[redacted\], moderate/); // what stands in the settings is no secret
    const secrets = known.of(peer.id);
    assert.deepEqual([holdSecret({ text: 'as plain jane' }, secrets), holdSecret({ text: 'as moderate' }, secrets)], [true, false]);
  });

  it('shows nothing of what an envFile gave the server as a secret', () => {
    const file = {
      DATABASE_URL: 'postgres://me:lambda-mu@db.example/x',
      SESSION: 'q7-nu-xi-omicron-42',
      PI_TOKEN: 'pi-rho-sigma',
      STAGE: 'production',
    };
    known.addFile(peer.id, file);
    const text = 'lambda-mu, q7-nu-xi-omicron-42, pi-rho-sigma in production';
    log.note(peer, 'received', { jsonrpc: '2.0', method: 'notifications/message', params: { data: text } });
    assert.match(log.list()[0]?.message.text ?? '', /"data":"\[redacted\], \[redacted\], \[redacted\] in production"/);
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`KEY_${index}`, `value-of-${index}`]));
    known.addFile(peer.id, many);
    assert.ok(known.of(peer.id).length <= 210, 'the list is bounded');
  });

  it('shows no token of a sign-in that a server says', async () => {
    const client = { clientId: 'me', clientSecret: 'zeta eta', redirectUrl: 'http://localhost', origin: 'registered' } as const;
    const common = { issuer: 'https://issuer', serverUrl: 'https://one', endpoints: { authorizationServerUrl: 'https://issuer' }, client };
    const record: SignInRecord = { ...common, accessToken: 'open sesame', refreshToken: 'renew sesame' };
    const nothing = async (): Promise<undefined> => undefined;
    const store: TokenStore = { get: async () => record, set: nothing, delete: nothing, issuerOf: nothing };
    const remembered = rememberedTokens(store, known);
    await remembered.set(peer.id, { ...record, accessToken: 'earlier one' });
    await remembered.get(peer.id, record.issuer);
    log.note(peer, 'received', { jsonrpc: '2.0', method: 'x', params: { text: 'open sesame, renew sesame, zeta eta, earlier one' } });
    assert.match(await trafficLines(log.list(), atOnce), /"\[redacted\], \[redacted\], \[redacted\], \[redacted\]"/);
  });

  it('cannot be made to run something by a script: every text of others is a literal', () => {
    const hostile = '`${process.exit(7)}`"; process.exit(8); //\u2028*/ process.exit(9)';
    log.note(peer, 'sent', { jsonrpc: '2.0', id: hostile, method: hostile, params: { [hostile]: hostile, __proto__: { x: hostile } } });
    const [record] = log.list();
    const launch = { command: [hostile], args: [[hostile]], env: { [hostile]: [hostile] }, cwd: [hostile], envFile: [hostile] };
    const target: ScriptTarget = { kind: 'stdio', ...launch, inherited: [hostile], base: hostile };
    const script = (record && scriptOf(record, () => target)) ?? '';
    const code = script.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    assert.ok(script.includes('process.exit(7)'));
    assert.deepEqual(
      [...code.matchAll(/process\.exit\((\d)\)/g)].map(([, status]) => status),
      ['2'],
    ); // its own, for a variable that is not set
  });

  const hostileMessages: readonly (readonly [what: string, make: () => unknown])[] = [
    ['names of secrets without end', () => ({ id: 1, result: { text: 'password='.repeat(1_000_000) } })],
    ['very many short texts', () => ({ id: 1, result: Array.from({ length: 300_000 }, (_, index) => `token=${index}abcdefgh`) })],
    ['very many numbers', () => ({ id: 1, result: Array.from({ length: 1_000_000 }, (_, index) => index) })],
    ['keys that begin and never end', () => ({ id: 1, result: '-----BEGIN PRIVATE KEY-----\n'.repeat(300_000) })],
    ['a text of many megabytes', () => JSON.stringify({ id: 1, result: 'x'.repeat(20_000_000) })],
  ];
  for (const [what, make] of hostileMessages) {
    it(`holds nobody up with ${what}`, async () => {
      const message = make();
      const block = await longestBlock(async () => log.note(peer, 'received', message));
      assert.ok(block < maxBlockMs, `it took ${block.toFixed(0)} ms`);
      assert.ok((log.list()[0]?.message.text.length ?? 0) < 400_000);
    });
  }
});
