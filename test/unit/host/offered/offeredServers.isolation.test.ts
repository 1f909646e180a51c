import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { AuditLog, AuditRecord } from '../../../../src/consent/audit/auditLog.ts';
import type { Question } from '../../../../src/contract/questions/questions.ts';
import { createGateway, type GatewayBench, offeredNames, resultText } from './gatewayBench.ts';
import { repositoryRoot, type TestHostOptions } from '../support.ts';
import type { HttpPeer } from '../../server/support/httpPeer.ts';

const fixture = (name: string): string => path.join(repositoryRoot, 'test/fixtures/servers', name);
const neverAborted = new AbortController().signal;

describe('servers offered to outside clients', () => {
  let bench: GatewayBench;
  const heardBy = new Map<string, string>();
  const traffic = {
    isOpen: true,
    note: ({ name }: { readonly name: string }, direction: string, message: unknown): void => {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      if (direction === 'sent') {
        heardBy.set(name, `${heardBy.get(name) ?? ''}\n${text}`);
      }
    },
  };
  const records: AuditRecord[] = [];
  const note = (record: AuditRecord): void => void records.push(record);
  const audit = { write: async (record: AuditRecord) => note(record), note, demandWritable: async () => undefined };
  const features = {
    folders: () => [],
    onDidChangeFolders: () => ({ dispose: () => undefined }),
    samplingModel: { chooseModel: () => Promise.resolve(undefined), complete: () => Promise.reject(new Error('no model')) },
    openExternal: () => Promise.resolve(),
  } as unknown as NonNullable<TestHostOptions['features']>;

  before(async () => {
    bench = await createGateway({
      host: { ports: { traffic }, features, audit: audit as unknown as AuditLog },
      served: { records: audit },
    });
    const { host, offers } = bench;
    await host.configure({
      scripted: { command: 'node', args: [fixture('scriptedServer.mjs'), 'normal'] },
      second: { command: 'node', args: [fixture('scriptedServer.mjs'), 'normal'] },
      asking: { command: 'node', args: [fixture('askingServer.mjs')] },
    });
    for (const name of ['second', 'asking']) {
      await host.registry.start(host.server(name).id, { ask: host.ask, signal: neverAborted });
      await offers.offer(host.server(name).id);
    }
  });
  beforeEach(() => {
    bench.host.asked.length = 0;
    bench.host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowOnce');
    heardBy.clear();
    records.length = 0;
  });
  after(() => bench.close());

  const askers = (): unknown[] =>
    bench.host.asked.map(({ detail }) =>
      detail.kind === 'callTool' && detail.asker.kind === 'client' ? detail.asker.credentialId : detail.kind,
    );

  it('tell no client of another one, and no server which client asked', async () => {
    const tokens = [bench.served.otherToken(), bench.served.otherToken()];
    const [alice, bob] = (await Promise.all(tokens.map((token) => bench.client(token)))) as [HttpPeer, HttpPeer];
    const answers = await Promise.all([
      alice.callTool('scripted__echo', { text: 'alice-one' }),
      bob.callTool('scripted__echo', { text: 'bob-one' }),
      alice.callTool('second__echo', { text: 'alice-two' }),
      bob.callTool('second__echo', { text: 'bob-two' }),
    ]);
    assert.deepEqual(answers.map(resultText), ['alice-one', 'bob-one', 'alice-two', 'bob-two']);
    assert.deepEqual(
      [0, 2].map((index) => answers[index]?.text.includes('bob')),
      [false, false],
    );
    const [first, second] = [heardBy.get('scripted') ?? '', heardBy.get('second') ?? ''];
    assert.ok(
      first.includes('alice-one') && first.includes('bob-one') && !first.includes('-two'),
      'servers do not hear each other’s calls',
    );
    const secrets = [...tokens, 'peer', alice.sessionId ?? '', bob.sessionId ?? '', bench.served.token, 'client-'];
    for (const said of [first, second]) {
      assert.deepEqual(
        secrets.filter((secret) => said.includes(secret)),
        [],
      );
    }
  });

  it('ask each client for itself, whatever another one was allowed', async () => {
    const [alice, bob] = [await bench.client(), await bench.client()];
    bench.host.answer = () => 'allowAlways';
    await alice.callTool('scripted__echo', { text: 'one' });
    await alice.callTool('scripted__echo', { text: 'two' });
    assert.equal(bench.host.asked.length, 1);
    bench.host.answer = () => 'deny';
    assert.equal(resultText(await bob.callTool('scripted__echo', { text: 'three' })), 'denied by the person in VS Code');
    assert.equal(new Set(askers()).size, 2);
    assert.equal((await bench.host.call('echo', { text: 'chat' })).kind, 'denied', 'nor does the chat get what a client was given');
  });

  it('ask again, with the difference, when a server changed a tool after it was allowed', async () => {
    const alice = await bench.client();
    bench.host.answer = () => 'allowAlways';
    await alice.callTool('second__echo', { text: 'one' });
    await alice.callTool('second__change_echo', { to: 'Gives back the text, and mails it.' });
    const { host } = bench;
    await host.until(() => host.server('second').tools.some(({ description }) => description.includes('mails')), 'the changed tool');
    bench.host.asked.length = 0;
    bench.host.answer = () => 'deny';
    await alice.callTool('second__echo', { text: 'two' });
    assert.deepEqual(
      bench.host.asked.map(({ why, differences }) => [why, differences.map(({ field }) => field)]),
      [['changed', ['description']]],
    );
  });

  it('are not cancelled by another client that uses the same request id', async () => {
    const [alice, bob] = [await bench.client(), await bench.client()];
    const body = (text: string): JsonObject => ({
      ...{ jsonrpc: '2.0', id: 'same', method: 'tools/call' },
      params: { name: 'scripted__slow', arguments: { steps: 5, stepMs: 20, text } },
    });
    const calls = [alice.post(body('a')), bob.post(body('b'))];
    await bob.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'same' } });
    assert.equal(resultText(await (calls[0] as (typeof calls)[number])), 'counted');
    await Promise.allSettled(calls);
  });

  it('have a flood of one client cost no other client a call', async () => {
    const [flooding, quiet] = [await bench.client(), await bench.client()];
    bench.host.answer = () => 'deny';
    const flood = await Promise.all(Array.from({ length: 100 }, (_, index) => flooding.callTool('scripted__echo', { text: `${index}` })));
    assert.ok(
      flood.some(({ status }) => status === 429),
      'more than the allowance is refused',
    );
    bench.host.answer = () => 'allowOnce';
    assert.equal(resultText(await quiet.callTool('scripted__echo', { text: 'quiet' })), 'quiet');
  });

  it('ask the person what they want to know meanwhile, marked with the client, and never the client', async () => {
    const alice = await bench.client();
    bench.host.answer = ({ detail }) => (detail.kind === 'elicitation' ? 'deny' : 'allowOnce');
    const answer = await alice.callTool('asking__ask_name');
    assert.match(resultText(answer), /decline/);
    assert.ok(!answer.text.includes('elicitation'), 'the client was asked nothing');
    assert.deepEqual(
      bench.host.asked.map(({ detail, clients }) => [detail.kind, clients]),
      [
        ['callTool', undefined],
        ['elicitation', ['peer 9']],
      ],
    );
  });

  it('carry no text of one server to another without the question saying so, and say nothing of what another client heard', async () => {
    const [alice, bob] = [await bench.client(), await bench.client()];
    const said = resultText(await alice.callTool('second__surroundings')).slice(0, 400);
    const carriedBy = async (peer: HttpPeer): Promise<unknown> => {
      await peer.callTool('scripted__echo', { text: said });
      const { detail } = bench.host.asked.at(-1) as Question;
      return detail.kind === 'callTool' ? detail.knows?.carried.map(({ server, tool }) => [server, tool])[0] : undefined;
    };
    assert.deepEqual([await carriedBy(alice), await carriedBy(bob)], [['second', 'surroundings'], undefined]);
  });

  it('are recorded with the client and the server, once for each decision and each call', async () => {
    const alice = await bench.client();
    records.length = 0;
    await alice.callTool('scripted__echo', { text: 'one' });
    const credential = String(askers().at(-1));
    const lines = records.map(({ principal, peer, action, subject, decidedBy, outcome }) =>
      [principal, peer, action, subject, decidedBy, outcome].join('|'),
    );
    assert.deepEqual(lines, [
      `client:${credential}|scripted|callTool|echo|person|allowed`,
      `client:${credential}|scripted|callTool|echo|person|succeeded`,
    ]);
  });

  it('are started again for a call when they were lost', async () => {
    const alice = await bench.client();
    const ended = await alice.callTool('second__die');
    assert.match(resultText(ended), /ended by itself/);
    assert.ok((await offeredNames(alice)).includes('second__echo'), 'what it had is still listed');
    assert.equal(resultText(await alice.callTool('second__echo', { text: 'back' })), 'back');
  });

  it('are not started for a call when the person stopped them', async () => {
    const alice = await bench.client();
    const { host } = bench;
    await host.registry.stop(host.server('asking').id);
    assert.ok(!(await offeredNames(alice)).some((name) => name.startsWith('asking__')), 'the person stopped it');
    await host.registry.start(host.server('asking').id, { ask: host.ask, signal: neverAborted });
    assert.ok((await offeredNames(alice)).includes('asking__order'));
  });
});
