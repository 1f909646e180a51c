import assert from 'node:assert/strict';
import { modernMeta, type ModernLink, type ModernTransport } from './modernLinks.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { allowReader, FakeApproval } from './fakePorts.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { errorOf, nextNamed, resultOf, rpc } from './legacyRules.ts';
import { runCore, type RunningCore } from './runningCore.ts';

const elicitation = { elicitation: {} };
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** A request with everything this revision wants in it. */
export function modern(id: unknown, method: string, params: JsonObject = {}, capabilities: JsonObject = {}): JsonObject {
  return rpc(id, method, { ...params, _meta: { ...modernMeta(capabilities), ...(params._meta as JsonObject | undefined) } });
}

const failures: readonly (readonly [what: string, method: string, params: JsonObject, code: number])[] = [
  ...['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/list', 'tasks/result', 'x/y'].map(
    (method) => [`${method}, which this revision does not have,`, method, {}, -32601] as const,
  ),
  ['an unknown tool', 'tools/call', { name: 'Echo' }, -32602],
  ['an unknown resource', 'resources/read', { uri: 'nothing://here' }, -32602],
  ['a withheld or missing resource', 'resources/read', { uri: 'test://gone' }, -32602],
  ['a read above the role', 'resources/read', { uri: 'test://terminal' }, -32603],
  ['an unknown prompt', 'prompts/get', { name: 'x' }, -32602],
  ['an invalid cursor', 'tools/list', { cursor: 'x' }, -32602],
  ['an invalid log level', 'tools/list', { _meta: { 'io.modelcontextprotocol/logLevel': 'loud' } }, -32602],
  ['an unknown version', 'tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }, -32022],
  ['a legacy version without initialize', 'tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } }, -32022],
  ['input that was not declared', 'tools/call', { name: 'ask' }, -32021],
  ['a task that was not declared', 'tools/call', { name: 'onlyJob' }, -32021],
  ['a task method without the extension', 'tasks/get', { taskId: 'x' }, -32021],
  ['a made-up requestState', 'tools/call', { name: 'ask', requestState: 'e30.e30' }, -32602],
  ['answers that are no objects', 'tools/call', { name: 'ask', inputResponses: { name: 5 } }, -32602],
  ['a subscription without a filter', 'subscriptions/listen', {}, -32602],
  ['a subscription to tasks without the extension', 'subscriptions/listen', { notifications: { taskIds: ['x'] } }, -32021],
];

/** The rules of 2026-07-28, the same on every transport that carries it. */
export function describeModernRules(transport: ModernTransport): void {
  describe(`protocol rules of 2026-07-28 on ${transport.name}`, () => {
    let core: RunningCore;
    let link: ModernLink;
    beforeEach(async () => {
      core = await runCore();
      link = await transport.open(core);
    });
    afterEach(() => core.close());

    describeAnswers(() => link);
    describeInput(
      () => core,
      () => link,
    );
    describeListening(
      () => core,
      () => link,
    );
    describeModernTasks(
      transport,
      () => core,
      () => link,
    );

    it('a cancelled request ends its work', async () => {
      const answering = link.ask(modern('c', 'tools/call', { name: 'hold' })).catch(() => undefined);
      const { signal } = await core.catalog.untilHeld();
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await link.cancel('c');
      await aborted;
      void answering;
    });
  });
}

function describeAnswers(link: () => ModernLink): void {
  it('server/discover says what there is', async () => {
    assert.deepEqual(resultOf(await link().ask(modern(1, 'server/discover'))), {
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'duplex', title: 'Duplex', version: '1.2.3' } },
      ttlMs: 300_000,
      cacheScope: 'public',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
      instructions: 'Made for tests.',
    });
  });

  it('every result is complete, and lists and reads say how long they last', async () => {
    const hints: Record<string, unknown> = {};
    const requests: Record<string, JsonObject> = {
      'tools/list': {},
      'prompts/list': {},
      'resources/list': {},
      'resources/templates/list': {},
      'resources/read': { uri: 'test://1' },
      'tools/call': { name: 'echo' },
      'prompts/get': { name: 'greet', arguments: { who: 'you' } },
    };
    for (const [method, params] of Object.entries(requests)) {
      const { resultType, ttlMs, cacheScope, _meta } = resultOf(await link().ask(modern(method, method, params)));
      hints[method] = [resultType, ttlMs, cacheScope, Object.keys(_meta as JsonObject).length];
    }
    assert.deepEqual(hints, {
      'tools/list': ['complete', 60_000, 'private', 1],
      'prompts/list': ['complete', 60_000, 'private', 1],
      'resources/list': ['complete', 0, 'private', 1],
      'resources/templates/list': ['complete', 60_000, 'private', 1],
      'resources/read': ['complete', 0, 'private', 1],
      'tools/call': ['complete', undefined, undefined, 1],
      'prompts/get': ['complete', undefined, undefined, 1],
    });
  });

  for (const [what, method, params, code] of failures) {
    it(`${what} is ${code}`, async () => {
      const answer = await link().ask(modern(7, method, params));
      assert.deepEqual([errorOf(answer).code, answer.id], [code, 7]);
    });
  }

  for (const missing of ['protocolVersion', 'clientCapabilities']) {
    it(`server/discover without ${missing} is -32602`, async () => {
      const _meta = Object.fromEntries(Object.entries(modernMeta()).filter(([name]) => !name.endsWith(missing)));
      assert.equal(errorOf(await link().ask(rpc(1, 'server/discover', { _meta }))).code, -32602);
    });
  }

  it('what is missing or unknown is said in the data', async () => {
    const version = { _meta: { 'io.modelcontextprotocol/protocolVersion': 'x' } };
    const data = [
      errorOf(await link().ask(modern(1, 'resources/read', { uri: 'test://gone' }))).data,
      errorOf(await link().ask(modern(2, 'tools/call', { name: 'ask' }))).data,
      errorOf(await link().ask(modern(3, 'tools/call', { name: 'onlyJob' }))).data,
      errorOf(await link().ask(modern(4, 'ping', version))).data?.requested,
    ];
    assert.deepEqual(data, [{ uri: 'test://gone' }, { requiredCapabilities: elicitation }, { requiredCapabilities: tasks }, 'x']);
  });

  it('a bad argument is a tool error', async () => {
    const answer = await link().ask(modern(1, 'tools/call', { name: 'echo', arguments: { text: 5 } }));
    assert.equal(resultOf(answer).isError, true);
  });

  it('logs come only to a request that asks for them, from the level it says', async () => {
    await link().ask(modern(1, 'tools/call', { name: 'report' }));
    await link().ask(modern(2, 'tools/call', { name: 'report', _meta: { 'io.modelcontextprotocol/logLevel': 'info' } }));
    assert.deepEqual(await link().next(), {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'warning', logger: 'oven', data: { hot: true } },
    });
  });
}

