import assert from 'node:assert/strict';
import type { MessageTransport } from '../../../../src/base/transport.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { toResultItems } from '../../../../src/host/tools/resultItems.ts';
import { createTestHost, failureOf, textOf, type TestHost } from '../support.ts';

describe('A call of a tool', () => {
  let host: TestHost;
  before(async () => {
    host = await createTestHost();
    await host.startScripted();
  });
  beforeEach(() => {
    host.asked.length = 0;
    host.answer = () => 'allowOnce';
  });
  after(() => host.close());

  it('shows the whole question first and runs after it is allowed', async () => {
    const started: JsonObject[] = [];
    const outcome = await host.call('echo', { text: 'hello' }, { onStart: (args) => started.push(args) });
    assert.equal(textOf(outcome), 'hello');
    assert.deepEqual(started, [{ text: 'hello' }]);
    assert.deepEqual(
      host.asked.map(({ detail, why, differences, choices }) => ({ detail: { ...detail, otherTools: [] }, why, differences, choices })),
      [
        {
          detail: {
            kind: 'callTool',
            asker: { kind: 'guide' },
            server: 'scripted',
            tool: 'echo',
            description: 'Gives back the text it is given.',
            claims: ['readOnly', 'notDestructive'],
            parameters: [{ name: 'text', type: 'string', isRequired: true, description: '', values: [], limits: [], isCut: false }],
            arguments: '{\n  "text": "hello"\n}',
            form: {
              ...{
                type: 'group',
                name: '',
                label: '',
                description: '',
                isRequired: false,
                isNullable: false,
                isClosed: false,
                isWhole: true,
              },
              fields: [
                { type: 'text', name: 'text', label: 'text', description: '', isRequired: true, isNullable: false, format: 'plain' },
              ],
            },
            risk: 'unknown',
            otherTools: [],
            rules: [{ what: { kind: 'exactArguments' }, scopes: ['session', 'workspace'] }],
            knows: { place: { kind: 'thisMachine' }, carried: [], compared: 0, isPartly: false },
          },
          why: 'new',
          differences: [],
          choices: ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways', 'allowWhen'],
        },
      ],
    );
  });

  it('that the person denies does not run', async () => {
    host.answer = () => 'deny';
    let hasStarted = false;
    const outcome = await host.call('echo', { text: 'hello' }, { onStart: () => (hasStarted = true) });
    assert.deepEqual([outcome, hasStarted], [{ kind: 'denied', by: 'person' }, false]);
  });

  it('runs with the arguments as the person changed them', async () => {
    host.answer = () => ({ choice: 'allowOnce', arguments: '{"text": "changed"}' });
    assert.equal(textOf(await host.call('echo', { text: 'hello' })), 'changed');
  });

  it('does not run with changed arguments that are not a JSON object', async () => {
    for (const changed of ['{"text": ', '[1]', 'null']) {
      host.answer = () => ({ choice: 'allowOnce', arguments: changed });
      assert.equal(failureOf(await host.call('echo', { text: 'hello' })).code, 'host.badArguments');
    }
  });

  it('asks again, with the reason, when the schema refuses what the person made of the arguments', async () => {
    const answers = ['{"text": 7}', undefined, '{"text": "mended"}'];
    host.answer = () => {
      const changed = answers.shift();
      return { choice: 'allowOnce', ...(changed === undefined ? {} : { arguments: changed }) };
    };
    assert.equal(textOf(await host.call('echo', { text: 'hello' })), 'mended');
    const questions = host.asked.map(({ detail }) => (detail.kind === 'callTool' ? [detail.arguments, detail.refusal] : []));
    assert.deepEqual(
      questions.map(([args]) => args),
      ['{\n  "text": "hello"\n}', '{\n  "text": 7\n}', '{\n  "text": 7\n}'],
    );
    assert.deepEqual(
      questions.map(([, refusal]) => refusal?.includes('string')),
      [undefined, true, true],
    );
    assert.equal(new Set(host.asked.map(({ askId }) => askId)).size, 3, 'an answer to one of them is no answer to the next');
  });

  it('can be tried on the schema before anything is asked, and is refused place by place', async () => {
    const { signal } = new AbortController();
    const key = { serverId: host.server('scripted').id, tool: 'echo' };
    const places = await host.caller.refusalsOf(key, { text: 7 }, signal);
    assert.deepEqual(
      places.map(({ path, keyword, wanted }) => [path, keyword, wanted]),
      [[['text'], 'type', 'string']],
    );
    assert.deepEqual(await host.caller.refusalsOf(key, { text: 'x' }, signal), []);
    assert.deepEqual(await host.caller.refusalsOf({ ...key, serverId: 'user:nobody' }, { text: 7 }, signal), []);
    assert.deepEqual(host.asked, []);
  });

  it('is denied when the person gives up on arguments that came back', async () => {
    const answers = [{ choice: 'allowAlways', arguments: '{"text": 7}' } as const, 'deny' as const];
    host.answer = () => answers.shift() ?? 'deny';
    assert.deepEqual(await host.call('echo', { text: 'hello' }), { kind: 'denied', by: 'person' });
    host.answer = () => 'deny';
    assert.equal((await host.call('echo', { text: 'hello' })).kind, 'denied', 'nothing of it was remembered');
  });

  it('shows invisible characters in arguments as escapes that mean the same', async () => {
    const hidden = `a\u200Bb\u{E0041}c`;
    const outcome = await host.call('echo', { text: hidden });
    const [question] = host.asked;
    assert.ok(question?.detail.kind === 'callTool');
    assert.equal(question.detail.arguments, '{\n  "text": "a\\u200bb\\udb40\\udc41c"\n}');
    assert.deepEqual(JSON.parse(question.detail.arguments), { text: hidden });
    assert.equal(textOf(outcome), hidden);
  });

  it('reports progress, which also gives it more time', async () => {
    const values: number[] = [];
    const outcome = await host.call('slow', { steps: 6, stepMs: 400 }, { timeoutMs: 1_500, onProgress: ({ value }) => values.push(value) });
    assert.deepEqual([textOf(outcome), values], ['counted', [1, 2, 3, 4, 5, 6]]);
  });

  it('that takes too long without a sign fails', async () => {
    assert.equal(failureOf(await host.call('hang', {}, { timeoutMs: 200 })).code, 'host.timeout');
  });

  it('that is cancelled ends at once, and the server is told', async () => {
    const cancelling = new AbortController();
    const outcome = await host.call(
      'slow',
      { steps: 1_000, stepMs: 5 },
      { signal: cancelling.signal, onProgress: () => cancelling.abort() },
    );
    assert.deepEqual(outcome, { kind: 'cancelled' });
    await host.until(() => host.server('scripted').state.kind === 'ready', 'the server');
    let count = '0';
    for (let attempt = 0; attempt < 50 && count === '0'; attempt += 1) {
      count = textOf(await host.call('cancellations'));
    }
    assert.notEqual(count, '0');
  });

  it('is not ended by the one before it, whose signal fires late, and the server is not told of any', async () => {
    const before = textOf(await host.call('cancellations'));
    const finished = new AbortController();
    await host.call('echo', { text: 'x' }, { signal: finished.signal });
    const outcome = await host.call('slow', { steps: 2, stepMs: 5 }, { onProgress: () => finished.abort() });
    assert.deepEqual([textOf(outcome), textOf(await host.call('cancellations'))], ['counted', before]);
  });

  it('that is cancelled while the question is open withdraws it', async () => {
    const cancelling = new AbortController();
    const outcome = await host.call(
      'echo',
      { text: 'x' },
      {
        signal: cancelling.signal,
        ask: (_question, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('withdrawn', 'AbortError')));
            cancelling.abort();
          }),
      },
    );
    assert.deepEqual(outcome, { kind: 'cancelled' });
  });

  it('that the tool itself fails is a result, not a failure', async () => {
    const outcome = await host.call('refuse');
    assert.equal(outcome.kind === 'result' && outcome.result.isError, true);
    assert.equal(textOf(outcome), 'It does not work.');
  });

  it('with structured content and the same as text is shown once', async () => {
    const outcome = await host.call('structured');
    assert.ok(outcome.kind === 'result');
    assert.deepEqual(toResultItems(outcome.result), [{ kind: 'structured', json: '{\n  "answer": 42\n}' }]);
  });

  it('of a tool or a server that is not there fails with a clear reason', async () => {
    assert.equal(failureOf(await host.call('nonsense')).code, 'host.unknownTool');
    assert.equal(failureOf(await host.call('echo', {}, { serverId: 'user:nobody' })).code, 'host.notRunning');
    assert.deepEqual(host.asked, []);
  });
});

