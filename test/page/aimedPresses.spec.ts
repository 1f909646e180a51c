import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { aMoment as waitAMoment, untilArmed } from '../ui/pages/questions.ts';

const wanted = 'Allow for this session';

/** What lies over the first part of the button, and is no part of the page's own content. */
const cover = `(() => {
  const button = [...document.querySelectorAll('[data-answers] button')].find((each) => each.textContent === '${wanted}');
  const { left, top, height } = button.getBoundingClientRect();
  const element = document.createElement('div');
  element.id = 'cover';
  element.style.cssText = \`position: fixed; z-index: 9; left: \${left}px; top: \${top}px; width: 24px; height: \${height}px\`;
  document.body.append(element);
})()`;
const uncover = `document.getElementById('cover').remove()`;

describe('A press that was aimed at something else', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ }).first();
  const button = (name = wanted): Locator => card().getByRole('button', { name, exact: true });
  const answers = async (): Promise<readonly unknown[]> =>
    (await bare.sent()).filter(({ name }) => name === 'consent/answer').map(({ body }) => body);
  const press = async (): Promise<void> => {
    await bare.page.mouse.down();
    await bare.page.mouse.up();
  };
  const aMoment = (): Promise<void> => waitAMoment(bare.page);
  /** Points into the first part of the button, which may be covered. */
  const point = async (): Promise<void> => {
    const box = await button().boundingBox();
    assert.ok(box);
    await bare.page.mouse.move(box.x + 8, box.y + box.height / 2);
  };
  const allowed = { askId: 'ask', choice: 'allowSession' };

  describe('does not allow what a question asks', () => {
    beforeEach(async () => {
      bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 400, height: 700 }, hasTouch: true });
      await bare.post('consent/questions', { questions: [callQuestion({ sides: 6 })] });
      await untilArmed(card(), wanted);
    });
    afterEach(() => bare.close());

    it('when what covered a part of the button goes away under the pointer', async () => {
      await bare.page.evaluate(cover);
      await point();
      await aMoment();
      await bare.page.evaluate(uncover);
      await press();
      assert.deepEqual(await answers(), []);
      await aMoment();
      await press();
      assert.deepEqual(await bare.nextSent('consent/answer'), allowed);
    });

    it('when what covered a part of the button goes away before the pointer is there', async () => {
      await bare.page.evaluate(cover);
      await aMoment();
      await bare.page.evaluate(uncover);
      await point();
      await press();
      assert.deepEqual(await answers(), []);
    });

    it('when a pointer that had left the page is on the button at once: what VS Code had drawn over the page is gone', async () => {
      await bare.page.mouse.move(8, 8);
      await bare.page.evaluate(() => document.documentElement.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' })));
      await point();
      await press();
      assert.deepEqual(await answers(), []);
      await aMoment();
      await press();
      assert.deepEqual(await bare.nextSent('consent/answer'), allowed);
    });

    it('but counts when a pointer comes back over the page’s edge and travels to the button', async () => {
      await bare.page.mouse.move(8, 8);
      await bare.page.evaluate(() => document.documentElement.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' })));
      await bare.page.mouse.move(8, 8);
      await point();
      await press();
      assert.deepEqual(await bare.nextSent('consent/answer'), allowed);
    });

    for (const key of ['Enter', 'Space', 'Control+Enter']) {
      it(`when ${key} is pressed right after the focus was brought to it from elsewhere`, async () => {
        await bare.page.getByRole('heading', { name: 'Permissions' }).focus();
        await aMoment();
        await (key === 'Control+Enter' ? card() : button('Allow once')).evaluate((element: HTMLElement) => element.focus());
        await bare.page.keyboard.press(key);
        assert.deepEqual(await answers(), []);
        await aMoment();
        await bare.page.keyboard.press(key);
        assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowOnce' });
      });
    }

    it('when two fingers have just made the page larger, or a finger taps what has just moved (release)', async () => {
      const session = await bare.page.context().newCDPSession(bare.page);
      await session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1.5 });
      await button().and(bare.page.locator('[aria-disabled="true"]')).waitFor();
      await session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
      await button().and(bare.page.locator('[aria-disabled="false"]')).waitFor();
      const box = await button().boundingBox();
      assert.ok(box);
      await bare.page.evaluate(`document.body.style.paddingTop = '8px'`);
      await bare.page.touchscreen.tap(box.x + 20, box.y + box.height / 2);
      assert.deepEqual(await answers(), []);
      await aMoment();
      await bare.page.touchscreen.tap(box.x + 20, box.y + box.height / 2);
      assert.deepEqual(await bare.nextSent('consent/answer'), allowed);
    });

    it('when a program that reads the page presses what has just moved', async () => {
      const click = (): Promise<void> => button().evaluate((element: HTMLElement) => element.click());
      await bare.page.evaluate(`document.body.style.paddingTop = '8px'`);
      await click();
      assert.deepEqual(await answers(), []);
      await aMoment();
      await click();
      assert.deepEqual(await bare.nextSent('consent/answer'), allowed);
    });

    it('when it is the second press of a double click that denied the question before it', async () => {
      const both = ['one', 'two'].map((askId) => callQuestion({ sides: 6 }, {}, { askId, choices: ['deny', 'allowOnce'] }));
      await bare.post('consent/questions', { questions: both });
      await untilArmed(card(), 'Allow once');
      // The other order of languages that are written from right to left puts Allow where Deny was.
      await button('Deny').hover();
      await press();
      await bare.post('consent/questions', { questions: both.slice(1) });
      await bare.page.evaluate(`document.body.dir = 'rtl'`);
      await press();
      assert.deepEqual(await answers(), [{ askId: 'one', choice: 'deny' }]);
    });
  });

  it('at Stop does not send what is half written when the answer has just ended', async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height: 700 } });
    await bare.post('chat/state', { ...emptyState(), isRunning: true });
    await bare.page.getByRole('textbox', { name: 'Message' }).fill('Please delete');
    await bare.page.getByRole('button', { name: 'Stop', exact: true }).hover();
    // In the very moment in which it has become another button: a test would be late on a busy machine.
    const look = bare.page.evaluate(
      () =>
        new Promise<string | null>((resolve) => {
          const observer = new MutationObserver(() => {
            const send = document.querySelector<HTMLElement>('button[aria-label="Send"]');
            if (send !== null) {
              observer.disconnect();
              send.click();
              resolve(send.getAttribute('aria-disabled'));
            }
          });
          observer.observe(document.body, { attributes: true, childList: true, subtree: true });
        }),
    );
    await bare.post('chat/state', { ...emptyState(), isRunning: false });
    assert.equal(await look, 'true', 'it can be seen');
    const sends = async (): Promise<number> => (await bare.sent()).filter(({ name }) => name === 'chat/send').length;
    assert.equal(await sends(), 0);
    await bare.page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor();
    await press();
    assert.deepEqual(await bare.nextSent('chat/send'), { text: 'Please delete' });
    await bare.close();
  });

  it('at Install, or at Stop, does not download, save or update what comes in its place', async () => {
    bare = await openBarePage(await sharedBrowser(), 'registry', { viewport: { width: 400, height: 700 } });
    const { page } = bare;
    const show = (more: object): Promise<void> =>
      bare.post('registry/page', { host: 'registry.example', search: '', state: { kind: 'listed' }, cards: [], hasMore: false, ...more });
    const way = { id: 'package:0', kind: 'mcpb', shown: 'https://notes.example/n.mcpb', fields: [] };
    const download = { host: 'notes.example', publisher: 'io.example/bundle', sha256: 'a'.repeat(64), maxMegabytes: 256 };
    const install = { name: 'io.example/bundle', title: 'Notes', suggestedName: 'bundle', ways: [way] };
    const review = { lines: [{ label: 'Command', value: 'node' }], places: ['user'] };
    const changes = [{ field: 'Command', before: 'npx notes@1', after: 'npx notes@2' }];
    const steps = [
      ['Download', 'registry/download', { install: { ...install, ways: [{ ...way, download }] } }],
      ['Save to User Settings', 'registry/install', { install: { ...install, review } }],
      ['Update', 'registry/applyUpdate', { update: { title: 'Notes', server: 'notes', location: 'user settings', changes } }],
    ] as const;
    for (const [name, intent, more] of steps) {
      const shown = page.getByRole('button', { name, exact: true });
      await show(more);
      const box = await shown.boundingBox();
      assert.ok(box);
      await show({});
      await shown.waitFor({ state: 'detached' });
      await page.mouse.move(box.x + 10, box.y + 10);
      await show(more);
      await shown.waitFor();
      await press();
      assert.equal((await bare.sent()).filter((message) => message.name === intent).length, 0, name);
      await aMoment();
      await press();
      await bare.nextSent(intent);
    }
    await bare.close();
  });

  it('in the chat meets no other answer because an app above it has grown or shrunk, or a picture came late (release)', async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height: 800 } });
    const call = { kind: 'toolCall', server: 'charts', tool: 'draw', arguments: '{}', result: [], resultBytes: 0, state: 'done' };
    const app = { ...call, id: 'app', app: { uri: 'ui://charts/draw', state: 'live' } };
    const asking = { ...call, id: 'asking', state: 'waiting', question: callQuestion({ sides: 6 }) };
    const item = (...parts: readonly object[]): object => ({ kind: 'assistant', id: 'a', state: 'streaming', parts });
    await bare.post('chat/state', { ...emptyState(), isRunning: true, items: [item(app, asking)] });
    await bare.nextSent('app/mounted');
    await untilArmed(card(), wanted);
    const place = async (): Promise<number> => (await button().boundingBox())?.y ?? Number.NaN;
    const before = await place();
    for (const height of [600, 60, 400, 90]) {
      await bare.post('app/size', { partId: 'app', height });
      await bare.page.waitForFunction((wish) => document.querySelector<HTMLElement>('.app-frame')?.style.height === `${wish}px`, height);
      await bare.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      assert.ok(Math.abs((await place()) - before) <= 1, `moved from ${before} to ${await place()} at ${height}`);
    }
    // A line of two by two points that stands for a picture as high as the page.
    const tall = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="900"/>`;
    await bare.page.evaluate((svg) => {
      const picture = new Image();
      picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      document.querySelector('.app')?.append(picture);
    }, tall);
    await bare.page.waitForFunction(() => document.querySelector<HTMLImageElement>('.app > img')?.complete === true);
    await bare.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    assert.ok(Math.abs((await place()) - before) <= 1, `moved from ${before} to ${await place()} by a picture`);
    await bare.close();
  });
});