function describeInput(core: () => RunningCore, link: () => ModernLink): void {
  const askFirst = async (): Promise<string> => {
    const { resultType, inputRequests, requestState } = resultOf(await link().ask(modern(1, 'tools/call', { name: 'ask' }, elicitation)));
    assert.deepEqual([resultType, Object.keys(inputRequests as JsonObject)], ['input_required', ['name']]);
    return requestState as string;
  };
  const answers = { name: { action: 'accept', content: { name: 'Ada' } } };

  it('a call that needs input says so, and is run with the answers and its state when it comes back', async () => {
    const requestState = await askFirst();
    const retry = { name: 'ask', inputResponses: answers, requestState };
    const { content } = resultOf(await link().ask(modern(2, 'tools/call', retry, elicitation)));
    assert.deepEqual(content, [{ type: 'text', text: '{"action":"accept","content":{"name":"Ada"}} {"step":1}' }]);
  });

  it('a state that was changed, or belongs to another call, is refused', async () => {
    const requestState = await askFirst();
    const changed = `${requestState.slice(0, -2)}${requestState.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const params of [
      { name: 'ask', inputResponses: answers, requestState: changed },
      { name: 'insist', inputResponses: answers, requestState },
      { name: 'ask', arguments: { text: 'other' }, inputResponses: answers, requestState },
    ]) {
      assert.equal(errorOf(await link().ask(modern(2, 'tools/call', params, elicitation))).code, -32602);
    }
  });

  it('a task that needs input is parked until tasks/update brings it', async () => {
    const both = { ...elicitation, ...tasks };
    const { resultType, taskId } = resultOf(await link().ask(modern(1, 'tools/call', { name: 'askingJob' }, both)));
    assert.equal(resultType, 'task');
    const parked = resultOf(await link().ask(modern(2, 'tasks/get', { taskId }, both)));
    assert.deepEqual([parked.status, Object.keys(parked.inputRequests as JsonObject)], ['input_required', ['name']]);
    const listening = link().ask(modern('l', 'subscriptions/listen', { notifications: { taskIds: [taskId ?? '', 'other'] } }, both));
    const acknowledged = (await nextNamed(link(), 'notifications/subscriptions/acknowledged')) as JsonObject;
    assert.deepEqual(acknowledged.notifications, { taskIds: [taskId] });
    await link().ask(modern(3, 'tasks/update', { taskId, inputResponses: { other: {}, name: { action: 'accept' } } }, both));
    let told = (await nextNamed(link(), 'notifications/tasks')) as JsonObject;
    while (told.status === 'working') {
      told = (await nextNamed(link(), 'notifications/tasks')) as JsonObject;
    }
    assert.deepEqual(
      [told.status, told.result, told._meta],
      ['completed', { content: [{ type: 'text', text: 'named' }] }, { [subscriptionId]: 'l' }],
    );
    await core().server.stop();
    assert.equal(resultOf(await listening).resultType, 'complete');
  });
}

function describeListening(core: () => RunningCore, link: () => ModernLink): void {
  it('a subscription is acknowledged first, tells what was asked for, and ends with an empty result', async () => {
    const notifications = { promptsListChanged: true, resourceSubscriptions: ['test://1', 'test://gone', 'test://terminal', 'x://y'] };
    const listening = link().ask(modern('l', 'subscriptions/listen', { notifications }));
    const tag = { _meta: { [subscriptionId]: 'l' } };
    assert.deepEqual(await link().next(), {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { promptsListChanged: true, resourceSubscriptions: ['test://1'] }, ...tag },
    });
    core().catalog.didChange.fire('tools');
    core().catalog.didChangeResource.fire();
    core().catalog.didChange.fire('prompts');
    assert.deepEqual(
      [await link().next(), await link().next()],
      [
        { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'test://1', ...tag } },
        { jsonrpc: '2.0', method: 'notifications/prompts/list_changed', params: tag },
      ],
    );
    await core().server.stop();
    assert.deepEqual((await listening).result, { resultType: 'complete', ...tag });
  });

  it('a cancelled subscription is told nothing more', async () => {
    const one = link().ask(modern('one', 'subscriptions/listen', { notifications: { resourceSubscriptions: ['test://1'] } }));
    void one.catch(() => undefined);
    await link().next();
    void link().ask(modern('two', 'subscriptions/listen', { notifications: { resourceSubscriptions: ['test://2'] } }));
    await link().next();
    await link().cancel('one');
    core().catalog.didChangeResource.fire();
    const told = (await nextNamed(link(), 'notifications/resources/updated')) as JsonObject;
    assert.equal(told.uri, 'test://2');
  });
}

function describeModernTasks(transport: ModernTransport, core: () => RunningCore, link: () => ModernLink): void {
  it('a task is invisible to another client', async () => {
    const { taskId } = resultOf(await link().ask(modern(1, 'tools/call', { name: 'job' }, tasks)));
    const other = await transport.open(core(), core().otherToken());
    assert.equal(errorOf(await other.ask(modern(2, 'tasks/get', { taskId }, tasks))).code, -32602);
    assert.equal(resultOf(await link().ask(modern(3, 'tasks/get', { taskId }, tasks))).status, 'working');
  });

  it('a cancelled task ends its work and stays cancelled', async () => {
    const { taskId } = resultOf(await link().ask(modern(1, 'tools/call', { name: 'job' }, tasks)));
    const { signal } = await core().catalog.untilHeld();
    assert.equal(resultOf(await link().ask(modern(2, 'tasks/cancel', { taskId }, tasks))).resultType, 'complete');
    assert.equal(signal.aborted, true);
    const task = resultOf(await link().ask(modern(3, 'tasks/get', { taskId }, tasks)));
    assert.deepEqual([task.status, task.result], ['cancelled', undefined]);
  });

  it('a client that knows no tasks waits for the result', async () => {
    const answering = link().ask(modern(1, 'tools/call', { name: 'job' }));
    await core().catalog.untilHeld();
    core().catalog.release?.();
    assert.deepEqual(resultOf(await answering).content, [{ type: 'text', text: 'released' }]);
  });
}

/** What needs a server of its own kind. */
export function describeModernWaiting(transport: ModernTransport): void {
  describe(`waiting and time on 2026-07-28 on ${transport.name}`, () => {
    let core: RunningCore;
    afterEach(() => core.close());

    it('a state is worth nothing after a quarter of an hour', async () => {
      const clock = new FakeClock();
      core = await runCore({ clock });
      const link = await transport.open(core);
      const { requestState } = resultOf(await link.ask(modern(1, 'tools/call', { name: 'ask' }, elicitation)));
      clock.advance(15 * 60_000 + 1);
      const retry = { name: 'ask', inputResponses: { name: {} }, requestState };
      assert.equal(errorOf(await link.ask(modern(2, 'tools/call', retry, elicitation))).code, -32602);
    });

    it('discovery and lists answer before approval; a subscription hears of it', async () => {
      core = await runCore({ approval: new FakeApproval() });
      const link = await transport.open(core);
      for (const method of ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
        assert.ok((await link.ask(modern(method, method))).result);
      }
      assert.deepEqual(core.approval.asked, []);
      void link.ask(modern('l', 'subscriptions/listen', { notifications: { resourcesListChanged: true } }));
      await nextNamed(link, 'notifications/subscriptions/acknowledged');
      const reading = link.ask(modern(1, 'resources/read', { uri: 'test://1' }));
      await core.approval.untilAsked(1);
      core.approval.answer(allowReader);
      assert.ok((await reading).result);
      await nextNamed(link, 'notifications/resources/list_changed');
    });
  });
}
