import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../src/base/lifecycle.ts';
import { ChatBudget } from '../../src/chat/budget/chatBudget.ts';
import type { ChatContent, ChatTools } from '../../src/chat/content/hostPorts.ts';
import { KnownModels } from '../../src/chat/models/knownModels.ts';
import type { ModelEvent } from '../../src/chat/models/modelProvider.ts';
import { createSamplingModel } from '../../src/chat/sampling/samplingModel.ts';
import { ContentReader } from '../../src/host/resources/contentReader.ts';
import { toResultItems } from '../../src/host/tools/resultItems.ts';
import { instructionsOf } from '../../src/host/shared/modelTools.ts';
import { secretPlaces } from '../../src/secrets/redactSecrets.ts';
import { RecordingProxy } from '../support/recordingProxy.ts';
import { startPeer, type PeerProcess } from '../support/peers/peerProcess.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { FakeProvider, lastAnswer, makeChat, textOf, type TestChat } from '../unit/chat/support.ts';
import { ResultsInMemory } from '../unit/chat/budget/resultsInMemory.ts';
import { createTestHost, repositoryRoot, type TestHost } from '../unit/host/support.ts';

const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const recorded = path.join(repositoryRoot, 'test/fixtures/servers/recordedStdio.mjs');
const document = 'demo://resource/static/document/architecture.md';

/** What nobody but the person and the model has said or heard: no server receives any of it. */
const conversation = {
  question: 'The harbour is sold on Tuesday, is it not?',
  secondQuestion: 'And who told the notary in Bergen?',
  answer: 'Nobody but the two of us knows about the harbour.',
  lastWord: 'The notary keeps quiet, as far as I can see.',
  personal: 'Call me Captain Haddock at all times.',
  project: 'All vessels are painted before the first of May.',
};

