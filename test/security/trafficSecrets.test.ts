import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { readDefinitions } from '../../src/definitions/readDefinitions.ts';
import { trafficLines } from '../../src/traffic/trafficLines.ts';
import { TrafficLog } from '../../src/traffic/trafficLog.ts';
import { scriptOf, scriptTarget } from '../../src/views/scriptTarget.ts';
import { TrafficFeed } from '../../src/views/trafficFeed.ts';
import { trafficMask } from '../../src/views/trafficMask.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { longestBlock } from '../support/longestBlock.ts';

const github = `ghp_${'a1'.repeat(18)}`;
const configured = 'alpha-beta-gamma';
const servers = { one: { command: 'one', args: ['--api-key', 'delta-epsilon-9'], env: { ONE_TOKEN: configured } } };
const { definitions } = readDefinitions([{ scope: 'user', value: servers, location: 'user settings' }]);
const [definition] = definitions;
const peer = { side: 'server', id: definition?.id ?? '', name: 'one' } as const;

/** Of any size and shape. A message that is looked at must not hold up the editor. */
const maxBlockMs = 300;

describe('The protocol traffic', () => {
  let log: TrafficLog;
  beforeEach(() => {
    log = new TrafficLog({ clock: systemClock, mask: trafficMask(() => definition, {}), canRepeat: () => true });
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
      canExportScript: () => true,
      postRows: tell,
      postFound: tell,
      postDetail: tell,
      nextTurn: () => Promise.resolve(),
    });
    say();
    feed.start();
    feed.select(1);
    feed.select(2);
    assert.deepEqual(leaksOf(JSON.stringify(told)), []);
    assert.ok(JSON.stringify(told).includes('[redacted]'));
    feed.dispose();
  });

  it('exports no secret, neither as lines nor as a script', () => {
    say();
    log.note(peer, 'sent', {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'short', arguments: { text: `a ${github}`, token: configured } },
    });
    const records = log.list();
    const target = definition && scriptTarget(definition, { folders: [], userHome: '/home/me', isSignedIn: false });
    const scripts = records.flatMap((record) => scriptOf(record, () => target) ?? []);
    assert.equal(scripts.length, 1); // the other call is too long to be repeated
    assert.deepEqual([leaksOf(trafficLines(records)), leaksOf(scripts.join('\n'))], [[], []]);
  });

  it('cannot be made to run something by a script: every text of others is a literal', () => {
    const hostile = '`${process.exit(7)}`"; process.exit(8); //\u2028*/ process.exit(9)';
    log.note(peer, 'sent', { jsonrpc: '2.0', id: hostile, method: hostile, params: { [hostile]: hostile, __proto__: { x: hostile } } });
    const [record] = log.list();
    const target = { kind: 'stdio', command: [hostile], args: [[hostile]], env: { [hostile]: [hostile] }, cwd: [hostile] } as const;
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
