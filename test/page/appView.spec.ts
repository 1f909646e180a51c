import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { ToolCallPart } from '../../src/contract/chat/chatState.ts';
import { appPolicy } from '../../src/host/apps/appPolicy.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { emptyState } from '../support/page/longConversation.ts';

const closed = appPolicy({ connect: [], resources: [], other: [] }).text;

/** An app that tells what happens in it. */
function appOf(script: string): string {
  const say = `const say = (params) => parent.postMessage({ jsonrpc: '2.0', method: 'said', params }, '*');`;
  return `<!DOCTYPE html><html><body><script>${say}\n${script}</script></body></html>`;
}

describe('An app among the messages of a chat', () => {
  let bare: BarePage;

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 420, height: 900 }, colorScheme: null });
  });
  afterEach(() => bare.close());

  const card = (): Locator => bare.page.getByRole('group', { name: 'App: charts draw' });
  const appFrame = (): FrameLocator => card().frameLocator('.app-shell').frameLocator('iframe').frameLocator('iframe');

  async function showCard(app: ToolCallPart['app'], more: readonly object[] = []): Promise<void> {
    const call = { kind: 'toolCall', id: 'p', server: 'charts', tool: 'draw', state: 'done', arguments: '{}', result: [], resultBytes: 0 };
    const parts = [{ ...call, app }, ...more];
    await bare.post('chat/state', { ...emptyState(), items: [{ kind: 'assistant', id: 'a', state: 'done', parts }] });
    await card().waitFor();
  }

  async function show(html: string): Promise<void> {
    await showCard({ uri: 'ui://charts/draw', state: 'live' });
    await bare.nextSent('app/mounted');
    await bare.post('app/frame', { partId: 'p', html, policy: closed });
  }

  async function nextSaid(): Promise<unknown> {
    const { text } = (await bare.nextSent('app/said')) as { readonly text: string };
    return (JSON.parse(text) as { readonly params: unknown }).params;
  }

  it('tells when it leaves the view and comes back, and when the keys go to it', async () => {
    const filler = { kind: 'text', id: 't', text: Array.from({ length: 80 }, (_, line) => `Line ${line}`).join('\n\n') };
    await showCard({ uri: 'ui://charts/draw', state: 'live' }, [filler]);
    await card().scrollIntoViewIfNeeded();
    await bare.post('app/frame', { partId: 'p', html: appOf(`document.body.innerHTML = '<input autofocus>'; say('up');`), policy: closed });
    assert.equal(await nextSaid(), 'up');
    const until = async (view: object): Promise<void> => {
      while (JSON.stringify(await bare.nextSent('app/view')) !== JSON.stringify({ partId: 'p', ...view })) {
        // told of something earlier
      }
    };
    await until({ isSeen: true, hasFocus: false });
    await appFrame().locator('input').click();
    await until({ isSeen: true, hasFocus: true });
    await bare.page.getByText('Line 70').scrollIntoViewIfNeeded();
    await until({ isSeen: false, hasFocus: true });
    await bare.page.getByRole('textbox', { name: 'Message' }).focus();
    await until({ isSeen: false, hasFocus: false });
    await card().scrollIntoViewIfNeeded();
    await until({ isSeen: true, hasFocus: false });
  });

  it('has the wheel as long as it can scroll; at its edges, and where it cannot, the chat scrolls', async () => {
    const filler = (id: string): object => ({
      kind: 'text',
      id,
      text: Array.from({ length: 60 }, (_, line) => `${id} ${line}`).join('\n\n'),
    });
    const log = bare.page.getByRole('log', { name: 'Conversation' });
    const chatTop = (): Promise<number> => log.evaluate((element) => element.scrollTop);
    const appTop = (): Promise<number> =>
      appFrame()
        .locator('html')
        .evaluate((element) => element.scrollTop);
    const tall = appOf(`document.body.innerHTML = '<div style="height: 700px">tall</div>'; say('up');`);
    await showCard({ uri: 'ui://charts/draw', state: 'live' }, [filler('below')]);
    await bare.post('app/frame', { partId: 'p', html: tall, policy: closed });
    assert.equal(await nextSaid(), 'up');
    await bare.post('app/size', { partId: 'p', height: 200 });
    await log.evaluate((element) => (element.scrollTop = 30));
    await card().locator('.app-frame').hover();
    /** Turns the wheel over the app, as a person does, until what is looked at says so. */
    const turn = async (by: number, isThere: () => Promise<boolean>): Promise<void> => {
      for (const until = Date.now() + 10_000; !(await isThere());) {
        assert.ok(Date.now() < until, 'the wheel moves nothing');
        await bare.page.mouse.wheel(0, by);
        await bare.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
    };
    assert.ok((await chatTop()) > 0);
    await turn(-40, async () => (await chatTop()) === 0);
    assert.equal(await appTop(), 0, 'it was at its upper edge');
    await turn(40, async () => (await appTop()) > 0);
    assert.equal(await chatTop(), 0, 'what can scroll itself does');
    await turn(40, async () => (await chatTop()) > 0);
    assert.ok((await appTop()) >= 500 - 1, 'it was at its lower edge by then');
    await log.evaluate((element) => (element.scrollTop = 0));
    await bare.post('app/frame', { partId: 'p', html: appOf(`say('short');`), policy: closed });
    assert.equal(await nextSaid(), 'short');
    await turn(40, async () => (await chatTop()) > 0);
  });

  it('that draws a permission question over everything draws it in its border, below its server’s name, and answers nothing', async () => {
    const asking = { kind: 'toolCall', id: 'asking', server: 'demo', tool: 'roll_dice', state: 'waiting', arguments: '{}', result: [] };
    await showCard({ uri: 'ui://charts/draw', state: 'live' }, [{ ...asking, resultBytes: 0, question: callQuestion({ sides: 6 }) }]);
    await bare.post('app/frame', {
      partId: 'p',
      policy: closed,
      html: appOf(`
        const box = 'position: fixed; inset: -2000px; padding: 2000px; z-index: 2147483647; background: red; max-width: none; max-height: none';
        document.body.innerHTML = '<dialog data-question role=group aria-label="Permission: Run it" style="' + box + '"><button>Allow once</button></dialog>';
        document.querySelector('dialog').showModal();
        const tries = [() => document.documentElement.requestFullscreen(), () => document.body.requestPointerLock(), () => confirm('Allow?')];
        document.querySelector('button').addEventListener('click', async () => {
          const came = [];
          for (const act of tries) came.push(await Promise.resolve().then(act).then((value) => value ?? 'done', () => 'refused'));
          say(came);
        });
        say('up');`),
    });
    assert.equal(await nextSaid(), 'up');
    await appFrame().getByRole('button', { name: 'Allow once' }).click();
    assert.deepEqual(await nextSaid(), ['refused', 'refused', false]);
    const places = bare.page.locator('.app-head, [data-question] .button-row button');
    assert.ok((await places.count()) > 2);
    const covered = await places.evaluateAll((all) =>
      all.flatMap((place) => {
        place.scrollIntoView({ block: 'nearest' });
        const { left, top, width, height } = place.getBoundingClientRect();
        return place.contains(document.elementFromPoint(left + width / 2, top + height / 2)) ? [] : [place.textContent];
      }),
    );
    assert.deepEqual(covered, []);
    const sent = new Set((await bare.sent()).map(({ name }) => name).filter((name) => !name.startsWith('app/')));
    assert.deepEqual([...sent].sort(), ['chat/drawn', 'ready'], 'nothing was answered');
    assert.equal(await bare.page.getByRole('group', { name: /^Permission:/ }).count(), 1, 'the other one is none of the page’s');
  });

  it('that sleeps where it was keeps its height, and wakes by a click anywhere in its place', async () => {
    await showCard({ uri: 'ui://charts/draw', state: 'asleep', height: 260, note: 'Asleep.' });
    const place = card().locator('.app-asleep');
    assert.equal((await place.boundingBox())?.height, 260);
    await place.click({ position: { x: 5, y: 250 } });
    assert.deepEqual(await bare.nextSent('app/wake'), { partId: 'p' });
    await card().getByRole('button', { name: 'Wake' }).click();
    assert.deepEqual(await bare.nextSent('app/wake'), { partId: 'p' });
    await showCard({ uri: 'ui://charts/draw', state: 'live', height: 260 });
    assert.equal((await card().locator('.app-frame').boundingBox())?.height, 260);
  });

  it('is left by Escape, by two of them where it uses the key, and cannot take the focus from anything else', async () => {
    const script = `
      document.body.innerHTML = '<input>';
      addEventListener('keydown', (event) => { if (keeps) { event.preventDefault(); event.stopImmediatePropagation(); } say(event.key); }, true);
      let keeps = false;
      addEventListener('message', ({ data }) => { keeps = data.method === 'keep'; if (data.method === 'leave') parent.postMessage({ leave: true }, '*'); say('heard'); });
      say('up');`;
    await show(appOf(script));
    assert.equal(await nextSaid(), 'up');
    const isOnCard = (): Promise<boolean> => card().evaluate((element) => element === document.activeElement);
    await appFrame().locator('input').click();
    await card().getByText('Esc leaves').waitFor();
    await bare.page.keyboard.press('a');
    assert.equal(await nextSaid(), 'a');
    assert.equal(await isOnCard(), false);
    await bare.page.keyboard.press('Escape');
    await bare.page.waitForFunction(() => document.activeElement?.classList.contains('app') === true);
    assert.equal(await nextSaid(), 'Escape', 'the app had it too');
    await bare.post('app/say', { partId: 'p', text: JSON.stringify({ jsonrpc: '2.0', method: 'keep' }) });
    assert.equal(await nextSaid(), 'heard');
    await appFrame().locator('input').click();
    await bare.page.keyboard.press('Escape');
    assert.equal(await nextSaid(), 'Escape');
    assert.equal(await isOnCard(), false, 'the app uses the key');
    await bare.page.keyboard.press('Escape');
    await bare.page.waitForFunction(() => document.activeElement?.classList.contains('app') === true);
    assert.equal(await nextSaid(), 'Escape');
    const message = bare.page.getByRole('textbox', { name: 'Message' });
    await message.focus();
    await bare.post('app/say', { partId: 'p', text: JSON.stringify({ jsonrpc: '2.0', method: 'leave' }) });
    assert.equal(await nextSaid(), 'heard');
    await message.pressSequentially('typed');
    assert.equal(await message.inputValue(), 'typed', 'an app cannot take the focus away');
  });
});
