import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { JsonObject } from '../../../../src/base/json.ts';
import { AppRefusal, fileName } from '../../../../src/host/apps/appParams.ts';
import type { AppFrame } from '../../../../src/contract/chat/appShowing.ts';
import { type AppPorts, AppSession } from '../../../../src/host/apps/appSession.ts';

const look = {
  theme: 'dark',
  variables: { '--color-text-primary': '#fff' },
  width: 300,
  timeZone: 'UTC',
  touch: false,
  hover: true,
} as const;

describe('The messages of an app', () => {
  let sent: JsonObject[];
  let done: string[];
  let heights: number[];
  let hold: Promise<unknown>;

  beforeEach(() => {
    [sent, done, heights, hold] = [[], [], [], Promise.resolve()];
  });

  function open(more: Partial<AppPorts> = {}, isCancelled = false, frame: Partial<AppFrame> = {}): AppSession {
    const ports: AppPorts = {
      callTool: async (name) => {
        done.push(`call ${name}`);
        await hold;
        return { content: [] };
      },
      readResource: async (uri) => ({ contents: [{ uri }] }),
      listResources: () => [],
      openLink: async ({ href }) => done.push(`open ${href}`) > 0,
      say: async (text) => done.push(`say ${text}`) > 0,
      tellModel: async (text) => done.push(`tell ${text}`) > 0,
      download: async (files) => done.push(`save ${files.map(({ name, kind }) => `${kind} ${name}`).join()}`) > 0,
      sample: async ({ maxTokens }) => ({ maxTokens }),
      log: (text) => void done.push(`log ${text}`),
      ...more,
    };
    return new AppSession({
      call: { tool: { name: 'draw' }, arguments: { a: 1 }, result: isCancelled ? undefined : { content: [] } },
      ports,
      look,
      frame: {
        send: (text) => void sent.push(JSON.parse(text) as JsonObject),
        resize: (height) => void heights.push(height),
        close: () => void done.push('close'),
        mode: 'inline',
        ...frame,
      },
      version: '1.2.3',
      locale: 'de',
      platform: 'desktop',
      granted: { connectDomains: ['https://a.example'], resourceDomains: [] },
    });
  }
  const give = (app: AppSession, message: object): void => app.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const initialize = { id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: {}, appCapabilities: {} } };

  async function opened(more: Partial<AppPorts> = {}): Promise<AppSession> {
    const app = open(more);
    give(app, initialize);
    await settle();
    give(app, { method: 'ui/notifications/initialized' });
    sent.length = 0;
    return app;
  }
  const answerTo = async (app: AppSession, method: string, params: object): Promise<unknown> => {
    sent.length = 0;
    give(app, { id: 'x', method, params });
    await settle();
    const [{ result, error } = {}] = sent;
    return result ?? (error as { code: number } | undefined)?.code;
  };

  it('are dropped where they nest deeper than anything here can follow', async () => {
    const app = await opened();
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    app.receive(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${nested}}}`);
    app.receive(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"a":${nested}}}}`);
    await settle();
    assert.deepEqual([done, sent], [[], []]);
  });

  it('of very many values are refused by their id, dropped where they want no answer, and not even parsed where that takes long', async () => {
    const app = await opened();
    const many = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
    assert.equal(await answerTo(app, 'tools/call', { name: 'a', arguments: many(4_000) }), -32_602);
    give(app, { method: 'notifications/message', params: { data: many(4_000) } });
    assert.equal(await answerTo(app, 'tools/call', { name: 'a', arguments: many(20_001) }), undefined);
    assert.deepEqual(done, []);
    assert.deepEqual(await answerTo(app, 'tools/call', { name: 'a', arguments: many(3_900) }), { content: [] });
    const called = app.callTool('b', {}, new AbortController().signal);
    give(app, { id: sent.at(-1)?.['id'], result: { content: [], structuredContent: many(4_000) } });
    await assert.rejects(called, /at most 4000 values/);
  });

  it('begin with what the host gives and grants; the call follows only when the app is initialised', async () => {
    const app = open();
    give(app, initialize);
    await settle();
    const [first] = sent;
    assert.deepEqual(first?.['result'], {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'Duplex', version: '1.2.3' },
      hostCapabilities: {
        openLinks: {},
        downloadFile: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        message: { text: {} },
        updateModelContext: { text: {}, structuredContent: {} },
        sampling: { tools: {} },
        sandbox: { permissions: {}, csp: { connectDomains: ['https://a.example'], resourceDomains: [] } },
      },
      hostContext: {
        toolInfo: { tool: { name: 'draw' } },
        displayMode: 'inline',
        availableDisplayModes: ['inline'],
        locale: 'de',
        platform: 'desktop',
        userAgent: 'Duplex',
        safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
        deviceCapabilities: { touch: false, hover: true },
        theme: 'dark',
        styles: { variables: { '--color-text-primary': '#fff' } },
        containerDimensions: { width: 300, maxHeight: 600 },
        timeZone: 'UTC',
      },
    });
    assert.equal(sent.length, 1);
    give(app, { method: 'ui/notifications/initialized' });
    give(app, { method: 'ui/notifications/initialized' });
    assert.deepEqual(
      sent.slice(1).map(({ method, params }) => [method, params]),
      [
        ['ui/notifications/tool-input', { arguments: { a: 1 } }],
        ['ui/notifications/tool-result', { content: [] }],
      ],
      'once',
    );
  });

  it('say that the call was cancelled where it has no result', async () => {
    const app = open({}, true);
    give(app, initialize);
    await settle();
    give(app, { method: 'ui/notifications/initialized' });
    assert.equal(sent.at(-1)?.['method'], 'ui/notifications/tool-cancelled');
  });

  it('do nothing before the app is initialised but answer a ping', async () => {
    const app = open();
    assert.deepEqual(await answerTo(app, 'ping', {}), {});
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      assert.equal(await answerTo(app, 'tools/call', { name: 'x' }), undefined);
      mock.timers.tick(10_000);
    } finally {
      mock.timers.reset();
    }
    await settle();
    assert.equal((sent[0]?.['error'] as { code: number } | undefined)?.code, -32_600);
    assert.deepEqual(done, []);
  });

  it('that come before the app is initialised wait for it: apps call a tool a moment after they are loaded', async () => {
    const app = open();
    give(app, { id: 'early', method: 'tools/call', params: { name: 'x' } });
    give(app, initialize);
    await settle();
    assert.deepEqual(done, []);
    give(app, { method: 'ui/notifications/initialized' });
    await settle();
    assert.equal(done.length, 1);
    assert.deepEqual(
      sent.filter(({ id }) => id === 'early').map(({ result }) => result),
      [{ content: [] }],
    );
    app.dispose();
  });

  it('are refused in the protocol’s terms where they are wrong, unknown or a second start', async () => {
    const app = await opened();
    const wrong: readonly (readonly [string, object])[] = [
      ['tools/call', {}],
      ['tools/call', { name: 'x', arguments: [] }],
      ['resources/read', { uri: 1 }],
      ['ui/open-link', { url: 'javascript:alert(1)' }],
      ['ui/open-link', { url: 'command:x' }],
      ['ui/open-link', { url: 'https://user:pass@a.example' }],
      ['ui/message', { role: 'assistant', content: [{ type: 'text', text: 'x' }] }],
      ['ui/message', { role: 'user', content: [{ type: 'image', data: 'x' }] }],
      ['ui/update-model-context', { content: [{ type: 'image', data: 'x' }] }],
      ['ui/update-model-context', { structuredContent: [1] }],
      ['ui/update-model-context', { content: [{ type: 'text', text: 'x'.repeat(20_001) }] }],
      ['ui/download-file', { contents: [] }],
      ['ui/download-file', { contents: [{ type: 'text', text: 'x' }] }],
      ['ui/download-file', { contents: [{ type: 'resource', resource: { uri: 'file:///a' } }] }],
      ['ui/request-display-mode', { mode: 'sideways' }],
    ];
    for (const [method, params] of wrong) {
      assert.equal(await answerTo(app, method, params), -32_602, `${method} ${JSON.stringify(params)}`);
    }
    assert.equal(await answerTo(app, 'nonsense', {}), -32_601);
    assert.equal(await answerTo(app, 'ui/initialize', initialize.params), -32_600);
    assert.deepEqual(await answerTo(app, 'ui/request-display-mode', { mode: 'fullscreen' }), { mode: 'inline' });
    assert.deepEqual(done, []);
  });

  it('lead to tools, resources, links and messages, and to the log', async () => {
    const app = await opened();
    assert.deepEqual(await answerTo(app, 'tools/call', { name: 'count' }), { content: [] });
    assert.deepEqual(await answerTo(app, 'resources/read', { uri: 'x://y' }), { contents: [{ uri: 'x://y' }] });
    assert.deepEqual(await answerTo(app, 'ui/open-link', { url: 'https://a.example/b' }), {});
    assert.deepEqual(await answerTo(app, 'ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] }), {});
    give(app, { method: 'notifications/message', params: { level: 'info', data: 'noted' } });
    give(app, { method: 'ui/notifications/size-changed', params: { height: 1e9 } });
    give(app, { method: 'ui/notifications/size-changed', params: { height: 'tall' } });
    give(app, { method: 'ui/notifications/request-teardown' });
    assert.deepEqual(done, ['call count', 'open https://a.example/b', 'say hi', 'log "noted"', 'close']);
    assert.deepEqual(heights, [600]);
  });

  it('lead to the model and to files, and are not offered where there is neither', async () => {
    const app = await opened();
    const content = [{ type: 'text', text: 'two rows' }];
    assert.deepEqual(await answerTo(app, 'ui/update-model-context', { content, structuredContent: { rows: 2 } }), {});
    const contents = [
      { type: 'resource', resource: { uri: 'file:///tmp/a.csv', text: 'a,b' } },
      { type: 'resource_link', uri: 'x://y/b.bin', name: 'b.bin' },
    ];
    assert.deepEqual(await answerTo(app, 'ui/download-file', { contents }), {});
    assert.deepEqual(await answerTo(app, 'sampling/createMessage', { maxTokens: 7 }), { maxTokens: 7 });
    assert.deepEqual(done, ['tell two rows\n\n{\n  "rows": 2\n}', 'save content a.csv,link b.bin']);
    const bare = open({ say: undefined, tellModel: undefined, sample: undefined });
    give(bare, initialize);
    await settle();
    const offered = (sent.at(-1)?.['result'] as JsonObject)['hostCapabilities'] as JsonObject;
    assert.deepEqual(Object.keys(offered), ['openLinks', 'downloadFile', 'serverTools', 'serverResources', 'logging', 'sandbox']);
    give(bare, { method: 'ui/notifications/initialized' });
    for (const method of ['ui/message', 'ui/update-model-context', 'sampling/createMessage']) {
      assert.equal(await answerTo(bare, method, {}), -32_601, method);
    }
  });

  it('tell a refused text for the model as an error', async () => {
    const app = await opened({ tellModel: () => Promise.resolve(false) });
    assert.equal(await answerTo(app, 'ui/update-model-context', { content: [{ type: 'text', text: 'x' }] }), -32_000);
  });

  it('name files by nothing but a name', () => {
    const names: readonly (readonly [string, string])[] = [
      ['file:///report.csv', 'report.csv'],
      ['../../.bashrc', 'bashrc'],
      ['https://a.example/x/..%2F..%2Fevil.sh?y', '_.._evil.sh'],
      ['C:\\Windows\\system.ini', 'system.ini'],
      ['a\u202Egnp.exe', 'a gnp.exe'],
      ['nul.txt', '_nul.txt'],
      ['%00', 'download'],
      ['...', 'download'],
      [`${'x'.repeat(500)}.pdf`, `${'x'.repeat(96)}.pdf`],
    ];
    assert.deepEqual(
      names.map(([address]) => fileName(address)),
      names.map(([, name]) => name),
    );
  });

  it('change to a mode that the app declares, after the answer, and otherwise say how the app is shown', async () => {
    const change = (mode: string): void => void done.push(`change ${mode} after ${sent.length}`);
    const show = async (capabilities: object, frame: Partial<AppFrame>): Promise<AppSession> => {
      const app = open({}, false, frame);
      give(app, { ...initialize, params: { ...initialize.params, appCapabilities: capabilities } });
      await settle();
      give(app, { method: 'ui/notifications/initialized' });
      return app;
    };
    const large = { availableDisplayModes: ['inline', 'fullscreen', 'pip'] };
    const modes: unknown[] = [];
    const app = await show(large, { change, declared: (all) => void modes.push(all) });
    const context = (sent[0]?.['result'] as JsonObject)['hostContext'] as JsonObject;
    assert.deepEqual([context['availableDisplayModes'], modes], [['inline', 'fullscreen'], [['inline', 'fullscreen']]]);
    assert.deepEqual(await answerTo(app, 'ui/request-display-mode', { mode: 'pip' }), { mode: 'inline' });
    assert.deepEqual(await answerTo(app, 'ui/request-display-mode', { mode: 'inline' }), { mode: 'inline' });
    assert.deepEqual(done, []);
    assert.deepEqual(await answerTo(app, 'ui/request-display-mode', { mode: 'fullscreen' }), { mode: 'fullscreen' });
    assert.deepEqual(done, ['change fullscreen after 1']);
    const small = await show({ availableDisplayModes: ['inline'] }, { change });
    assert.deepEqual(await answerTo(small, 'ui/request-display-mode', { mode: 'fullscreen' }), { mode: 'inline' });
    const alone = await show(large, { mode: 'fullscreen' });
    assert.deepEqual(await answerTo(alone, 'ui/request-display-mode', { mode: 'inline' }), { mode: 'fullscreen' });
    assert.equal(done.length, 1);
    const silent = await show({}, { change, declared: (all) => void modes.push(all) });
    assert.deepEqual(modes.at(-1), ['inline'], 'the host does not enlarge what declares nothing');
    assert.deepEqual(await answerTo(silent, 'ui/request-display-mode', { mode: 'fullscreen' }), { mode: 'fullscreen' });
    assert.equal(done.length, 2, 'but it may ask for it');
  });

  it('tell a refusal of the person as an error, and a refused link as one in the result', async () => {
    const app = await opened({
      callTool: () => Promise.reject(new AppRefusal(-32_000, 'The person declined this call.')),
      openLink: () => Promise.resolve(false),
    });
    assert.equal(await answerTo(app, 'tools/call', { name: 'count' }), -32_000);
    assert.deepEqual(await answerTo(app, 'ui/open-link', { url: 'https://a.example' }), { isError: true });
  });

  it('are bounded: no more than twenty open requests, no answer of more than a megabyte, no nonsense', async () => {
    let letGo = (): void => undefined;
    hold = new Promise<void>((resolve) => (letGo = resolve));
    const app = await opened();
    for (let id = 10; id < 31; id += 1) {
      give(app, { id, method: 'tools/call', params: { name: 'slow' } });
    }
    await settle();
    assert.deepEqual(
      sent.map(({ id, error }) => [id, (error as { code: number }).code]),
      [[30, -32_600]],
    );
    letGo();
    await settle();
    assert.equal(sent.length, 21);
    const large = await opened({ callTool: async () => ({ content: [{ type: 'text', text: 'x'.repeat(1_000_001) }] }) });
    assert.equal(await answerTo(large, 'tools/call', { name: 'large' }), -32_603);
    for (const text of ['', 'null', '[]', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{']) {
      large.receive(text);
    }
    assert.equal(sent.length, 1);
  });

  it('end after the app has said that it is ready to go, and nothing that it asked for goes on', async () => {
    hold = new Promise(() => undefined);
    let signal: AbortSignal | undefined;
    const app = await opened({
      callTool: (_name, _args, given) => {
        signal = given;
        return new Promise(() => undefined);
      },
    });
    give(app, { id: 5, method: 'tools/call', params: { name: 'slow' } });
    const ending = app.end();
    const teardown = sent.at(-1);
    assert.equal(teardown?.['method'], 'ui/resource-teardown');
    give(app, { id: teardown['id'], result: {} });
    await ending;
    assert.equal(signal?.aborted, true);
    sent.length = 0;
    give(app, { id: 6, method: 'ping' });
    await settle();
    assert.deepEqual(sent, []);
  });

  it('tell a running app of new colours', async () => {
    const app = await opened();
    app.setLook({ ...look, theme: 'light' });
    assert.deepEqual(
      [sent[0]?.['method'], (sent[0]?.['params'] as JsonObject)['theme']],
      ['ui/notifications/host-context-changed', 'light'],
    );
  });
});
