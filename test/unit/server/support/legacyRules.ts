import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { initializeParams } from './httpPeer.ts';
import type { ProtocolLink, ProtocolTransport } from './protocolLinks.ts';
import { runCore, type RunningCore } from './runningCore.ts';

export const legacyVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

interface ErrorAnswer {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

export function errorOf(answer: JsonObject): ErrorAnswer {
  assert.ok(answer.error, JSON.stringify(answer));
  return answer.error as unknown as ErrorAnswer;
}

export function resultOf(answer: JsonObject): JsonObject {
  assert.ok(answer.result, JSON.stringify(answer));
  return answer.result as JsonObject;
}

export function rpc(id: unknown, method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: id as string, method, ...(params !== undefined && { params }) };
}

export async function openAt(transport: ProtocolTransport, core: RunningCore, version: string, capabilities = {}): Promise<ProtocolLink> {
  const link = await transport.open(core);
  resultOf(await link.ask(rpc('opening', 'initialize', { ...initializeParams(version), capabilities })));
  await link.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return link;
}

const malformed: readonly (readonly [what: string, body: string, code: number, id: unknown])[] = [
  ['text that is not JSON', '{"jsonrpc":', -32700, null],
  ['a number', '5', -32600, null],
  ['an object without jsonrpc', '{"id":1,"method":"ping"}', -32600, 1],
  ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
  ['a method that is not a string', '{"jsonrpc":"2.0","id":"x","method":5}', -32600, 'x'],
  ['params that are an array', '{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}', -32600, 2],
  ['an empty batch', '[]', -32600, null],
];

const failures: readonly (readonly [what: string, method: string, params: JsonObject, code: number])[] = [
  ['an unknown method', 'editor/explode', {}, -32601],
  ['an unknown tool', 'tools/call', { name: 'Echo' }, -32602],
  ['a tool without a name', 'tools/call', {}, -32602],
  ['an unknown resource', 'resources/read', { uri: 'nothing://here' }, -32002],
  ['a withheld or missing resource', 'resources/read', { uri: 'test://gone' }, -32002],
  ['a subscription to what is not there', 'resources/subscribe', { uri: 'test://gone' }, -32002],
  ['a read above the role', 'resources/read', { uri: 'test://terminal' }, -32603],
  ['a read without a URI', 'resources/read', {}, -32602],
  ['an unknown prompt', 'prompts/get', { name: 'x' }, -32602],
  ['a prompt without its argument', 'prompts/get', { name: 'greet' }, -32602],
  ['prompt arguments that are no strings', 'prompts/get', { name: 'greet', arguments: { who: 5 } }, -32602],
  [
    'a completion of an unknown prompt',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } },
    -32602,
  ],
  ['a completion of nothing', 'completion/complete', { argument: { name: 'a', value: '' } }, -32602],
  ['an invalid log level', 'logging/setLevel', { level: 'loud' }, -32602],
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map(
    (method) => [`an invalid cursor of ${method}`, method, { cursor: 'x' }, -32602] as const,
  ),
];

/** The rules of the revisions with sessions, the same on every transport that carries them. */
export function describeLegacyRules(transport: ProtocolTransport): void {
  describe(`protocol rules of the legacy revisions on ${transport.name}`, () => {
    let core: RunningCore;
    before(async () => {
      core = await runCore();
    });
    after(() => core.close());

    describeOpening(transport, () => core);
    describeMessages(transport, () => core);
    describeBatches(transport, () => core);
    describeShapes(transport, () => core);
    describeLists(transport, () => core);
  });
}

