import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAppError } from '../../../src/base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import { maxLevels } from '../../../src/base/jsonText.ts';
import { appMimeType } from '../../../src/contract/protocolNames.ts';
import { readAppPage } from '../../../src/host/apps/appMeta.ts';
import { textIn, type WantedFile } from '../../../src/host/apps/appParams.ts';
import { appPolicy } from '../../../src/host/apps/appPolicy.ts';
import { type AppPorts, AppSession } from '../../../src/host/apps/appSession.ts';
import { answerIn } from '../../../src/webview/chat/apps/relayFrame.ts';
import { anyJson, changedJson } from './arbitraries.ts';
import { type Target, target } from './target.ts';

const request = (id: number, method: string, params: object): object => ({ jsonrpc: '2.0', id, method, params });
const notice = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', method, params });

const said: readonly unknown[] = [
  request(1, 'ui/initialize', { protocolVersion: '2026-01-26', appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] } }),
  notice('ui/notifications/initialized'),
  request(2, 'tools/call', { name: 'a', arguments: { b: 1 } }),
  request(3, 'resources/read', { uri: 'ui://a' }),
  request(4, 'ui/open-link', { url: 'https://example.com/a?b#c' }),
  request(5, 'ui/message', { role: 'user', content: [{ type: 'text', text: 'hello' }] }),
  request(6, 'ui/update-model-context', { content: [{ type: 'text', text: 'a' }], structuredContent: { b: 1 } }),
  request(7, 'ui/download-file', { contents: [{ type: 'resource', resource: { uri: 'file:///a/b%2Fc.txt', text: 'x' } }] }),
  request(7, 'ui/download-file', { contents: [{ type: 'resource_link', uri: 'ui://a/..%5Ccon.txt', name: 'con' }] }),
  request(8, 'sampling/createMessage', { messages: [], maxTokens: 1 }),
  request(9, 'ui/request-display-mode', { mode: 'fullscreen' }),
  request(10, 'ping', {}),
  notice('ui/notifications/size-changed', { width: 10, height: 300 }),
  notice('notifications/message', { level: 'info', data: 'a' }),
  notice('notifications/cancelled', { requestId: 2 }),
  { jsonrpc: '2.0', id: 1, result: {} },
];

/** Nests deeper than what is read. Twice as deep takes four times as long to write as JSON, which every case does. */
const nested: unknown = JSON.parse(`${'['.repeat(maxLevels + 20)}${']'.repeat(maxLevels + 20)}`);
const deep: readonly unknown[] = [
  notice('notifications/message', { data: nested }),
  request(11, 'tools/call', { name: 'a', arguments: { nested } }),
];

const look = { theme: 'dark', variables: {}, width: 300, timeZone: 'UTC', touch: false, hover: true } as const;

/** The ports of an app that are given all that it may have; they check what reaches them. */
function ports(isRunning: () => boolean): AppPorts {
  const reached = <T>(value: T): Promise<T> => {
    assert.ok(isRunning(), 'nothing is done for an app that is not initialised');
    return Promise.resolve(value);
  };
  return {
    callTool: (name, args) => reached({ name, args }),
    readResource: (uri) => reached({ uri }),
    listResources: () => [],
    openLink: ({ protocol, username, password }) => {
      assert.ok(/^https?:$/.test(protocol) && username === '' && password === '');
      return reached(true);
    },
    say: (text) => reached(text.length <= 20_000),
    tellModel: (text) => reached(text.length <= 20_000),
    download: (files) => {
      files.forEach(checkName);
      return reached(true);
    },
    sample: (params) => reached(params),
    log: (text) => assert.ok(text.length <= 2_000),
  };
}

