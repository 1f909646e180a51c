import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { moreToRead, untilArmed } from '../ui/pages/questions.ts';
import { samplingQuestion } from '../unit/webview/question/samplingQuestion.ts';

const [width, height] = [800, 4000];

/** Makes a picture as high as a page is not. */
const drawTall = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
  canvas.getContext('2d').fillRect(0, 0, ${width}, ${height / 2});
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

const contentWith = (items: readonly object[]): object => ({
  kind: 'sendContent',
  server: 'demo',
  source: { kind: 'resource', uri: 'demo://picture', name: 'picture' },
  destination: { kind: 'model', name: 'Claude', address: 'https://example.com' },
  items,
  bytes: 100,
  secrets: [],
  invisible: 0,
});
const questions: Readonly<Record<string, { readonly allows: string; readonly detail: (data: string) => object }>> = {
  'about content': {
    allows: 'Allow once',
    detail: (data) => contentWith([{ kind: 'image', name: '', mimeType: 'image/png', data, bytes: 100 }]),
  },
  'about two pictures of a resource': {
    allows: 'Allow once',
    detail: (data) => contentWith(['one', 'two'].map((name) => ({ kind: 'image', name, mimeType: 'image/png', data, bytes: 100 }))),
  },
  'about a request for the model': {
    allows: 'Send request',
    detail: (data) => ({
      ...samplingQuestion(),
      messages: [{ role: 'user', parts: [{ kind: 'image', mimeType: 'image/png', data, bytes: 100, isSent: true }] }],
    }),
  },
};

describe('A tall picture in a question', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 400, height: 700 } });
  });
  afterEach(() => bare.close());

  for (const [about, { allows, detail }] of Object.entries(questions)) {
    it(`${about} must be seen whole before it can be allowed, and can be made larger`, async () => {
      const data = String(await bare.page.evaluate(drawTall));
      const question = { askId: 'ask', detail: detail(data), why: 'new', differences: [], choices: ['deny', 'allowOnce'] };
      await bare.post('consent/questions', { questions: [question] });
      await moreToRead(card()).waitFor();
      const picture = card()
        .getByRole('button', { name: /^Image/ })
        .first();
      const shown = await picture.boundingBox();
      assert.ok(shown !== null && Math.abs(shown.height / shown.width - height / width) < 0.1, 'it is not cut');
      // To the end at once: what is between was not in view.
      await bare.page.evaluate(`document.documentElement.scrollTop = 1e6`);
      await card()
        .getByRole('button', { name: /still to see/ })
        .waitFor();
      assert.equal(await card().getByRole('button', { name: allows, disabled: false }).count(), 0);
      await picture.click();
      assert.ok(((await picture.boundingBox())?.width ?? 0) >= width);
      assert.equal(await bare.page.evaluate(`document.documentElement.scrollWidth - innerWidth <= 0`), true);
      await picture.click();
      await untilArmed(card(), allows);
      await card().getByRole('button', { name: allows, exact: true }).click();
      await bare.nextSent('consent/answer');
    });
  }
});
