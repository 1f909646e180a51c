import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { untilArmed } from '../ui/pages/questions.ts';

/** What a progress message of two lines takes. */
const step = 36;
const wanted = 'Allow for this session';

/** What may happen to a page while a pointer is on its way, and how it is undone. */
const changes: Readonly<Record<string, readonly [happens: string, undone: string]>> = {
  'something above it has grown': [`document.body.style.paddingTop = '${step}px'`, `document.body.style.paddingTop = ''`],
  'the page has scrolled': [`document.documentElement.scrollTop += ${step}`, `document.documentElement.scrollTop -= ${step}`],
  'something in it has grown': [
    `document.querySelector('.question-title').style.paddingBottom = '${step}px'`,
    `document.querySelector('.question-title').style.paddingBottom = ''`,
  ],
  'the page is zoomed': [`document.documentElement.style.zoom = '1.08'`, `document.documentElement.style.zoom = ''`],
  'its letters have become larger': [`document.body.style.fontSize = '20px'`, `document.body.style.fontSize = ''`],
  'the page is shifted without being laid out anew': [
    `document.body.style.transform = 'translateY(${step}px)'`,
    `document.body.style.transform = ''`,
  ],
  'answers have changed places': [
    `document.querySelectorAll('.button-row').forEach((row) => (row.style.flexDirection = 'row-reverse'))`,
    `document.querySelectorAll('.button-row').forEach((row) => (row.style.flexDirection = ''))`,
  ],
  'what covered it is gone': [
    `document.querySelector('h1').style.cssText = ''`,
    `document.querySelector('h1').style.cssText = 'position: fixed; inset: 0; z-index: 9'`,
  ],
};

describe('An answer that allows something', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ }).first();
  const button = (name: string): Locator => card().getByRole('button', { name, exact: true });
  const answers = async (): Promise<readonly unknown[]> =>
    (await bare.sent()).filter(({ name }) => name === 'consent/answer').map(({ body }) => body);
  const press = async (): Promise<void> => {
    await bare.page.mouse.down();
    await bare.page.mouse.up();
  };
  const middle = (): Promise<{ readonly x: number; readonly y: number }> =>
    button(wanted).evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 400, height: 700 } });
    await bare.post('consent/questions', { questions: [callQuestion({ sides: 6 })] });
    await untilArmed(card(), wanted);
  });
  afterEach(() => bare.close());

  for (const [what, [happens, undone]] of Object.entries(changes)) {
    it(`does not count right after ${what}, and does once it has stood still`, async () => {
      await bare.page.evaluate(happens);
      const { x, y } = await middle();
      await bare.page.evaluate(undone);
      const isFree = undone.includes('fixed');
      await (isFree ? button(wanted).and(bare.page.locator('[aria-disabled="true"]')).waitFor() : untilArmed(card(), wanted));
      await bare.page.mouse.move(x, y);
      await bare.page.evaluate(happens);
      await press();
      assert.deepEqual(await answers(), []);
      assert.equal(await bare.page.evaluate(`document.elementFromPoint(${x}, ${y}).textContent`), wanted, 'the press hit it');
      await button(wanted).and(bare.page.locator('[aria-disabled="true"]')).waitFor();
      await button(wanted).and(bare.page.locator('[aria-disabled="false"]')).waitFor();
      await press();
      assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowSession' });
    });
  }

  it('does not count when its page slides under a pointer that rests on the screen', async () => {
    const { x, y } = await middle();
    const at = { x, y, button: 'left', clickCount: 1 } as const;
    await bare.page.mouse.move(x, y + step);
    // As when VS Code moves the frame: the pointer is elsewhere in the page, and where it was on the screen.
    await bare.page.evaluate(
      (by) =>
        ['pointermove', 'pointerdown'].forEach((name) =>
          window.addEventListener(
            name,
            (event) => Object.defineProperty(event, 'screenY', { value: (event as PointerEvent).screenY + by }),
            {
              capture: true,
            },
          ),
        ),
      step,
    );
    await bare.page.mouse.move(at.x, at.y);
    await press();
    assert.deepEqual(await answers(), []);
    await button(wanted).and(bare.page.locator('[aria-disabled="false"]')).waitFor();
    await press();
    assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowSession' });
  });

  it('does not count for a button or key that was pressed before it was armed, nor for a key that is held', async () => {
    const { keyboard, mouse } = bare.page;
    const { x, y } = await middle();
    const disarm = async (): Promise<void> => {
      await bare.page.evaluate(`document.body.style.paddingTop = ''`);
      await bare.page.evaluate(`document.body.style.paddingTop = '6px'`);
      await button(wanted).and(bare.page.locator('[aria-disabled="true"]')).waitFor();
    };
    const rearmed = (): Promise<void> => button(wanted).and(bare.page.locator('[aria-disabled="false"]')).waitFor();
    await disarm();
    await mouse.move(x, y);
    await mouse.down();
    await rearmed();
    await mouse.up();
    await button(wanted).focus();
    await bare.page.evaluate(`document.body.style.paddingTop = ''`);
    await button(wanted).and(bare.page.locator('[aria-disabled="true"]')).waitFor();
    await keyboard.down('Space');
    await rearmed();
    await keyboard.up('Space');
    await disarm();
    await keyboard.down('Enter');
    await rearmed();
    await keyboard.down('Enter'); // repeats, as a held key does
    await keyboard.up('Enter');
    assert.deepEqual(await answers(), []);
    await keyboard.press('Enter');
    assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowSession' });
  });

  it('does not count right after the question before it was withdrawn, in whose place it stands now', async () => {
    const questions = ['one', 'two'].map((askId) => callQuestion({ sides: 6 }, {}, { askId }));
    await bare.post('consent/questions', { questions });
    await untilArmed(card(), wanted);
    const { x, y } = await middle();
    await bare.page.mouse.move(x, y);
    await bare.post('consent/questions', { questions: questions.slice(1) });
    await press();
    assert.deepEqual(await answers(), []);
  });
});