describe('The conversation', function () {
  this.timeout(60_000);
  let host: TestHost;
  let chat: TestChat;
  let peer: PeerProcess;
  let proxy: RecordingProxy;
  let budget: ChatBudget;
  let answering: Disposable;
  let provider: FakeProvider;
  const received = path.join(createTemporaryFolder(), 'received');

  before(async () => {
    peer = await startPeer((port) => ({ args: [everything, 'streamableHttp'], env: { PORT: String(port) } }));
    proxy = await RecordingProxy.before(peer.port);
    const lender = new FakeProvider([
      [
        { kind: 'text', text: 'Lent to alpha alone.' },
        { kind: 'stop', reason: 'end' },
      ],
    ]);
    host = await createTestHost({
      features: {
        folders: () => [],
        onDidChangeFolders: () => ({ dispose: () => undefined }),
        samplingModel: createSamplingModel({
          provider: () => ({ provider: lender, model: '', maxTokens: 50 }),
          knownModels: new KnownModels(),
        }),
        openExternal: () => Promise.resolve(),
      },
    });
    host.answer = () => 'allowOnce';
    await host.configure({
      alpha: { command: 'node', args: [recorded, received, process.execPath, everything] },
      beta: { type: 'http', url: `http://127.0.0.1:${proxy.port}/mcp` },
    });
    const signal = new AbortController().signal;
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowOnce');
    await Promise.all(host.registry.servers().map(({ id }) => host.registry.start(id, { ask: host.ask, signal })));
    await host.until(() => host.server('alpha').tools.some(({ name }) => name === 'trigger-sampling-request'), 'the tools of alpha');
    await host.until(() => host.server('beta').tools.length > 0, 'the tools of beta');
    provider = new FakeProvider([...talk()]);
    const tools = chatTools();
    budget = new ChatBudget({
      tools,
      results: new ResultsInMemory(),
      choice: { read: () => undefined, write: () => Promise.resolve() },
      surroundings: () => ({
        instructions: [
          { kind: 'personal', name: '', text: conversation.personal },
          { kind: 'project', name: 'AGENTS.md', text: conversation.project },
        ],
      }),
    });
    chat = makeChat(provider, tools, { budget, content: chatContent() });
    answering = chat.session.onMessage(() => {
      chat.session.questions.list().forEach(({ askId }) => setImmediate(() => chat.session.answer({ askId, choice: 'allowOnce' })));
    });
    await chat.session.send(conversation.question);
    await chat.session.send(conversation.secondQuestion);
  });
  after(async () => {
    answering.dispose();
    chat.dispose();
    budget.dispose();
    await host.close();
    await proxy.close();
    await peer.close();
  });

  const toolOf = (server: string, tool: string): string => {
    const found = host.registry.modelTools().find((each) => each.server === server && each.tool === tool);
    assert.ok(found, `${server} has no tool ${tool}`);
    return found.name;
  };
  const use = (server: string, tool: string, input: Record<string, string | number>): ModelEvent => ({
    kind: 'toolUse',
    id: `${server}-${tool}-${String(input['message'] ?? '')}`.slice(0, 30),
    name: toolOf(server, tool),
    input,
  });
  function talk(): readonly (readonly ModelEvent[])[] {
    const wish = { kind: 'resource', serverId: host.server('beta').id, server: 'beta', name: 'architecture.md', uri: document } as const;
    return [
      [
        { kind: 'text', text: conversation.answer },
        use('alpha', 'echo', { message: 'for alpha alone' }),
        use('beta', 'echo', { message: 'for beta alone' }),
        use('alpha', 'trigger-sampling-request', { prompt: 'a wish of alpha', maxTokens: 20 }),
        { kind: 'content', wish },
        { kind: 'stop', reason: 'toolUse' },
      ],
      [
        { kind: 'text', text: conversation.lastWord },
        { kind: 'stop', reason: 'end' },
      ],
      [use('alpha', 'echo', { message: 'once more for alpha' }), { kind: 'stop', reason: 'toolUse' }],
    ];
  }
  /** As the window joins them. */
  function chatTools(): ChatTools {
    return {
      list: () => host.registry.modelTools(),
      instructions: () => instructionsOf(host.registry.servers()),
      prepare: () => Promise.resolve(),
      call: async ({ name, ...call }) => {
        const target = host.registry.toolNamed(name);
        assert.ok(target);
        const outcome = await host.caller.call({ ...call, ...target, principal: 'chat', asker: { kind: 'model', name: 'm' } });
        assert.ok(outcome.kind === 'result', JSON.stringify(outcome));
        return { kind: 'result', isError: outcome.result.isError, items: toResultItems(outcome.result) };
      },
    };
  }
  function chatContent(): ChatContent {
    const reader = new ContentReader(host.registry);
    return {
      gate: host.gate,
      offers: () => Promise.resolve({ resources: [], templates: [], prompts: [] }),
      read: async (wish, signal, ask) => ({
        kind: 'given',
        content: await reader.read({ ...wish, principal: 'chat', recordedAs: wish.name, signal, ask }),
      }),
      isEditor: () => false,
      identityOf: (serverId) => reader.identityOf(serverId),
      secretsIn: secretPlaces,
      explain: (error) => ({ sentence: String(error) }),
    };
  }

  it('is seen by no server, byte for byte: each receives its own arguments and what the model was lent to it for', () => {
    const model = JSON.stringify(provider.requests.at(-1));
    Object.values(conversation).forEach((text) => assert.ok(model.includes(text), `the model was not told: ${text}`));
    assert.equal(textOf(lastAnswer(chat.session)), 'done');
    const attached =
      provider.requests.at(-1)?.messages.flatMap(({ content }) => content.filter((block) => block.type === 'attached')) ?? [];
    const [, given] = attached[0]?.content ?? [];
    assert.ok(given?.type === 'text' && given.text.length > 200, JSON.stringify(attached).slice(0, 500));
    const lines = given.text.split('\n').filter((line) => line.length > 40 && /^[\w .,-]+$/.test(line));
    assert.ok(lines.length > 0);

    const seen = { alpha: readFileSync(received, 'utf8'), beta: proxy.received };
    const own = {
      alpha: ['for alpha alone', 'once more for alpha', 'a wish of alpha', 'Lent to alpha alone.'],
      beta: ['for beta alone', document],
    };
    for (const [server, text] of Object.entries(seen)) {
      assert.match(text, /"method":"initialize"/);
      const others = Object.entries(own).flatMap(([name, texts]) => (name === server ? [] : texts));
      for (const hidden of [...Object.values(conversation), ...others, ...lines]) {
        assert.ok(!text.includes(hidden), `${server} received: ${hidden}`);
        assert.ok(!text.includes(Buffer.from(hidden).toString('base64').slice(0, -4)), `${server} received in base64: ${hidden}`);
        assert.ok(!text.includes(encodeURIComponent(hidden)), `${server} received in an address: ${hidden}`);
      }
      own[server as keyof typeof own].forEach((expected) => assert.ok(text.includes(expected), `${server} did not receive: ${expected}`));
    }
  });
});