describe('A call whose input schema takes too long to check', () => {
  it('goes to the server as the person changed it, and the log says so', async () => {
    const schemas = { check: () => Promise.resolve({ kind: 'gaveUp', reason: 'took longer than 5 s' } as const) };
    const host = await createTestHost({ ports: { schemas } });
    await host.startScripted();
    host.answer = () => ({ choice: 'allowOnce', arguments: '{"text": "changed"}' });
    assert.equal(textOf(await host.call('echo', { text: 'hello' })), 'changed');
    assert.ok(host.logged.some((line) => line.includes('echo were not held against its input schema: took longer than 5 s')));
    await host.close();
  });
});

describe('A built-in server', () => {
  it('starts without a question, and its tools carry the risk the editor knows', async () => {
    const host = await createTestHost();
    try {
      const id = host.registry.addBuiltIn({
        name: 'editor',
        openTransport: () => Promise.resolve(new FakeEditorServer()),
        riskOf: () => 'readsEditor',
      });
      await host.registry.startApproved();
      assert.equal(host.server('editor').state.kind, 'ready');
      assert.equal(host.asked.length, 0);
      const outcome = await host.call('list_open_editors', {}, { serverId: id });
      assert.equal(textOf(outcome), 'none');
      const [question] = host.asked;
      assert.equal(question?.detail.kind === 'callTool' && question.detail.risk, 'readsEditor');
    } finally {
      await host.close();
    }
  });
});

/** The far end of an in-memory pipe. */
class FakeEditorServer implements MessageTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonObject) => void) | undefined;
  async start(): Promise<void> {
    // Nothing to open.
  }
  async close(): Promise<void> {
    this.onclose?.();
  }
  async send(message: JsonObject): Promise<void> {
    const { method } = message;
    const result = typeof method === 'string' ? results[method] : undefined;
    if (result !== undefined) {
      queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id: message['id'], result }));
    }
  }
}
const results: Readonly<Record<string, JsonObject>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'Duplex', version: '1' } },
  'tools/list': { tools: [{ name: 'list_open_editors', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'none' }] },
};
