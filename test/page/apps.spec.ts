import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import type { ToolCallPart } from '../../src/contract/chat/chatState.ts';
import { appPolicy } from '../../src/host/apps/appPolicy.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';

const closed = appPolicy({ connect: [], resources: [], other: [] }).text;
const maxBlockMs = 100;

/** An app that tells what came of its attempts. */
function appOf(script: string): string {
  const say = `const say = (params) => parent.postMessage({ jsonrpc: '2.0', method: 'said', params }, '*');`;
  return `<!DOCTYPE html><html><body><p>Hello from the app</p><script>${say}\n${script}</script></body></html>`;
}

describe('An app of a server', () => {
  let bare: BarePage;
  let stranger: http.Server;
  let heard: string[];
  let address: string;

  beforeEach(async () => {
    heard = [];
    stranger = http.createServer((request, response) => {
      heard.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end('<p>stranger</p>');
    });
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    address = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 420, height: 900 } });
  });
  afterEach(async () => {
    await bare.close();
    stranger.closeAllConnections();
    stranger.close();
  });

  const card = (): Locator => bare.page.getByRole('group', { name: 'App: charts draw' });

  async function showCard(app: ToolCallPart['app']): Promise<void> {
    const part = {
      kind: 'toolCall',
      id: 'p',
      server: 'charts',
      tool: 'draw',
      state: 'done',
      arguments: '{}',
      result: [],
      resultBytes: 0,
      app,
    };
    await bare.post('chat/state', { ...emptyState(), items: [{ kind: 'assistant', id: 'a', state: 'done', parts: [part] }] });
    await card().waitFor();
  }

  async function show(html: string, policy = closed): Promise<void> {
    await showCard({ uri: 'ui://charts/draw', state: 'live' });
    await bare.nextSent('app/mounted');
    await bare.post('app/frame', { partId: 'p', html, policy });
  }

  async function nextSaid(): Promise<unknown> {
    const { text } = (await bare.nextSent('app/said')) as { readonly text: string };
    return (JSON.parse(text) as { readonly params: unknown }).params;
  }

  it('that was never shown asks to be, and one that sleeps is woken by its button only', async () => {
    await showCard({ uri: 'ui://charts/draw', state: 'new' });
    assert.deepEqual(await bare.nextSent('app/wake'), { partId: 'p' });
    await showCard({ uri: 'ui://charts/draw', state: 'asleep', note: 'It was ended.' });
    await card().getByText('It was ended.').waitFor();
    assert.equal((await bare.sent()).filter(({ name }) => name === 'app/wake').length, 1);
    await card().getByRole('button', { name: 'Wake' }).click();
    assert.deepEqual(await bare.nextSent('app/wake'), { partId: 'p' });
  });

  it('runs, hears and is heard, and takes the height it asks for, up to a limit', async () => {
    await show(appOf(`addEventListener('message', ({ data, source }) => source === parent && say({ heard: data.method })); say('up');`));
    assert.equal(await nextSaid(), 'up');
    await bare.post('app/say', { partId: 'p', text: JSON.stringify({ jsonrpc: '2.0', method: 'hello' }) });
    assert.deepEqual(await nextSaid(), { heard: 'hello' });
    await bare.post('app/size', { partId: 'p', height: 90_000 });
    await bare.page.waitForFunction(() => document.querySelector<HTMLElement>('.app-frame')?.style.height === '600px');
    assert.match(await card().innerText(), /App of the server “charts”/, 'the name stands outside of the frame');
    await card().getByRole('button', { name: 'Close' }).click();
    assert.deepEqual(await bare.nextSent('app/close'), { partId: 'p' });
  });

  it('reaches nothing: no page, storage, cookie, network, eval, popup or interface of the editor', async () => {
    await show(
      appOf(`
        const tried = async (name, act) => { try { return [name, String(await act())]; } catch (error) { return [name, 'refused']; } };
        Promise.all([
          tried('origin', () => self.origin),
          tried('relay', () => parent.document.body.innerHTML),
          tried('page', () => parent.parent.parent.document.body.innerHTML),
          tried('top', () => top.document.body.innerHTML),
          tried('cookie', () => document.cookie),
          tried('storage', () => localStorage.length),
          tried('databases', () => indexedDB.open('x') && new Promise((resolve, reject) => { const open = indexedDB.open('x'); open.onerror = reject; open.onsuccess = () => resolve('open'); })),
          tried('fetch', () => fetch('${address}/fetch').then(() => 'fetched')),
          tried('socket', () => new Promise((resolve, reject) => { const s = new WebSocket('${address.replace('http', 'ws')}/ws'); s.onopen = () => resolve('open'); s.onerror = () => reject(new Error('closed')); })),
          tried('image', () => new Promise((resolve, reject) => { const i = new Image(); i.onload = resolve; i.onerror = reject; i.src = '${address}/image'; })),
          tried('eval', () => new Function('return 1')()),
          tried('popup', () => { const w = open('${address}/popup'); if (!w) throw new Error('none'); return 'opened'; }),
          tried('editor', () => acquireVsCodeApi()),
          tried('worker', () => new Promise((resolve, reject) => { const w = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); w.onmessage = () => resolve('ran'); w.onerror = reject; })),
          tried('beacon', () => { navigator.sendBeacon('${address}/beacon'); return 'queued'; }),
        ]).then((all) => say(Object.fromEntries(all)));
      `),
    );
    assert.deepEqual(await nextSaid(), {
      origin: 'null',
      relay: 'refused',
      page: 'refused',
      top: 'refused',
      cookie: 'refused',
      storage: 'refused',
      databases: 'refused',
      fetch: 'refused',
      socket: 'refused',
      image: 'refused',
      eval: 'refused',
      popup: 'refused',
      editor: 'refused',
      worker: 'refused',
      beacon: 'queued',
    });
    assert.deepEqual(heard, []);
  });

  it('cannot leave: neither by a meta refresh nor by navigating itself, a window above or a frame of its own', async () => {
    await show(
      appOf(`
        for (const at of [parent, parent.parent, top]) { try { at.location.href = '${address}/up'; } catch {} }
        const frame = document.createElement('iframe');
        frame.src = '${address}/frame';
        document.body.append(frame);
        const form = document.createElement('form');
        form.action = '${address}/form';
        document.body.append(form);
        form.submit();
        const link = document.createElement('a');
        link.href = '${address}/link'; link.target = '_blank';
        link.click();
        const meta = document.createElement('meta');
        meta.httpEquiv = 'refresh';
        meta.content = '0;url=${address}/refresh';
        document.head.append(meta);
      `),
    );
    assert.deepEqual(await bare.nextSent('app/broke'), { partId: 'p', reason: 'reloaded' });
    assert.deepEqual(heard, []);
    assert.equal(await bare.page.locator('iframe').count(), 0, 'its frame is gone');
  });

  for (const [what, script, reason] of [
    ['floods', `for (let i = 0; i < 1000; i += 1) say(i);`, 'tooMany'],
    [
      'floods the page past its relay',
      `setInterval(() => { for (let i = 0; i < 300; i += 1) parent.parent.parent.postMessage({ name: 'chat/state', body: {} }, '*'); }, 1);`,
      'tooMany',
    ],
    ['sends a huge message', `say('x'.repeat(1000001));`, 'tooLarge'],
    ['loads itself again', `addEventListener('load', () => setTimeout(() => { location.href = 'about:blank'; }, 0));`, 'reloaded'],
  ] as const) {
    it(`that ${what} is ended with a sentence`, async () => {
      await show(appOf(script));
      assert.deepEqual(await bare.nextSent('app/broke'), { partId: 'p', reason });
      await bare.page.getByRole('textbox', { name: 'Message' }).fill('The page goes on');
    });
  }

  it('that hangs, or sends an object of 300,000 parts, holds up the page no longer than 100 ms', async () => {
    await bare.page.evaluate(() => {
      let last = performance.now();
      const longest = globalThis as unknown as { longest: number };
      longest.longest = 0;
      setInterval(() => {
        const now = performance.now();
        longest.longest = Math.max(longest.longest, now - last);
        last = now;
      }, 5);
    });
    await show(
      appOf(`say('up'); parent.postMessage(Array.from({ length: 300000 }, (_, i) => ({ i })), '*'); setTimeout(() => { for (;;) {} }, 0);`),
    );
    assert.equal(await nextSaid(), 'up');
    await bare.page.getByRole('textbox', { name: 'Message' }).pressSequentially('The page goes on');
    await card().getByRole('button', { name: 'Close' }).click();
    await bare.nextSent('app/close');
    const longest = await bare.page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
    assert.ok(longest < maxBlockMs, `the page stood still for ${longest.toFixed(0)} ms`);
  });

  it('cannot speak to the page in the name of the extension', async () => {
    await show(
      appOf(`
        const fake = { name: 'chat/draft', body: { text: 'typed by the app' } };
        for (const at of [parent, parent.parent, parent.parent.parent, top]) at.postMessage(fake, '*');
        say('done');
      `),
    );
    assert.equal(await nextSaid(), 'done');
    await bare.post('chat/draft', { text: 'typed by the person' });
    await bare.page.waitForFunction(() => document.querySelector('textarea')?.value.includes('by the person') === true);
    assert.equal(await bare.page.getByRole('textbox', { name: 'Message' }).inputValue(), 'typed by the person');
  });

  it('gets the look of the page when it is mounted, and again when the theme changes', async () => {
    await showCard({ uri: 'ui://charts/draw', state: 'live' });
    const { look } = (await bare.nextSent('app/mounted')) as { readonly look: { readonly theme: string; readonly width: number } };
    assert.equal(look.theme, 'dark');
    assert.ok(look.width > 200);
    await bare.page.evaluate(() => document.body.classList.add('vscode-light'));
    const changed = (await bare.nextSent('app/look')) as { readonly look: { readonly theme: string } };
    assert.equal(changed.look.theme, 'light');
  });
});