function describeOpening(transport: ProtocolTransport, core: () => RunningCore): void {
  for (const [asked, answered] of [
    ...legacyVersions.map((each) => [each, each]),
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    it(`initialize with ${asked} is answered ${answered}`, async () => {
      const link = await transport.open(core());
      assert.equal(resultOf(await link.ask(rpc(1, 'initialize', initializeParams(asked ?? '')))).protocolVersion, answered);
    });
  }

  for (const protocolVersion of [undefined, 20251125, null]) {
    it(`initialize with version ${String(protocolVersion)} is -32602 with the supported ones`, async () => {
      const link = await transport.open(core());
      const params = { ...initializeParams(''), protocolVersion } as unknown as JsonObject;
      const { code, data } = errorOf(await link.ask(rpc(1, 'initialize', params)));
      assert.deepEqual([code, data?.supported], [-32602, [...legacyVersions].reverse()]);
    });
  }

  it('nothing but initialize and ping is answered before initialize', async () => {
    const link = await transport.open(core());
    assert.equal(errorOf(await link.ask(rpc(1, 'tools/list'))).code, -32600);
  });

  it('a second initialize is -32600', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    const answer = await link.ask(rpc(2, 'tools/list'));
    assert.ok(answer.result);
    assert.equal(errorOf(await secondOpening(link)).code, -32600);
  });

  it('declares what it has, as far as the revision knows it', async () => {
    const declared: unknown[] = [];
    for (const version of legacyVersions) {
      const link = await transport.open(core());
      const { capabilities } = resultOf(await link.ask(rpc(1, 'initialize', initializeParams(version))));
      declared.push(
        Object.keys(capabilities as JsonObject)
          .sort()
          .join(' '),
      );
    }
    assert.deepEqual(declared, [
      'logging prompts resources tools',
      'completions logging prompts resources tools',
      'completions logging prompts resources tools',
      'completions logging prompts resources tasks tools',
    ]);
  });
}

/** As part of a session that exists: over HTTP an `initialize` of its own would open another one. */
async function secondOpening(link: ProtocolLink): Promise<JsonObject> {
  return link.ask(JSON.stringify(rpc(3, 'initialize', initializeParams('2025-11-25'))));
}

function describeMessages(transport: ProtocolTransport, core: () => RunningCore): void {
  for (const [what, body, code, id] of malformed) {
    it(`${what} is ${code}`, async () => {
      const link = await openAt(transport, core(), '2025-03-26');
      const answer = await link.ask(body);
      assert.deepEqual([errorOf(answer).code, answer.id], [code, id]);
    });
  }

  for (const [what, method, params, code] of failures) {
    it(`${what} is ${code}`, async () => {
      const link = await openAt(transport, core(), '2025-11-25');
      assert.equal(errorOf(await link.ask(rpc(1, method, params))).code, code);
    });
  }

  it('a refused read says why', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    assert.deepEqual(errorOf(await link.ask(rpc(1, 'resources/read', { uri: 'test://terminal' }))), {
      code: -32603,
      message: 'needs the role runner',
      data: { reason: 'role' },
    });
  });

  it('a notification nobody knows is ignored', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    await link.tell({ jsonrpc: '2.0', method: 'notifications/of/mars' });
    assert.deepEqual((await link.ask(rpc(1, 'ping'))).result, {});
  });

  it('an id in flight cannot be used again, and the first request is still answered', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    core().catalog.held = undefined;
    const first = link.ask(rpc('same', 'tools/call', { name: 'hold' }));
    await core().catalog.untilHeld();
    // Over a transport with one way back, the refusal comes first.
    const [one, other] = [first, link.ask(rpc('same', 'ping'))];
    const refused = await Promise.race([one, other]);
    assert.equal(errorOf(refused).code, -32600);
    core().catalog.release?.();
    const all = await Promise.all([one, other]);
    assert.equal(all.filter((answer) => answer.result !== undefined).length, 1);
  });

  it('a tool that fails is a result with isError', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    const answer = await link.ask(rpc(1, 'tools/call', { name: 'fail' }));
    assert.deepEqual(answer.result, { content: [{ type: 'text', text: 'It did not work.' }], isError: true });
  });

  for (const version of legacyVersions) {
    const isToolError = version === '2025-11-25';
    it(`a bad argument is ${isToolError ? 'a tool error' : '-32602 with parameter and reason'} at ${version}`, async () => {
      const link = await openAt(transport, core(), version);
      const answer = await link.ask(rpc(1, 'tools/call', { name: 'echo', arguments: { text: 5 } }));
      if (isToolError) {
        assert.equal(resultOf(answer).isError, true);
      } else {
        assert.deepEqual([errorOf(answer).code, errorOf(answer).data], [-32602, { parameter: 'text', reason: 'expected a string' }]);
      }
    });
  }
}

