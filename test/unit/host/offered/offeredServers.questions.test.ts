import assert from 'node:assert/strict';
import * as path from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import type { Question } from '../../../../src/contract/questions/questions.ts';
import { modelSaying } from '../features/sampling/samplingSupport.ts';
import { repositoryRoot } from '../support.ts';
import { createGateway, type GatewayBench } from './gatewayBench.ts';
import { WatchedClient } from './watchedClient.ts';

const featuresServer = path.join(repositoryRoot, 'test/fixtures/servers/featuresServer.mjs');
const neverAborted = new AbortController().signal;
const message = { role: 'user', content: { type: 'text', text: 'Hi' } };
const requests = {
  elicitation: {
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: { who: { type: 'string' } } } },
  },
  sampling: { method: 'sampling/createMessage', params: { messages: [message], maxTokens: 10 } },
  roots: { method: 'roots/list', params: {} },
} as const;
type Kind = keyof typeof requests;

/** The ways by which a client causes a server to ask something. */
const ways = {
  'a tool': (client: WatchedClient, kind: Kind) => client.call('features__ask', { ...requests[kind] }),
  'a prompt': (client: WatchedClient, kind: Kind) =>
    client.ask('prompts/get', { name: 'features__asking', arguments: { request: JSON.stringify(requests[kind]) } }),
  'a resource': (client: WatchedClient, kind: Kind) => client.read(`test://asking/${encodeURIComponent(JSON.stringify(requests[kind]))}`),
};

describe('What an offered server asks while it works for a client', () => {
  let bench: GatewayBench;
  let panel: OpenQuestions;
  let alice: WatchedClient;
  let bob: WatchedClient;
  let running: Promise<unknown>[] = [];

  before(async () => {
    panel = new OpenQuestions();
    bench = await createGateway({
      host: {
        features: {
          ask: panel.ask,
          folders: () => [{ name: 'demo', path: '/projects/demo' }],
          onDidChangeFolders: new Emitter<void>().event,
          samplingModel: modelSaying('Yes.'),
          openExternal: () => Promise.resolve(),
        },
      },
    });
    const { host, offers } = bench;
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowSession');
    await host.configure({ features: { command: 'node', args: [featuresServer, 'asking'] } });
    const { id } = host.server('features');
    await host.registry.start(id, { ask: host.ask, signal: neverAborted });
    await host.registry.features(id).listed;
    await offers.offer(id);
    [alice, bob] = [await WatchedClient.connect(bench, 'alice'), await WatchedClient.connect(bench, 'bob')];
    await Promise.all([alice.listen(), bob.listen()]);
  });
  afterEach(async () => {
    panel.list().forEach(({ askId }) => panel.answer({ askId, choice: 'deny' }));
    await Promise.allSettled(running);
    running = [];
  });
  after(async () => {
    await Promise.all([alice.hangUp(), bob.hangUp()]);
    panel.dispose();
    await bench.close();
  });

  const begin = (call: Promise<unknown>): void => void running.push(call);
  /** The question with this number that is open at the person. */
  const open = async (count: number): Promise<Question> => {
    await bench.host.until(() => panel.list().length === count, `question ${count}`);
    return panel.list().at(-1) as Question;
  };
  const causeOf = ({ clients, unsure }: Question): unknown => [clients, unsure];

  for (const kind of ['sampling', 'elicitation', 'roots'] as const) {
    // Who refused to show the folders is not asked again.
    const causes = Object.entries(ways).slice(0, kind === 'roots' ? 1 : undefined);
    for (const [name, cause] of causes) {
      it(`goes to the person with the client’s name, and never to the client: ${kind} because of ${name}`, async () => {
        begin(cause(alice, kind));
        const asked = await open(1);
        assert.deepEqual([asked.detail.kind, ...(causeOf(asked) as unknown[])], [kind, ['alice 1'], undefined]);
        panel.answer({ askId: asked.askId, choice: 'deny' });
        await Promise.all(running);
        for (const { everything } of [alice, bob]) {
          assert.ok(!/"method":"(sampling|elicitation|roots)\//.test(everything), 'no client is asked');
        }
        assert.ok(!bob.everything.includes('alice'));
      });
    }
  }

  it('names both clients, and says that it is not known which, when both have a call there', async () => {
    begin(ways['a tool'](alice, 'elicitation'));
    assert.deepEqual(causeOf(await open(1)), [['alice 1'], undefined]);
    begin(ways['a resource'](bob, 'sampling'));
    assert.deepEqual(causeOf(await open(2)), [['alice 1', 'bob 1'], 'client']);
  });

  it('tells apart two clients that call themselves the same, and counts several calls of one as its own', async () => {
    begin(ways['a tool'](alice, 'elicitation'));
    await open(1);
    begin(ways['a tool'](alice, 'elicitation'));
    assert.deepEqual(causeOf(await open(2)), [['alice 1'], undefined]);
    const other = await WatchedClient.connect(bench, 'alice');
    begin(ways['a tool'](other, 'elicitation'));
    assert.deepEqual(causeOf(await open(3)), [['alice 1', 'alice 1'], 'client']);
  });

  it('says that it is not known whether a client caused it when this editor has a call there too', async () => {
    const ending = new AbortController();
    const { id } = bench.host.server('features');
    begin(bench.host.call('ask', { ...requests.elicitation }, { serverId: id, principal: 'palette', signal: ending.signal }));
    assert.deepEqual(causeOf(await open(1)), [undefined, undefined]);
    begin(ways['a prompt'](bob, 'elicitation'));
    assert.deepEqual(causeOf(await open(2)), [['bob 1'], 'editor']);
    ending.abort();
  });

  it('names for a later question the client of the request that it belongs to, whoever has come meanwhile', async () => {
    begin(ways['a tool'](alice, 'sampling'));
    const review = await open(1);
    begin(ways['a tool'](bob, 'elicitation'));
    assert.deepEqual(causeOf(await open(2)), [['alice 1', 'bob 1'], 'client']);
    panel.answer({ askId: review.askId, choice: 'allowOnce' });
    await bench.host.until(() => panel.list().some(({ detail }) => detail.kind === 'samplingResponse'), 'the answer of the model');
    const response = panel.list().find(({ detail }) => detail.kind === 'samplingResponse') as Question;
    assert.deepEqual(causeOf(response), [['alice 1'], undefined], 'bob came after the request');
  });
});
