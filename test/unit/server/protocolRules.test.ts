import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { deferred } from './support/deferred.ts';
import { initializeParams } from './support/httpPeer.ts';
import { runServer, type RunningServer } from './support/runningServer.ts';

describe('protocol rules of the legacy revisions on /mcp', () => {
  let running: RunningServer;
  before(async () => {
    running = await runServer();
  });
  after(() => running.close());

  const errorOf = (json: JsonObject): { code: number; data?: JsonObject } => json.error as unknown as { code: number; data?: JsonObject };

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`initialize with ${version} is answered with it`, async () => {
      const { json } = await running.peer().initialize(version);
      assert.equal((json.result as JsonObject).protocolVersion, version);
    });
  }

  for (const version of ['2026-07-28', '1999-01-01', '']) {
    it(`initialize with "${version}" is answered 2025-11-25`, async () => {
      const { json } = await running.peer().initialize(version);
      assert.equal((json.result as JsonObject).protocolVersion, '2025-11-25');
    });
  }

  for (const protocolVersion of [undefined, 20251125, null]) {
    it(`initialize with version ${String(protocolVersion)} is refused with the supported ones and opens no session`, async () => {
      const params = { ...initializeParams(''), protocolVersion } as unknown as JsonObject;
      const answer = await running.peer().request('initialize', params);
      const error = errorOf(answer.json);
      assert.deepEqual(
        [answer.status, answer.headers['mcp-session-id'], error.code, error.data?.supported],
        [200, undefined, -32602, ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']],
      );
    });
  }

  it('initialize with capabilities that the SDK refuses is -32602 and opens no session', async () => {
    const before = running.server.clients.snapshot().length;
    const answer = await running.peer().request('initialize', { ...initializeParams('2025-11-25'), capabilities: { roots: 5 } });
    assert.deepEqual([errorOf(answer.json).code, answer.headers['mcp-session-id']], [-32602, undefined]);
    assert.equal(running.server.clients.snapshot().length, before);
  });

  it('a request without a session is refused with 400 and its id', async () => {
    const answer = await running.peer().request('tools/list');
    assert.deepEqual([answer.status, answer.json.id, errorOf(answer.json).code], [400, 1, -32600]);
  });

  it('a second initialize on a session is -32600', async () => {
    const peer = running.peer();
    await peer.initialize();
    const answer = await peer.request('initialize', initializeParams('2025-11-25'));
    assert.deepEqual([answer.status, errorOf(answer.json).code], [400, -32600]);
  });

  const malformed: readonly (readonly [string, string, number, unknown])[] = [
    ['text that is not JSON', '{"jsonrpc":', -32700, null],
    ['an empty body', '', -32700, null],
    ['a number', '5', -32600, null],
    ['null', 'null', -32600, null],
    ['an object without jsonrpc', '{"id":1,"method":"ping"}', -32600, 1],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['a method that is not a string', '{"jsonrpc":"2.0","id":"x","method":5}', -32600, 'x'],
    ['params that are an array', '{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}', -32600, 2],
    ['an empty batch', '[]', -32600, null],
  ];
  for (const [what, body, code, id] of malformed) {
    it(`${what} is answered ${code} with status 400`, async () => {
      const peer = running.peer();
      await peer.initialize();
      const answer = await peer.post(body);
      assert.deepEqual([answer.status, errorOf(answer.json).code, answer.json.id], [400, code, id]);
    });
  }

  it('a notification nobody knows is accepted and ignored', async () => {
    const peer = running.peer();
    await peer.initialize();
    assert.equal((await peer.post({ jsonrpc: '2.0', method: 'notifications/of/mars' })).status, 202);
    assert.equal((await peer.request('ping')).status, 200);
  });

  const failures: readonly (readonly [string, string, JsonObject, number])[] = [
    ['an unknown method', 'editor/explode', {}, -32601],
    ['server/discover within a session', 'server/discover', {}, -32601],
    ['an unknown tool', 'tools/call', { name: 'Get_Diagnostics' }, -32602],
    ['a tool without a name', 'tools/call', {}, -32602],
    ['an unknown resource', 'resources/read', { uri: 'editor://closed' }, -32002],
    ['a subscription to an unknown resource', 'resources/subscribe', { uri: 'editor://closed' }, -32002],
    ['a read without a URI', 'resources/read', {}, -32602],
    ['an invalid cursor of a list', 'tools/list', { cursor: 'x' }, -32602],
    ['an invalid cursor of diagnostics', 'tools/call', { name: 'get_diagnostics', arguments: { cursor: 'x' } }, -32602],
    ['an unknown prompt', 'prompts/get', { name: 'x' }, -32602],
    ['a log level, which was not declared', 'logging/setLevel', { level: 'info' }, -32601],
  ];
  for (const [what, method, params, code] of failures) {
    it(`${what} is ${code}`, async () => {
      const peer = running.peer();
      await peer.initialize();
      const answer = await peer.request(method, params);
      assert.deepEqual([answer.status, errorOf(answer.json).code], [200, code]);
    });
  }

  it('lists answer with what there is', async () => {
    const peer = running.peer();
    await peer.initialize();
    const results: unknown[] = [];
    for (const method of ['prompts/list', 'resources/templates/list', 'ping']) {
      results.push((await peer.request(method)).json.result);
    }
    assert.deepEqual(results, [{ prompts: [] }, { resourceTemplates: [] }, {}]);
  });

  it('a bad argument is a protocol error with parameter and reason up to 2025-06-18', async () => {
    const peer = running.peer();
    await peer.initialize('2025-06-18');
    const { json } = await peer.callTool('get_diagnostics', { limit: 'many' });
    const { code, data } = errorOf(json);
    assert.deepEqual([code, data?.parameter, typeof data?.reason], [-32602, 'limit', 'string']);
  });

  it('a bad argument is a tool error at 2025-11-25', async () => {
    const peer = running.peer();
    await peer.initialize('2025-11-25');
    const { json } = await peer.callTool('list_open_editors', { verbose: true });
    const result = json.result as { isError: boolean; content: { text: string }[] };
    assert.equal(result.isError, true);
    assert.match(result.content[0]?.text ?? '', /list_open_editors: verbose/);
  });

  it('an id in flight cannot be used again, and the first request is still answered', async () => {
    const peer = running.peer();
    await peer.initialize();
    const gate = deferred();
    const started = deferred();
    running.editor.answerDiagnostics = async () => {
      started.resolve();
      await gate.promise;
      return { diagnostics: [], documents: [], settled: true };
    };
    const call = { jsonrpc: '2.0', id: 'same', method: 'tools/call', params: { name: 'get_diagnostics' } };
    const first = peer.post(call);
    await started.promise;
    running.editor.answerDiagnostics = undefined;
    const second = await peer.post(call);
    gate.resolve();
    assert.deepEqual([second.status, errorOf(second.json).code], [400, -32600]);
    assert.equal(((await first).json.result as { isError?: boolean }).isError, undefined);
    assert.equal((await peer.post(call)).status, 200);
  });

  for (const version of ['2024-11-05', '2025-03-26']) {
    it(`a batch is answered as an array at ${version}`, async () => {
      const peer = running.peer();
      await peer.initialize(version);
      const answer = await peer.post([
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/x' },
        { jsonrpc: '2.0', id: null, method: 'ping' },
        { jsonrpc: '2.0', id: 2, method: 'prompts/list' },
      ]);
      const ids = (answer.json as unknown as { id: unknown }[]).map(({ id }) => id);
      assert.deepEqual([answer.status, new Set(ids)], [200, new Set([1, null, 2])]);
    });
  }

  it('a batch of notifications is only accepted', async () => {
    const peer = running.peer();
    await peer.initialize('2025-03-26');
    assert.equal((await peer.post([{ jsonrpc: '2.0', method: 'notifications/x' }])).status, 202);
  });

  for (const version of ['2025-06-18', '2025-11-25']) {
    it(`a batch is refused at ${version}`, async () => {
      const peer = running.peer();
      await peer.initialize(version);
      const answer = await peer.post([{ jsonrpc: '2.0', id: 1, method: 'ping' }]);
      assert.deepEqual([answer.status, errorOf(answer.json).code, answer.json.id], [400, -32600, null]);
    });
  }

  it('a batch with initialize in it is refused whole', async () => {
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-03-26') }];
    const fresh = await running.peer().post(batch);
    const peer = running.peer();
    await peer.initialize('2025-03-26');
    const within = await peer.post([{ jsonrpc: '2.0', id: 7, method: 'ping' }, ...batch]);
    assert.deepEqual([fresh.status, errorOf(fresh.json).code, within.status, errorOf(within.json).code], [400, -32600, 400, -32600]);
  });

  it('results carry only what the negotiated revision knows', async () => {
    const shapes: Record<string, unknown> = {};
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const peer = running.peer();
      const opening = (await peer.initialize(version)).json.result as JsonObject;
      const { tools } = (await peer.request('tools/list')).json.result as unknown as { tools: JsonObject[] };
      const { resources } = (await peer.request('resources/list')).json.result as unknown as { resources: JsonObject[] };
      const call = (await peer.callTool('list_workspace_folders')).json.result as JsonObject;
      shapes[version] = [opening.serverInfo, tools[0], resources[0], call].map((value) => Object.keys(value as JsonObject).join(' '));
    }
    assert.deepEqual(shapes, {
      '2024-11-05': ['name version', 'name description inputSchema', 'uri name description mimeType', 'content'],
      '2025-03-26': ['name version', 'name description inputSchema annotations', 'uri name description mimeType', 'content'],
      '2025-06-18': [
        'name title version',
        'name title description inputSchema outputSchema annotations',
        'uri name title description mimeType',
        'content structuredContent',
      ],
      '2025-11-25': [
        'name title version',
        'name title description inputSchema outputSchema annotations',
        'uri name title description mimeType',
        'content structuredContent',
      ],
    });
  });

  it('an unknown MCP-Protocol-Version header is refused, a known or absent one is not', async () => {
    const peer = running.peer();
    await peer.initialize();
    const statuses: number[] = [];
    for (const version of ['2026-07-28', 'x', '2025-06-18', undefined]) {
      statuses.push((await peer.request('ping', undefined, { 'mcp-protocol-version': version })).status);
    }
    assert.deepEqual(statuses, [400, 400, 200, 200]);
  });
});