function describeBatches(transport: ProtocolTransport, core: () => RunningCore): void {
  for (const version of ['2024-11-05', '2025-03-26']) {
    it(`a batch is answered as an array at ${version}`, async () => {
      const link = await openAt(transport, core(), version);
      const answer = await link.ask([
        rpc(1, 'ping'),
        { jsonrpc: '2.0', method: 'notifications/x' },
        rpc(null, 'ping'),
        rpc(2, 'prompts/list'),
        { jsonrpc: '2.0', id: 99, result: {} },
      ]);
      const ids = (answer as unknown as { id: unknown }[]).map(({ id }) => id);
      assert.deepEqual(new Set(ids), new Set([1, null, 2]));
    });

    it(`the second of two equal ids in a batch is refused at ${version}, even where the first was answered at once`, async () => {
      const link = await openAt(transport, core(), version);
      const answers = (await link.ask([rpc(1, 'ping'), rpc(1, 'ping'), rpc('1', 'ping')])) as unknown as JsonObject[];
      const told = answers.map((each) => [each.id, each.error === undefined ? 'answered' : errorOf(each).code]);
      assert.deepEqual(new Set(told.map(String)), new Set(['1,answered', '1,-32600']));
      assert.equal(told.filter(([, outcome]) => outcome === 'answered').length, 2);
    });

    it(`initialize is never part of a batch at ${version}`, async () => {
      const link = await openAt(transport, core(), version);
      const answer = await link.ask([rpc(1, 'ping'), rpc(2, 'initialize', initializeParams(version))]);
      assert.deepEqual([errorOf(answer).code, answer.id], [-32600, null]);
    });
  }

  for (const version of ['2025-06-18', '2025-11-25']) {
    it(`a batch is refused at ${version}`, async () => {
      const link = await openAt(transport, core(), version);
      const answer = await link.ask([rpc(1, 'ping')]);
      assert.deepEqual([errorOf(answer).code, answer.id], [-32600, null]);
    });
  }
}