function checkName({ name }: WantedFile): void {
  assert.match(name, /^[^/\\:*?"<>|%$`\p{Cc}]{1,101}$/u);
  assert.doesNotMatch(name, /^[. ]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu);
}

const handshake = fc.constantFrom(0, 1, 2, 2, 2);

/** Whatever a page says, each of its requests has one answer and each answer is one; what it asks for reaches others only as it may. */
const messages = target(
  'app messages',
  fc.tuple(handshake, fc.array(changedJson([...said, ...deep]), { maxLength: 6 })),
  async ([first, more]) => {
    const failures: unknown[] = [];
    const sent: JsonObject[] = [];
    const all = [...said.slice(0, first), ...more];
    let isRunning = false;
    const session = new AppSession({
      call: { tool: { name: 'draw' }, arguments: {}, result: undefined },
      ports: ports(() => isRunning),
      frame: {
        mode: 'inline',
        send: (text) => {
          const message = JSON.parse(text) as JsonObject;
          isRunning ||= message['method'] === 'ui/notifications/tool-input';
          sent.push(message);
        },
        resize: (height) => failures.push(...(Number.isInteger(height) && height >= 0 && height <= 600 ? [] : [height])),
        close: () => undefined,
        change: () => undefined,
      },
      look,
      version: '1.2.3',
      locale: 'en',
      platform: 'desktop',
      granted: { connectDomains: [], resourceDomains: [] },
    });
    all.forEach((message) => session.receive(JSON.stringify(message)));
    await new Promise(setImmediate);
    session.dispose();
    assert.deepEqual(failures, []);
    checkAnswers(all, sent);
  },
);

/** An assertion in a port comes back as the answer of an internal error, so there must be none of those. */
function checkAnswers(all: readonly unknown[], sent: readonly JsonObject[]): void {
  const isAsked = (message: unknown): message is JsonObject =>
    isJsonObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string';
  const ids = JSON.parse(JSON.stringify(all.filter(isAsked).map(({ id }) => id ?? null))) as unknown[];
  const asked: readonly unknown[] = ids.filter((id) => typeof id === 'string' || typeof id === 'number');
  const answers = sent.filter((message) => 'result' in message || 'error' in message);
  assert.ok(answers.every(({ id }) => asked.includes(id)) && answers.length <= asked.length, 'each answer is one to a request');
  const internal = answers.filter(({ error }) => isJsonObject(error) && error['code'] === -32_603);
  assert.deepEqual(internal, [], 'nothing fails inside');
}

const page = {
  uri: 'ui://a',
  mimeType: appMimeType,
  text: '<p>',
  _meta: {
    ui: {
      csp: { connectDomains: ['https://a.example'], resourceDomains: ['https://*.b.example:8443'], frameDomains: ['https://c.example'] },
      permissions: { camera: {} },
    },
  },
};

/** Whatever a page declares, its policy has the same directives, and sources that are nothing but addresses. */
const pages = target('app pages', fc.tuple(changedJson([page]), changedJson([page._meta])), ([content, listed]) => {
  if (!isJsonObject(content)) {
    return;
  }
  try {
    const { declared, html } = readAppPage('ui://a', [content], listed);
    assert.ok(html !== '');
    const policy = appPolicy(declared);
    assert.equal(policy.text.split('; ').length, 12);
    for (const source of [...policy.connect, ...policy.resources]) {
      assert.match(source, /^(?:https|wss):\/\/[a-z0-9.*:-]+$/);
    }
  } catch (error) {
    assert.ok(isAppError(error), String(error));
  }
});

type Listener = (event: object) => void;

/** A window as far as the relay needs one, with an app in it that says what it likes. */
function relayed(data: readonly unknown[]): readonly unknown[] {
  const told: unknown[] = [];
  const listeners = new Set<Listener>();
  const port = {
    postMessage: (message: unknown) => void told.push(structuredClone(message)),
    onmessage: undefined as Listener | undefined,
  };
  const app = {
    contentWindow: { postMessage: () => undefined },
    setAttribute: () => undefined,
    addEventListener: () => undefined,
    remove: () => undefined,
  };
  const parent = {};
  const scope = {
    parent: { parent },
    origin: 'null',
    setTimeout,
    addEventListener: (_: string, listener: Listener) => listeners.add(listener),
    removeEventListener: (_: string, listener: Listener) => listeners.delete(listener),
    document: { createElement: () => app, body: { append: () => undefined }, documentElement: { style: {} } },
  };
  answerIn(scope as never);
  const dispatch = (event: object): void => [...listeners].forEach((listener) => listener(event));
  dispatch({ source: parent, ports: [port] });
  port.onmessage?.({ data: { kind: 'load', html: '<!doctype html><p>' } });
  data.forEach((each) => dispatch({ source: app.contentWindow, data: each, ports: [] }));
  return told.slice(1);
}

const cloned = fc.oneof(
  { arbitrary: changedJson([...said, { trouble: 'code' }]), weight: 4 },
  { arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }), weight: 1 },
  {
    arbitrary: fc.tuple(fc.constantFrom('a', 'jsonrpc', 'trouble'), fc.bigInt()).map(([key, value]) => ({ jsonrpc: '2.0', [key]: value })),
    weight: 1,
  },
  { arbitrary: anyJson.map(inCircles), weight: 1 },
);

function inCircles(value: unknown): unknown {
  const message: Record<string, unknown> = { jsonrpc: '2.0', value };
  message['self'] = message;
  return message;
}

/** What an app sends to its frame comes to the page as JSON text of the protocol, or not at all. */
const relay = target('app frames', fc.array(cloned, { maxLength: 5 }), (data) => {
  for (const message of relayed(data)) {
    assert.ok(isJsonObject(message) && ['said', 'trouble', 'broke'].includes(textIn(message, 'kind')));
    if (message['kind'] === 'said') {
      const { jsonrpc } = JSON.parse(textIn(message, 'text')) as JsonObject;
      assert.equal(jsonrpc, '2.0');
    }
  }
});

export const appTargets: readonly Target[] = [messages, pages, relay];
