import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { callChoices } from '../support/page/usualCall.ts';
import { aMoment, furtherAnswers, moreToRead, untilArmed } from '../ui/pages/questions.ts';

const many = { sides: 6, notes: Array.from({ length: 80 }, (_, index) => `note ${index + 1}`) };

describe('The answers of a question', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const cards = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });
  const card = (): Locator => cards().first();
  const button = (name: string): Locator => card().getByRole('button', { name, exact: true });
  const item = (name: string): Locator => card().getByRole('menuitem', { name, exact: true });
  const status = (): Locator => card().getByRole('status');
  const answers = async (): Promise<readonly unknown[]> =>
    (await bare.sent()).filter(({ name }) => name === 'consent/answer').map(({ body }) => body);
  const ask = async (args: object = { sides: 6 }, ...more: object[]): Promise<void> => {
    const questions = [callQuestion(args, {}, { choices: callChoices }), ...more];
    await bare.post('consent/questions', { questions });
    await card().waitFor();
  };
  const isPressedInVain = async (press: () => Promise<void>): Promise<void> => {
    await press();
    await status()
      .filter({ hasText: /Not yet|Press again/ })
      .waitFor();
    assert.deepEqual(await answers(), []);
  };

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 300, height: 560 } });
  });
  afterEach(() => bare.close());

  describe('in the menu “More”', () => {
    it('are the ones that reach further, and arm like buttons: a press right after it opened does nothing', async () => {
      await ask();
      assert.deepEqual(await furtherAnswers(card()), ['Allow in this workspace', 'Always allow', 'Always deny']);
      await untilArmed(card(), 'Allow once');
      const place = await bringUnderPointer('Always allow');
      await button('Allow once').and(bare.page.locator('[aria-disabled="false"]')).waitFor();
      await bare.page.mouse.move(place.x, place.y);
      await button('More').evaluate((each: HTMLElement) => each.click());
      await isPressedInVain(() => press());
      assert.equal(await button('Allow once').getAttribute('aria-disabled'), 'true', 'what the menu moved in front of is not armed either');
      await item('Always allow').and(bare.page.locator('[aria-disabled="false"]')).waitFor();
      await press();
      assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowAlways' });
    });

    it('never stand over “Deny”, nor where it just was, however little room there is', async () => {
      for (const size of [
        { width: 300, height: 560 },
        { width: 220, height: 300 },
        { width: 720, height: 200 },
      ]) {
        await bare.page.setViewportSize(size);
        await ask();
        await button('Deny').scrollIntoViewIfNeeded();
        const before = await button('Deny').boundingBox();
        await button('More').evaluate((each: HTMLElement) => each.click()); // as a person would, who does not scroll for it
        const [deny, menu] = [await button('Deny').boundingBox(), await card().getByRole('menu').boundingBox()];
        assert.ok(deny && menu && before);
        assert.deepEqual(deny, before, 'nothing moved');
        const isApart = menu.y + menu.height <= deny.y || menu.y >= deny.y + deny.height || menu.x >= deny.x + deny.width;
        assert.ok(isApart, JSON.stringify({ size, deny, menu }));
        await bare.page.keyboard.press('Escape');
      }
    });

    it('are reached by arrow keys; Escape closes the menu alone, and so does a press elsewhere', async () => {
      await ask();
      await untilArmed(card(), 'Allow once');
      await button('More').press('ArrowDown');
      const focused = (): Promise<string> => bare.page.evaluate(() => document.activeElement?.textContent ?? '');
      const went: string[] = [await focused()];
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End']) {
        await bare.page.keyboard.press(key);
        went.push(await focused());
      }
      const [workspace, always, never] = ['Allow in this workspace', 'Always allow', 'Always deny'];
      assert.deepEqual(went, [workspace, always, never, workspace, never, workspace, never]);
      await assertAccessible(card(), 'the question with its menu open');
      await bare.page.keyboard.press('Escape');
      assert.equal(await focused(), 'More', 'the focus is not lost');
      assert.equal(await card().getByRole('menu').count(), 0);
      assert.equal(await status().innerText(), '', 'it was for the menu');
      await button('More').press('Enter');
      await card().getByRole('menu').waitFor();
      await card().getByRole('heading').click();
      await card().getByRole('menu').waitFor({ state: 'detached' });
      await button('More').press('ArrowUp');
      await bare.page.keyboard.press('Enter');
      assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'denyAlways' });
    });

    it('are not those of a client that connects, each of which is a button', async () => {
      const identity = { callsItself: 'X', transport: 'http', credential: 'clientToken', credentialId: 'c' };
      const detail = { kind: 'connectClient', ...identity, roles: ['reader', 'editor', 'runner'] };
      const choices = ['deny', 'allowSession', 'allowAlways', 'denyAlways'];
      await bare.post('consent/questions', { questions: [{ ...callQuestion({}), detail, choices }] });
      await card().waitFor();
      for (const name of ['Deny', 'Allow for this session', 'Always allow', 'Always deny']) {
        assert.equal(await button(name).count(), 1, name);
      }
      assert.equal(await button('More').count(), 0);
    });
  });

  describe('that do not count yet', () => {
    it('say why when they are pressed, and lead to what is unseen', async () => {
      await ask(many);
      await moreToRead(card()).waitFor();
      const before = await bare.page.evaluate(() => document.documentElement.scrollTop);
      await isPressedInVain(() => button('Allow once').click({ force: true }));
      assert.match(await status().innerText(), /Not yet: \d+ more lines to see first/);
      assert.ok((await bare.page.evaluate(() => document.documentElement.scrollTop)) > before + 100, 'it went on a page');
    });

    it('say that they have just moved, without moving anything, and that they count now', async () => {
      await ask();
      await untilArmed(card(), 'Allow once');
      await bare.page.evaluate(`document.body.style.paddingTop = '6px'`);
      const before = await button('Allow once').boundingBox();
      await isPressedInVain(() => button('Allow once').click({ force: true }));
      await status().filter({ hasText: 'Now it counts. Press again.' }).waitFor();
      assert.deepEqual(await button('Allow once').boundingBox(), before);
      await button('Allow once').click();
      assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowOnce' });
    });

    it('are reached by Tab through the unseen lines, none of which is skipped', async () => {
      await ask(many);
      await moreToRead(card()).waitFor();
      await card().focus();
      const now = (): Promise<{ readonly isThere: boolean; readonly top: number }> =>
        bare.page.evaluate(() => ({
          isThere: document.activeElement?.closest('.question-answers') !== null,
          top: document.documentElement.scrollTop,
        }));
      const tops: number[] = [(await now()).top];
      while (!(await now()).isThere) {
        assert.ok(tops.length < 60, 'Tab leads to the answers');
        await bare.page.keyboard.press('Tab');
        tops.push((await now()).top);
      }
      const jumps = tops.slice(1).map((top, index) => top - (tops[index] ?? 0));
      assert.ok(
        jumps.every((jump) => jump < 560),
        `no more than a page at a time: ${jumps.join(', ')}`,
      );
      assert.ok((tops.at(-1) ?? 0) > 1_000, 'all the way');
      assert.equal(await moreToRead(card()).count(), 0);
      await untilArmed(card(), 'Allow once');
    });
  });

  describe('by keys', () => {
    const allowKey = 'Control+Enter';

    it('have them written on them, and not in their names', async () => {
      await ask();
      assert.deepEqual(await button('Deny').getAttribute('aria-keyshortcuts'), 'Escape');
      assert.deepEqual(await button('Allow once').getAttribute('aria-keyshortcuts'), 'Control+Enter');
      assert.match(await button('Allow once').innerText(), /^Allow once\s+Ctrl\+Enter$/);
      assert.match(await button('Deny').innerText(), /^Deny\s+Esc$/);
    });

    it('allow once with Ctrl+Enter in a focused question that is armed', async () => {
      await ask();
      await untilArmed(card(), 'Allow once');
      await bare.page.keyboard.press(allowKey);
      assert.deepEqual(await answers(), [], 'the focus is elsewhere');
      await card().focus();
      await aMoment(bare.page);
      await bare.page.keyboard.press(allowKey);
      assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowOnce' });
    });

    it('do not count before the question is armed, for a key that repeats, or for one that was down before it came or got the focus', async () => {
      const { keyboard } = bare.page;
      await bare.page.getByRole('heading', { name: 'Permissions' }).focus();
      await keyboard.down('Control');
      await ask();
      await untilArmed(card(), 'Allow once');
      await card().focus();
      await isPressedInVain(() => keyboard.press('Enter'));
      await keyboard.up('Control');
      // Held Enter, then Ctrl comes to it.
      await keyboard.down('Enter');
      await keyboard.down('Control');
      await keyboard.down('Enter');
      assert.deepEqual(await answers(), []);
      await keyboard.up('Enter');
      await keyboard.up('Control');
      // Not armed: it has just moved.
      await bare.page.evaluate(`document.body.style.paddingTop = '6px'`);
      await isPressedInVain(() => keyboard.press(allowKey));
      await untilArmed(card(), 'Allow once');
      await keyboard.press(allowKey);
      assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowOnce' });
    });

    it('do not count for the next question while the keys for the one before it are down', async () => {
      const { keyboard } = bare.page;
      await bare.page.setViewportSize({ width: 400, height: 1_200 });
      await ask({ sides: 6 }, callQuestion({ sides: 6 }, {}, { askId: 'next' }));
      await untilArmed(card(), 'Allow once');
      await untilArmed(cards().nth(1), 'Allow once');
      await card().focus();
      await aMoment(bare.page);
      await keyboard.down('Control');
      await keyboard.press('Enter');
      await bare.nextSent('consent/answer');
      await bare.page.waitForFunction(() => document.activeElement?.getAttribute('data-question') === 'next');
      await untilArmed(cards().nth(1), 'Allow once');
      await keyboard.press('Enter');
      await keyboard.up('Control');
      assert.deepEqual(await answers(), [{ askId: 'ask', choice: 'allowOnce' }]);
    });

    it('deny with the second Escape; the first one says so and leaves a field', async () => {
      await ask();
      const { keyboard } = bare.page;
      await card().getByRole('textbox', { name: 'sides', exact: true }).focus();
      await keyboard.down('Escape');
      await status().filter({ hasText: 'Press Escape again to deny.' }).waitFor();
      await keyboard.down('Escape'); // repeats, as a held key does
      await keyboard.up('Escape');
      assert.deepEqual(await answers(), []);
      assert.equal(await card().evaluate((each) => each === document.activeElement), true);
      await keyboard.press('Escape');
      assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'deny' });
    });
  });

  const press = async (): Promise<void> => {
    await bare.page.mouse.down();
    await bare.page.mouse.up();
  };
  /** Where an item is while the menu is open, which it is not afterwards. */
  async function bringUnderPointer(name: string): Promise<{ readonly x: number; readonly y: number }> {
    await button('More').click();
    const box = await item(name).boundingBox();
    assert.ok(box);
    await bare.page.keyboard.press('Escape');
    await card().getByRole('menu').waitFor({ state: 'detached' });
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
});
