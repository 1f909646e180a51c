import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import type { ToolCallPart } from '../../src/contract/chat/chatState.ts';
import { appPolicy } from '../../src/host/apps/appPolicy.ts';
import { appTabHtml } from '../../src/views/chat/appTabHtml.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { measureLoad } from '../support/page/pageLoad.ts';

const closed = appPolicy({ connect: [], resources: [], other: [] }).text;
/** Promised are 100 ms; a machine that is busy with others takes longer for the same. Reading the values once takes much longer. */
const maxTaskMs = 150;

/** An app that tells what came of its attempts. */
function appOf(script: string): string {
  const say = `const say = (params) => parent.postMessage({ jsonrpc: '2.0', method: 'said', params }, '*');`;
  return `<!DOCTYPE html><html><body><p>Hello from the app</p><script>${say}\n${script}</script></body></html>`;
}

interface Glass {
  readonly bare: BarePage;
  /** What a stranger on the network has heard. */
  readonly heard: readonly string[];
  readonly address: string;
  readonly partId: string;
  readonly show: (html: string) => Promise<void>;
  readonly nextSaid: () => Promise<unknown>;
  /** Does something in the page that it could not do if it stood still. */
  readonly goOn: (text: string) => Promise<void>;
}

/** What no app can do, wherever it is shown. */
function behindGlass(at: () => Glass): void {
  it('reaches nothing: no page, storage, cookie, network, eval, popup or interface of the editor', async () => {
    await at().show(
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
          tried('fetch', () => fetch('${at().address}/fetch').then(() => 'fetched')),
          tried('socket', () => new Promise((resolve, reject) => { const s = new WebSocket('${at().address.replace('http', 'ws')}/ws'); s.onopen = () => resolve('open'); s.onerror = () => reject(new Error('closed')); })),
          tried('image', () => new Promise((resolve, reject) => { const i = new Image(); i.onload = resolve; i.onerror = reject; i.src = '${at().address}/image'; })),
          tried('eval', () => new Function('return 1')()),
          tried('popup', () => { const w = open('${at().address}/popup'); if (!w) throw new Error('none'); return 'opened'; }),
          tried('editor', () => acquireVsCodeApi()),
          tried('worker', () => new Promise((resolve, reject) => { const w = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); w.onmessage = () => resolve('ran'); w.onerror = reject; })),
          tried('beacon', () => { navigator.sendBeacon('${at().address}/beacon'); return 'queued'; }),
        ]).then((all) => say(Object.fromEntries(all)));
      `),
    );
    assert.deepEqual(await at().nextSaid(), {
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
    assert.deepEqual(at().heard, []);
  });

  it('cannot leave: neither by a meta refresh nor by navigating itself, a window above or a frame of its own', async () => {
    await at().show(
      appOf(`
        for (const at of [parent, parent.parent, top]) { try { at.location.href = '${at().address}/up'; } catch {} }
        const frame = document.createElement('iframe');
        frame.src = '${at().address}/frame';
        document.body.append(frame);
        const form = document.createElement('form');
        form.action = '${at().address}/form';
        document.body.append(form);
        form.submit();
        const link = document.createElement('a');
        link.href = '${at().address}/link'; link.target = '_blank';
        link.click();
        const meta = document.createElement('meta');
        meta.httpEquiv = 'refresh';
        meta.content = '0;url=${at().address}/refresh';
        document.head.append(meta);
      `),
    );
    assert.deepEqual(await at().bare.nextSent('app/broke'), { partId: at().partId, reason: 'reloaded' });
    assert.deepEqual(at().heard, []);
    assert.equal(await at().bare.page.locator('iframe').count(), 0, 'its frame is gone');
  });

  for (const [what, script, reason] of [
    ['floods', `for (let i = 0; i < 1000; i += 1) say(i);`, 'tooMany'],
    [
      'floods the page past its relay',
      `setInterval(() => { for (let i = 0; i < 300; i += 1) parent.parent.parent.postMessage({ name: 'chat/state', body: {} }, '*'); }, 1);`,
      'tooMany',
    ],
    ['sends a huge message', `say('x'.repeat(1000001));`, 'tooLarge'],
    ['sends large messages one after the other', `for (let i = 0; i < 5; i += 1) say('x'.repeat(900000));`, 'tooMany'],
    ['loads itself again', `addEventListener('load', () => setTimeout(() => { location.href = 'about:blank'; }, 0));`, 'reloaded'],
  ] as const) {
    it(`that ${what} is ended with a sentence`, async () => {
      await at().show(appOf(script));
      assert.deepEqual(await at().bare.nextSent('app/broke'), { partId: at().partId, reason });
      await at().goOn('The page goes on');
    });
  }

  it('that hangs, or sends an object of 300,000 parts, does not hold up the page', async () => {
    const huge = `say('up'); parent.postMessage(Array.from({ length: 300000 }, (_, i) => ({ i })), '*'); setTimeout(() => { for (;;) {} }, 0);`;
    const load = await measureLoad(await sharedBrowser(), at().bare.page, async () => {
      await at().show(appOf(huge));
      assert.equal(await at().nextSaid(), 'up');
      await at().goOn('The page goes on');
    });
    assert.ok(load.maxTaskMs < maxTaskMs, `the page was held up for ${load.maxTaskMs.toFixed(0)} ms`);
  });
}

/** A server on the network that nobody should reach. */
class Stranger {
  readonly heard: string[] = [];
  readonly #server = http.createServer((request, response) => {
    this.heard.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end('<p>stranger</p>');
  });

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function nextSaidIn(bare: BarePage): Promise<unknown> {
  const { text } = (await bare.nextSent('app/said')) as { readonly text: string };
  return (JSON.parse(text) as { readonly params: unknown }).params;
}

describe('An app of a server', () => {
  let bare: BarePage;
  let stranger: Stranger;
  let address: string;

  beforeEach(async () => {
    stranger = new Stranger();
    address = await stranger.open();
    // Without colours of the test's own: they would be told to each frame too, some time after it was loaded.
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 420, height: 900 }, colorScheme: null });
  });
  afterEach(async () => {
    await bare.close();
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
    if ((await card().count()) === 0) {
      await showCard({ uri: 'ui://charts/draw', state: 'live' });
      await bare.nextSent('app/mounted');
    }
    await bare.post('app/frame', { partId: 'p', html, policy });
  }

  const nextSaid = (): Promise<unknown> => nextSaidIn(bare);

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

  behindGlass(() => ({
    bare,
    heard: stranger.heard,
    address,
    show,
    nextSaid,
    partId: 'p',
    goOn: (text) => bare.page.getByRole('textbox', { name: 'Message' }).pressSequentially(text),
  }));

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

  for (const [what, script, sentence] of [
    ['turns text into code', `try { new Function('return 1')(); } catch {}`, /turns text into code/],
    ['wants the storage of the browser', `localStorage.setItem('a', 'b');`, /keep data in the browser/],
    [
      'wants an address that it does not get',
      `fetch('https://elsewhere.example/x').catch(() => undefined);`,
      /address that it may not reach/,
    ],
  ] as const) {
    it(`that ${what} is shown below a sentence that says so`, async () => {
      await show(appOf(script));
      await card().getByRole('status').getByText(sentence).waitFor();
    });
  }

  it('that only tries whether it may make code is shown without such a sentence', async () => {
    await show(appOf(`try { new Function(''); } catch {} say('tried');`));
    assert.equal(await nextSaid(), 'tried');
    await bare.post('app/say', { partId: 'p', text: JSON.stringify({ jsonrpc: '2.0', method: 'x' }) });
    assert.equal(await card().getByRole('status').count(), 0);
  });

  it('is told by its frame whether the page is dark, so that a page that knows nothing of that is shown on white', async () => {
    // A frame in a process of its own may hear of it a moment after it was loaded, as a change.
    const app = appOf(
      `const dark = matchMedia('(prefers-color-scheme: dark)'); dark.addEventListener('change', () => say(dark.matches)); say(dark.matches);`,
    );
    const untilSaid = async (isDark: boolean): Promise<void> => {
      while ((await nextSaid()) !== isDark) {
        // the change is still to come
      }
    };
    await show(app);
    await untilSaid(true);
    await bare.page.evaluate(() => document.body.classList.add('vscode-light'));
    await bare.nextSent('app/look');
    await show(app);
    await untilSaid(false);
  });

  it('is read as its first line says', async () => {
    await show(appOf(`say(document.compatMode);`));
    assert.equal(await nextSaid(), 'CSS1Compat');
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

describe('An app of a server in a tab of the editor', () => {
  let bare: BarePage;
  let stranger: Stranger;
  let address: string;

  beforeEach(async () => {
    stranger = new Stranger();
    address = await stranger.open();
    const code = await readFile(path.join(import.meta.dirname, '../../dist/webview/appTab.js'), 'utf8');
    const facts = { id: 'app', server: 'charts\u202E</script>', tool: 'draw', hasBack: true };
    const html = appTabHtml({ language: 'en', translations: '{}', policy: closed, code, facts });
    bare = await openBarePage(await sharedBrowser(), { html, firstMessage: 'app/mounted' }, { viewport: { width: 900, height: 700 } });
  });
  afterEach(async () => {
    await bare.close();
    stranger.close();
  });

  const show = (html: string): Promise<void> => bare.post('app/frame', { partId: 'app', html, policy: closed });
  const nextSaid = (): Promise<unknown> => nextSaidIn(bare);
  const goOn = (): Promise<void> => bare.page.getByRole('button', { name: 'Show in the chat' }).click();

  it('fills the tab below the name of its server, hears and is heard, and has a way back', async () => {
    const { look } = (await bare.nextSent('app/mounted')) as { readonly look: { readonly width: number; readonly height: number } };
    assert.deepEqual([look.width, look.height > 600], [900, true]);
    await show(appOf(`addEventListener('message', ({ data, source }) => source === parent && say({ heard: data.method })); say('up');`));
    assert.equal(await nextSaid(), 'up');
    await bare.post('app/say', { partId: 'app', text: JSON.stringify({ jsonrpc: '2.0', method: 'hello' }) });
    assert.deepEqual(await nextSaid(), { heard: 'hello' });
    await bare.page.getByText('App of the server “charts⟨U+202E⟩</script>”').waitFor();
    await bare.page.frameLocator('iframe').frameLocator('iframe').locator('body').click();
    await bare.page.keyboard.press('Escape');
    await bare.page.waitForFunction(() => document.activeElement?.localName === 'header');
    await goOn();
    assert.deepEqual(await bare.nextSent('app/back'), { partId: 'app' });
    assert.equal(await bare.page.locator('iframe[sandbox*=allow-same-origin]').count(), 0);
  });

  behindGlass(() => ({ bare, heard: stranger.heard, address, show, nextSaid, partId: 'app', goOn }));
});