function describeShapes(transport: ProtocolTransport, core: () => RunningCore): void {
  it('results carry only what the negotiated revision knows', async () => {
    const shapes: Record<string, unknown> = {};
    for (const version of legacyVersions) {
      const link = await openAt(transport, core(), version);
      const { content, ...rest } = resultOf(await link.ask(rpc(1, 'tools/call', { name: 'rich' })));
      const { tools } = resultOf(await link.ask(rpc(2, 'tools/list'))) as unknown as { tools: JsonObject[] };
      const { prompts } = resultOf(await link.ask(rpc(3, 'prompts/list'))) as unknown as { prompts: { arguments: JsonObject[] }[] };
      shapes[version] = [
        (content as unknown as { type: string }[]).map(({ type }) => type).join(' '),
        Object.keys(rest).join(' '),
        Object.keys(tools[0] ?? {}).join(' '),
        Object.keys(prompts[0]?.arguments[0] ?? {}).join(' '),
      ];
    }
    assert.deepEqual(shapes, {
      '2024-11-05': ['text text text', '', 'name description inputSchema', 'name required'],
      '2025-03-26': ['text audio text', '', 'name description inputSchema annotations', 'name required'],
      '2025-06-18': [
        'text audio resource_link',
        'structuredContent',
        'name title description inputSchema outputSchema annotations',
        'name title required',
      ],
      '2025-11-25': [
        'text audio resource_link',
        'structuredContent',
        'name title description inputSchema outputSchema annotations icons execution',
        'name title required',
      ],
    });
  });

  it('progress and logs come before the answer, and progress only with what the revision knows', async () => {
    const told: Record<string, unknown> = {};
    for (const version of ['2024-11-05', '2025-11-25']) {
      const link = await openAt(transport, core(), version);
      await link.ask(rpc(1, 'tools/call', { name: 'echo' }));
      await link.ask(rpc(2, 'tools/call', { name: 'report', _meta: { progressToken: 'p' } }));
      told[version] = [await nextNamed(link, 'notifications/progress'), await nextNamed(link, 'notifications/message')];
    }
    const warning = { level: 'warning', logger: 'oven', data: { hot: true } };
    assert.deepEqual(told, {
      '2024-11-05': [{ progressToken: 'p', progress: 1, total: 2 }, warning],
      '2025-11-25': [{ progressToken: 'p', progress: 1, total: 2, message: 'half' }, warning],
    });
  });

  it('logs come from the level the client set', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    await link.ask(rpc(1, 'tools/call', { name: 'echo' }));
    await link.ask(rpc(2, 'logging/setLevel', { level: 'debug' }));
    await link.ask(rpc(3, 'tools/call', { name: 'report' }));
    assert.equal(((await nextNamed(link, 'notifications/message')) as JsonObject).level, 'debug');
  });
}

export async function nextNamed(link: ProtocolLink, method: string): Promise<unknown> {
  for (;;) {
    const message = await link.next();
    if (message.method === method) {
      return message.params;
    }
  }
}

function describeLists(transport: ProtocolTransport, core: () => RunningCore): void {
  it('a long list comes in pages, and a cursor belongs to its list', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    core().catalog.resources = 450;
    const sizes: number[] = [];
    let cursor: unknown;
    let first: unknown;
    do {
      const params = cursor === undefined ? {} : { cursor: cursor as string };
      const result = resultOf(await link.ask(rpc(sizes.length, 'resources/list', params)));
      sizes.push((result.resources as unknown as unknown[]).length);
      cursor = result.nextCursor;
      first ??= cursor;
    } while (cursor !== undefined);
    core().catalog.resources = 3;
    assert.deepEqual(sizes, [200, 200, 50]);
    assert.equal(errorOf(await link.ask(rpc(9, 'tools/list', { cursor: first as string }))).code, -32602);
  });

  it('a change of the catalog is told', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    await link.ask(rpc(1, 'tools/call', { name: 'echo' }));
    core().catalog.didChange.fire('prompts');
    assert.equal(await nextNamed(link, 'notifications/prompts/list_changed'), undefined);
  });

  it('a subscription tells of changes until it ends', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    await link.ask(rpc(1, 'resources/subscribe', { uri: 'test://1' }));
    core().catalog.didChangeResource.fire();
    assert.deepEqual(await nextNamed(link, 'notifications/resources/updated'), { uri: 'test://1' });
    assert.deepEqual((await link.ask(rpc(2, 'resources/unsubscribe', { uri: 'test://1' }))).result, {});
  });

  it('a prompt and a completion are answered', async () => {
    const link = await openAt(transport, core(), '2025-11-25');
    const prompt = resultOf(await link.ask(rpc(1, 'prompts/get', { name: 'greet', arguments: { who: 'you' } })));
    assert.deepEqual(prompt, { messages: [{ role: 'user', content: { type: 'text', text: 'Hello, you' } }] });
    const params = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'v' } };
    const { completion } = resultOf(await link.ask(rpc(2, 'completion/complete', params))) as unknown as {
      completion: { values: string[]; total: number; hasMore: boolean };
    };
    assert.deepEqual([completion.values.length, completion.total, completion.hasMore], [100, 150, true]);
  });
}
