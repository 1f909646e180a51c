import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { measureLoad } from '../support/page/pageLoad.ts';
import { aMoment, moreToRead, untilArmed } from '../ui/pages/questions.ts';
import { samplingQuestion } from '../unit/webview/question/samplingQuestion.ts';

/** As for answers that were written to be slow; here other tests run beside it, too. */
const generousMs = 1_000;
const long = (length: number): string => 'a\u0301 '.repeat(length / 3);
const contentWith = (texts: readonly string[]): object => ({
  kind: 'sendContent',
  server: 'demo',
  source: { kind: 'prompt', name: 'long', description: '', arguments: [] },
  destination: { kind: 'model', name: 'Claude', address: 'https://example.com' },
  items: texts.map((text) => ({ kind: 'text', name: '', pieces: [text] })),
  bytes: 390_000,
  secrets: [],
  invisible: 0,
});
const questions: Readonly<Record<string, { readonly allows: string; readonly length: number; readonly detail: object }>> = {
  'about a prompt': { allows: 'Allow once', length: 390_000, detail: contentWith([long(390_000)]) },
  'about a prompt in many parts': {
    allows: 'Allow once',
    length: 390_000,
    detail: contentWith(Array.from({ length: 130 }, () => long(3_000))),
  },
  'about a request with a tool': {
    allows: 'Send request',
    length: 180_000,
    detail: samplingQuestion({
      tools: [{ name: 'tool', description: { text: long(180_000), secrets: [] }, inputSchema: { text: '', secrets: [] } }],
    }),
  },
};

/** Has the end of the page in view again and again until half of the text is drawn, and then its beginning. */
const watchHalf = (length: number): string => `(() => {
  globalThis.ends = 0;
  const timer = setInterval(() => {
    const drawn = [...document.querySelectorAll('.act-text')].reduce((sum, { textContent }) => sum + textContent.length, 0);
    const isHalf = drawn > ${length / 2};
    if (isHalf) clearInterval(timer);
    globalThis.ends += drawn > 0 && !isHalf ? 1 : 0;
    document.documentElement.scrollTop = isHalf ? 0 : 1e9;
  }, 20);
})()`;

describe('A question with a text that was written to be slow', function () {
  this.timeout(60_000);
  let browser: Browser;
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });

  beforeEach(async () => {
    browser = await sharedBrowser();
    bare = await openBarePage(browser, 'consent', { viewport: { width: 400, height: 700 } });
  });
  afterEach(() => bare.close());

  for (const [about, { allows, length, detail }] of Object.entries(questions)) {
    it(`${about} does not hold up the page, and cannot be allowed before its end was in view`, async () => {
      const question = { askId: 'ask', detail, why: 'new', differences: [], choices: ['deny', 'allowOnce'] };
      const post = await bare.prepare('consent/questions', { questions: [question] });
      await bare.page.evaluate(watchHalf(length));
      const isDrawn = (): boolean => document.querySelector('.act-text') !== null && document.querySelector('[data-drawing]') === null;
      const { maxTaskMs } = await measureLoad(browser, bare.page, async () => {
        await post();
        await bare.page.waitForFunction(isDrawn);
      });
      assert.ok(maxTaskMs < generousMs, `held up for ${maxTaskMs.toFixed(0)} ms`);
      assert.ok(Number(await bare.page.evaluate('globalThis.ends')) > 0, 'the end was in view while it was not drawn');
      const texts = await card().locator('.act-text').allTextContents();
      assert.equal(texts.join(''), long(length));
      await moreToRead(card()).waitFor();
      await aMoment(bare.page);
      const armed = card().getByRole('button', { name: allows, disabled: false });
      assert.equal(await armed.count(), 0);
      await bare.page.evaluate('document.documentElement.scrollTop = 1e9');
      await untilArmed(card(), allows);
      await armed.click();
      await bare.nextSent('consent/answer');
      assert.deepEqual(bare.complaints, []);
    });
  }
});
