import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { type Admitted, boundMessage, leftOutKey } from '../../../../src/host/intake/boundMessage.ts';
import type { JSONRPCMessage } from '../../../../src/host/shared/sdk.ts';

function admit(message: JsonObject, method?: string): Admitted {
  const steps = boundMessage(message as unknown as JSONRPCMessage, method);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      return step.value;
    }
  }
}

function resultOf(method: string, result: JsonValue): JsonObject {
  const admitted = admit({ jsonrpc: '2.0', id: 1, result }, method);
  assert.equal(admitted.kind, 'passed');
  return (admitted.message as unknown as { result: JsonObject }).result;
}

function paramsOf(method: string, params: JsonObject): JsonObject | undefined {
  const admitted = admit({ jsonrpc: '2.0', method, params });
  return admitted.kind === 'passed' ? (admitted.message as unknown as { params: JsonObject }).params : undefined;
}

describe('What a server sends', () => {
  it('passes as it is when it is within its limits', () => {
    const tools = [
      { name: 'a', description: 'Does a.', inputSchema: { type: 'object', properties: { b: { enum: ['c'] } } }, _meta: { d: 1 } },
    ];
    const content = [
      { type: 'text', text: 'a\u200bb' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'resource', resource: { uri: 'a:b', text: 'c' } },
    ];
    assert.deepEqual(resultOf('tools/list', { tools, nextCursor: 'e' }), { tools, nextCursor: 'e' });
    const result = { content, structuredContent: { a: [1, { b: null }] }, isError: false, _meta: { c: 1 } };
    assert.deepEqual(resultOf('tools/call', result), result);
    assert.deepEqual(resultOf('an/extension', { anything: [1] }), { anything: [1] });
  });

  it('is cut with a sentence where a text is too long, sooner the less of it is seen', () => {
    const description = 'x'.repeat(20_000);
    assert.deepEqual(resultOf('tools/list', { tools: [{ name: 'a', description }] })['tools'], [
      { name: 'a', description: `${'x'.repeat(16_000)} [Cut by Duplex: 16,000 of 20,000 characters were taken.]` },
    ]);
    const instructions = '\u200b'.repeat(2_500_000);
    assert.deepEqual(resultOf('initialize', { instructions }), {
      instructions: `${'\u200b'.repeat(390)} [Cut by Duplex: 390 of 2,500,000 characters were taken.]`,
    });
    assert.match(JSON.stringify(paramsOf('notifications/progress', { progress: 1, message: 'x'.repeat(4_000_000) })), /"x{1000} \[Cut by/);
    const said = admit({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x'.repeat(9_000), data: 'x'.repeat(100_000) } });
    assert.equal(said.kind, 'passed');
    assert.deepEqual(Object.keys((said.message as unknown as { error: object }).error), ['code', 'message']);
  });

  it('is counted over all parts of a result: texts, pictures and the parts themselves', () => {
    const text = 'x'.repeat(1_500_000);
    const texts = resultOf('tools/call', {
      content: [
        { type: 'text', text },
        { type: 'resource', resource: { uri: 'a:b', text } },
      ],
    })['content'];
    assert.match(JSON.stringify(texts), /Cut by Duplex: 500,000 of 1,500,000 characters/);
    const data = 'A'.repeat(7_000_000);
    const picture = { type: 'image', mimeType: 'image/png', data };
    assert.deepEqual(resultOf('tools/call', { content: [picture, picture] })['content'], [
      picture,
      { type: 'text', text: '[Cut by Duplex: 0 of 7,000,000 characters of Base64 were taken.]' },
    ]);
    const letters = resultOf('tools/call', { content: Array.from({ length: 20_000 }, () => ({ type: 'text', text: 'a' })) })['content'];
    assert.deepEqual((letters as readonly JsonValue[]).slice(500), [
      { type: 'text', text: '[Cut by Duplex: 500 of 20,000 parts were taken.]' },
    ]);
  });

  it('is left out with a sentence where data cannot be cut, and no server can say so itself', () => {
    const structuredContent = { list: Array.from({ length: 60_000 }, () => 1) };
    const { content, structuredContent: left, _meta } = resultOf('tools/call', { content: [], structuredContent });
    assert.deepEqual([left, _meta], [undefined, { [leftOutKey]: true }]);
    assert.match(JSON.stringify(content), /Left out by Duplex: structured content/);
    assert.deepEqual(resultOf('tools/call', { content: [], _meta: { [leftOutKey]: true, a: 1 } })['_meta'], { a: 1 });
  });

  it('loses entries of lists whose name or schema is too large or too deep, and icons beyond the first', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100; level += 1) {
      deep = { properties: deep };
    }
    const wide = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`p${index}`, {}]));
    const kept = { name: 'kept', inputSchema: { type: 'object' } };
    const tools = [
      kept,
      { name: 'x'.repeat(9_000) },
      { name: 'deep', inputSchema: deep },
      { name: 'wide', inputSchema: { properties: wide } },
    ];
    assert.deepEqual(resultOf('tools/list', { tools })['tools'], [kept]);
    const icons = Array.from({ length: 50 }, () => ({ src: 'data:image/png,' }));
    assert.deepEqual(resultOf('tools/list', { tools: [{ ...kept, icons }] })['tools'], [{ ...kept, icons: icons.slice(0, 8) }]);
    const prompts = [{ name: 'a', arguments: Array.from({ length: 300 }, (_, index) => ({ name: `a${index}` })) }];
    assert.equal(JSON.stringify(resultOf('prompts/list', { prompts })).match(/"a\d+"/g)?.length, 100);
    assert.deepEqual(resultOf('completion/complete', { completion: { values: ['a', 'x'.repeat(2_000)] } }), {
      completion: { values: ['a'] },
    });
  });

  it('is refused as a request and ignored as a notification when it is too large', () => {
    const params = {
      message: 'a',
      requestedSchema: { type: 'object', properties: { a: { enum: Array.from({ length: 5_000 }, String) } } },
    };
    assert.deepEqual(admit({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params }), { kind: 'refused', id: 'q' });
    assert.equal(paramsOf('notifications/unknown', { a: 'x'.repeat(100_000) }), undefined);
    assert.deepEqual(paramsOf('notifications/message', { level: 'info', data: Array.from({ length: 9_000 }, () => 1) }), {
      level: 'info',
      data: '[Cut by Duplex: 0 of 1 values were taken.]',
    });
  });

  it('is freed of thousands of wrong values beside a part, each of which would be complained about', () => {
    const wrong = { audience: Array.from({ length: 1_000 }, () => 1), priority: 'high', lastModified: '2026-01-01', own: true };
    const right = { audience: ['user'], priority: 1, lastModified: '2026-01-01T10:00:00Z' };
    const parts = [wrong, right, 5].map((annotations) => ({ type: 'text', text: 'a', annotations }));
    const kept = [{ annotations: { own: true } }, { annotations: right }, {}].map((each) => ({ type: 'text', text: 'a', ...each }));
    assert.deepEqual(resultOf('tools/call', { content: parts }), { content: kept });
    assert.deepEqual(resultOf('prompts/get', { messages: [{ role: 'user', content: parts[0] ?? {} }] }), {
      messages: [{ role: 'user', content: kept[0] }],
    });
    const icons = [{ src: 'a', sizes: Array.from({ length: 1_000 }, () => 1), theme: 'pink' }, 5];
    assert.deepEqual(resultOf('initialize', { serverInfo: { name: 'a', icons } }), { serverInfo: { name: 'a', icons: [{ src: 'a' }] } });
  });

  it('is refused as a request at the first of its parts that is none', () => {
    const message = { role: 'user', content: { type: 'text', text: 'a' } };
    const asked = (method: string, params: JsonObject): string => admit({ jsonrpc: '2.0', id: 1, method, params }).kind;
    const sampling = (more: JsonObject): string => asked('sampling/createMessage', { messages: [message], maxTokens: 1, ...more });
    const form = (properties: JsonObject): string => asked('elicitation/create', { message: 'a', requestedSchema: { properties } });
    const wrong = Array.from({ length: 500 }, () => 5);
    assert.deepEqual(
      [
        sampling({ messages: wrong }),
        sampling({ messages: [{ role: 'user', content: wrong }] }),
        sampling({ messages: [{ role: 'user', content: { type: 'text', text: 'a', annotations: { audience: wrong } } }] }),
        sampling({ messages: [{ role: 'user', content: { type: 'tool_result', toolUseId: 'a', content: wrong } }] }),
        sampling({ tools: wrong }),
        sampling({ stopSequences: wrong }),
        sampling({ modelPreferences: { hints: wrong } }),
        form(Object.fromEntries(wrong.map((value, index) => [`p${index}`, value]))),
        form(Object.fromEntries(wrong.map((_, index) => [`p${index}`, { type: 'string' }]))),
      ],
      Array.from({ length: 9 }, () => 'refused'),
    );
    const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] };
    const given = { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', content: [{ type: 'text', text: 'c' }] }] };
    const tools = [{ name: 'b', inputSchema: { type: 'object' } }];
    assert.deepEqual(
      [
        sampling({ messages: [message, use, given], tools, stopSequences: ['.'], modelPreferences: { hints: [{ name: 'm' }] } }),
        form({ a: { type: 'string' } }),
        asked('elicitation/create', { mode: 'url', url: 'https://a.example' }),
        asked('roots/list', {}),
      ],
      Array.from({ length: 4 }, () => 'passed'),
    );
    const within = (inputRequests: JsonObject): JsonObject => resultOf('tools/call', { resultType: 'input_required', inputRequests });
    assert.deepEqual(within({ a: { method: 'sampling/createMessage', params: { messages: wrong } } }), { resultType: 'input_required' });
    assert.ok('inputRequests' in within({ a: { method: 'roots/list' } }));
  });

  it('is ignored when its id or its method is no short one, and named like a member of every object it is one that nobody knows', () => {
    const long = '\u200b'.repeat(5_000);
    const strange: readonly JsonObject[] = [
      { jsonrpc: '2.0', id: long, method: 'ping' },
      { jsonrpc: '2.0', id: { a: [] }, method: 'ping' },
      { jsonrpc: '2.0', id: 'a', method: long },
      { jsonrpc: '2.0', method: long },
      { jsonrpc: '2.0', method: { a: 1 } },
      { jsonrpc: '2.0', id: long, result: {} },
    ];
    strange.forEach((message) => assert.deepEqual(admit(message), { kind: 'dropped', method: '' }));
    for (const method of ['__proto__', 'constructor', 'hasOwnProperty', 'valueOf', 'toString']) {
      assert.deepEqual(paramsOf(method, { a: 1 }), { a: 1 });
    }
    assert.equal(admit({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } }).kind, 'passed');
  });

  it('is counted with all of its Base64, whatever else stands beside it', () => {
    const blob = 'A'.repeat(13_000_000);
    for (const uri of ['a:b', '\u200b'.repeat(1_000_000)]) {
      for (const data of ['', [1, 2]]) {
        const [part] = resultOf('tools/call', { content: [{ type: 'resource', resource: { uri, data, blob } }] })[
          'content'
        ] as JsonObject[];
        assert.ok(JSON.stringify(part).length < 2_000, JSON.stringify(part).slice(0, 200));
      }
    }
  });
});
