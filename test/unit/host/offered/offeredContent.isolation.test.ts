import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createGateway, type GatewayBench, resultText } from './gatewayBench.ts';
import { errorOf, linesSentTo, listAll, offerTold, type Told, WatchedClient } from './watchedClient.ts';

const longText = (name: string): string => Array.from({ length: 60 }, (_, index) => `${name} word${index * 7}`).join(', ');

const told = (name: string): Told => ({
  prompts: [{ name: 'ask', arguments: [{ name: 'who' }, { name: 'hold' }] }],
  resources: ['one', 'long'].map((each) => ({ uri: `${name}://${each}`, name: each })),
  reads: { [`${name}://long`]: [{ uri: `${name}://long`, text: longText(name) }] },
  templates: [{ uriTemplate: `${name}://by/{what}`, name: 'by' }],
});

describe('Two clients and two servers', () => {
  let bench: GatewayBench;
  let ada: WatchedClient;
  let bert: WatchedClient;
  const sent: string[] = [];
  const traffic = {
    isOpen: true,
    note: ({ name }: { readonly name: string }, direction: string, message: unknown): void => {
      if (direction === 'sent') {
        sent.push(`${name} ${typeof message === 'string' ? message : JSON.stringify(message)}`);
      }
    },
  };

  before(async () => {
    bench = await createGateway({ host: { ports: { traffic } } });
    bench.host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowSession');
    await offerTold(bench, { red: told('red'), blue: told('blue') });
    [ada, bert] = [await WatchedClient.connect(bench, 'ada'), await WatchedClient.connect(bench, 'bert')];
    await Promise.all([ada.listen(), bert.listen()]);
  });
  after(async () => {
    await Promise.all([ada.hangUp(), bert.hangUp()]);
    await bench.close();
  });
  const update = (server: string, uri: string, times = 1): Promise<unknown> =>
    bench.host.call(
      'write',
      { messages: [{ method: 'notifications/resources/updated', params: { uri } }], times },
      { serverId: bench.host.server(server).id },
    );
  const updatesFor = (client: WatchedClient): unknown[] =>
    client.told('notifications/resources/updated').map(({ params }) => (params as JsonObject).uri);

  const isSent = (server: string, ...texts: readonly string[]): boolean =>
    sent.some((line) => line.startsWith(`${server} `) && texts.every((text) => line.includes(text)));
  const release = (server: string, name: string): Promise<unknown> =>
    bench.host.call('release', { name }, { serverId: bench.host.server(server).id });

  /** Uses all that a server has besides tools, with a text of its own in every place that takes one. */
  async function useAll(client: WatchedClient, server: string, mark: string): Promise<void> {
    const ref = { type: 'ref/prompt', name: `${server}__ask` };
    const template = { type: 'ref/resource', uri: `${server}://by/{what}` };
    await client.ask('prompts/get', { name: `${server}__ask`, arguments: { who: `${mark}-prompt` } });
    await client.read(`${server}://one`);
    await client.read(`${server}://by/${mark}-read`);
    await client.ask('completion/complete', { ref, argument: { name: 'who', value: `${mark}-typed` } });
    await client.ask('completion/complete', { ref: template, argument: { name: 'what', value: `${mark}-pattern` } });
    await client.ask('resources/subscribe', { uri: `${server}://by/${mark}-watched` });
    await client.ask('resources/templates/list');
    await client.askModern('resources/read', { uri: `${server}://by/${mark}-modern` });
  }

  it('neither client reads a byte of what the other one sent or was sent, nor a server what is meant for the other, or for whom', async () => {
    const uses = [
      [ada, 'red', 'marka1'],
      [ada, 'blue', 'marka2'],
      [bert, 'red', 'markb1'],
      [bert, 'blue', 'markb2'],
    ] as const;
    await Promise.all(uses.map(([client, server, mark]) => useAll(client, server, mark)));
    await Promise.all(uses.map(([, server, mark]) => update(server, `${server}://by/${mark}-watched`)));
    await bench.host.until(() => updatesFor(ada).length >= 2 && updatesFor(bert).length >= 2, 'the updates');
    assert.deepEqual(updatesFor(ada).toSorted(), ['blue://by/marka2-watched', 'red://by/marka1-watched']);
    assert.deepEqual(updatesFor(bert).toSorted(), ['blue://by/markb2-watched', 'red://by/markb1-watched']);
    for (const [own, other, marks, others] of [
      [ada, bert, ['marka1', 'marka2'], 'markb'],
      [bert, ada, ['markb1', 'markb2'], 'marka'],
    ] as const) {
      for (const mark of marks) {
        ['prompt', 'read', 'typed', 'pattern', 'modern'].forEach((what) =>
          assert.ok(own.everything.includes(`${mark}-${what}`), `${mark}-${what}`),
        );
      }
      assert.deepEqual(
        [others, other.token, other.peer.sessionId ?? '-'].filter((text) => own.everything.includes(text)),
        [],
      );
    }
    for (const [server, own, others] of [
      ['red', ['marka1', 'markb1'], ['marka2', 'markb2', 'blue']],
      ['blue', ['marka2', 'markb2'], ['marka1', 'markb1', 'red:']],
    ] as const) {
      const lines = await linesSentTo(bench, server);
      own.forEach((mark) => assert.ok(lines.includes(`${mark}-typed`) && lines.includes(`${mark}-watched`)));
      const whom = [ada, bert].flatMap(({ token, peer }) => [token, peer.sessionId ?? '-']);
      const secrets = [...others, ...whom, '"ada', '"bert', 'client-', bench.served.token, 'peer'];
      assert.deepEqual(
        secrets.filter((text) => lines.includes(text)),
        [],
      );
    }
  });

  it('have the same ids and progress tokens without one hearing, or ending, what the other one began', async () => {
    const call = (client: WatchedClient, name: string): ReturnType<WatchedClient['post']> =>
      client.post({
        ...{ id: 'same', method: 'tools/call' },
        params: { name: 'red__hold', arguments: { name }, _meta: { progressToken: 'same-token' } },
      });
    const [first, second] = [call(ada, 'heldA'), call(bert, 'heldB')];
    await bench.host.until(() => isSent('red', 'heldA') && isSent('red', 'heldB'), 'both calls');
    await bert.post({ method: 'notifications/cancelled', params: { requestId: 'same' } });
    await Promise.allSettled([second]);
    await release('red', 'heldA');
    const answer = await first;
    assert.equal(resultText(answer), 'held heldA');
    const told = answer.text.match(/"progressToken":"[^"]*"|holds \w+/g);
    assert.deepEqual([...new Set(told)].toSorted(), ['"progressToken":"same-token"', 'holds heldA']);
    assert.ok(!bert.everything.includes('heldA') && !(await linesSentTo(bench, 'red')).includes('same-token'));
  });

  for (const [what, params] of [
    ['prompts/get', { name: 'blue__ask', arguments: { hold: 'holdP' } }],
    ['resources/read', { uri: 'blue://by/hold/holdR' }],
  ] as const) {
    it(`have ${what} of one not ended by a cancellation of the other`, async () => {
      const name = what === 'prompts/get' ? 'holdP' : 'holdR';
      const reading = ada.post({ id: `ada-${name}`, method: what, params });
      await bench.host.until(() => isSent('blue', name), 'the request');
      await bert.post({ method: 'notifications/cancelled', params: { requestId: `ada-${name}` } });
      await release('blue', name);
      assert.match((await reading).text, new RegExp(name));
    });
  }

  it('have subscriptions of their own to the same address, which the server hears of once', async () => {
    for (const client of [ada, bert]) {
      await client.ask('resources/subscribe', { uri: 'red://one' });
    }
    await bert.ask('resources/unsubscribe', { uri: 'red://one' });
    await bert.ask('resources/unsubscribe', { uri: 'red://by/marka1-watched' });
    const count = (uris: unknown[]): number => uris.filter((uri) => uri === 'red://one').length;
    await update('red', 'red://one');
    await bench.host.until(() => count(updatesFor(ada)) === 1, 'the update');
    assert.equal(count(updatesFor(bert)), 0);
    const heard = (await linesSentTo(bench, 'red'))
      .split('\n')
      .filter((line) => line.includes('subscribe') && line.includes('"red://one"'));
    assert.equal(heard.length, 1, 'not of the one that is no longer wanted by one of two');
    await ada.ask('resources/unsubscribe', { uri: 'red://one' });
    await bench.host.until(() => isSent('red', 'resources/unsubscribe', '"red://one"'), 'the end of the last one');
  });

  it('cannot make up a cursor, nor use that of another list, and no server sees one', async () => {
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list', 'tools/list']) {
      for (const cursor of ['cursor-made-up', '200', Buffer.from('{"offset":200}').toString('base64url'), 'x'.repeat(100_000)]) {
        assert.equal(errorOf(await bert.ask(method, { cursor })).code, -32_602, `${method} ${cursor.slice(0, 20)}`);
      }
    }
    assert.ok(!(await linesSentTo(bench, 'red')).includes('cursor'));
  });

  it('read nothing at an address that a server neither lists nor has a pattern for, and the server hears nothing', async () => {
    const uris = [
      'red:',
      'red://two',
      'RED://one',
      'red://one\u0000',
      'red://by',
      ' red://one',
      'red://by/a\nb',
      'red://one#x',
      `red://by/${'x'.repeat(9_000)}`,
    ];
    for (const uri of uris) {
      const { error } = (await bert.read(uri)).json as { error?: JsonObject };
      assert.ok(error !== undefined, uri.slice(0, 20));
    }
    const reads = (await linesSentTo(bench, 'red')).split('\n').filter((line) => line.includes('resources/read'));
    assert.deepEqual(
      reads.filter((line) => !/"uri":"red:\/\/(one|by\/mark\w+-(read|modern))"/.test(line)),
      [],
    );
  });

  it('are told nothing by a flood of the other one, which is held up by itself', async () => {
    const quiet = ada.received.length;
    const flood = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        index % 2 === 0 ? bert.read('red://one') : bert.ask('prompts/get', { name: 'blue__ask', arguments: { who: 'flood' } }),
      ),
    );
    assert.ok(
      flood.some(({ status, text }) => status === 429 || text.includes('too many')),
      'more than the allowance is refused',
    );
    assert.match((await ada.read('red://one')).text, /read red:\/\/one/);
    assert.ok(!ada.received.slice(quiet).join('\n').includes('flood'));
  });

  it('have what one server said named in the question when it goes to another one, by whatever way, and only for whom it said it', async () => {
    const [reader, other] = [await WatchedClient.connect(bench, 'carla'), await WatchedClient.connect(bench, 'dora')];
    bench.host.answer = () => 'allowOnce';
    await reader.read('red://long');
    const carried = async (asking: Promise<unknown>): Promise<unknown> => {
      await asking;
      const detail = bench.host.asked.at(-1)?.detail;
      return detail?.kind === 'callTool' ? detail.knows?.carried.map(({ server, tool }) => `${server} ${tool}`)[0] : undefined;
    };
    const text = longText('red').slice(0, 400);
    const toPrompt = (client: WatchedClient): Promise<unknown> =>
      client.ask('prompts/get', { name: 'blue__ask', arguments: { who: text } });
    assert.equal(await carried(toPrompt(reader)), 'red resources/read');
    assert.equal(await carried(reader.call('blue__release', { name: text })), 'red resources/read');
    assert.equal(await carried(reader.read(`blue://by/${encodeURIComponent(text)}`)), 'red resources/read');
    assert.equal(await carried(toPrompt(other)), undefined, 'the other client never had it');
    assert.equal(
      await carried(reader.ask('prompts/get', { name: 'red__ask', arguments: { who: text } })),
      undefined,
      'it is red’s own text',
    );
    bench.host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowSession');
  });

  it('see the lists of both servers, and the editor’s own', async () => {
    const uris = (await listAll(ada, 'resources/list', 'resources')).map(({ uri }) => uri);
    assert.deepEqual(
      ['red://one', 'blue://one', 'editor://open'].filter((uri) => !uris.includes(uri)),
      [],
    );
  });
});
