import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { pageThemes, wearTheme } from '../support/page/pageThemes.ts';
import { callChoices, carryingCall } from '../support/page/usualCall.ts';
import { outFolder } from '../support/run/repository.mjs';
import { aMoment, moreToRead, untilArmed } from '../ui/pages/questions.ts';

/** The chat in a window of 900 px with the view of the servers open, in a sidebar as wide as it is at first. */
const sidebar = { width: 300, height: 590 };

interface Asked {
  readonly askId: string;
  readonly detail: { readonly server: string; readonly tool: string; readonly arguments: string };
}

const roll = (askId: string, sides: number, more: object = {}): Asked =>
  callQuestion(
    { sides },
    { asker: { kind: 'model', name: 'Claude Sonnet 4.5' } },
    { askId, group: 'a', choices: callChoices, ...more },
  ) as Asked;

const three = [roll('one', 6), roll('two', 12), roll('three', 20)];

const asking = (question: Asked): object => ({
  kind: 'toolCall',
  id: `call-${question.askId}`,
  server: question.detail.server,
  tool: question.detail.tool,
  arguments: question.detail.arguments,
  result: [],
  resultBytes: 0,
  state: 'waiting',
  question,
});

const done = (question: Asked): object => ({ ...asking(question), question: undefined, state: 'done', elapsedMs: 3 });

describe('Several calls of one turn', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission: \d+ calls?$/ });
  const rows = (): Locator => card().getByRole('group', { name: 'Permission: demo roll_dice', exact: true });
  const button = (name: string): Locator => card().getByRole('button', { name, exact: true });
  const armed = (name: string): Locator => card().getByRole('button', { name, exact: true, disabled: false });
  const dim = (name: string): Locator => card().getByRole('button', { name, exact: true, disabled: true });
  const answers = async (): Promise<readonly unknown[]> =>
    (await bare.sent()).filter(({ name }) => name.startsWith('consent/')).map(({ name, body }) => [name, body]);

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: sidebar });
    await wearTheme(bare.page, 'dark');
  });
  afterEach(() => bare.close());

  const show = async (...parts: readonly object[]): Promise<void> => {
    const items = [
      { kind: 'user', id: 'u', text: 'Roll three dice at once.' },
      { kind: 'assistant', id: 'a', state: 'streaming', parts },
    ];
    await bare.post('chat/state', { ...emptyState(), isRunning: true, items });
  };
  const ask = async (questions: readonly Asked[] = three): Promise<void> => {
    await show(...questions.map(asking));
    await card().waitFor();
  };

  it('are one card: three short calls are allowed with one click, without scrolling', async () => {
    await ask();
    await armed('Allow these 3').waitFor();
    assert.equal(await card().getAttribute('aria-label'), 'Permission: 3 calls');
    assert.equal(await moreToRead(card()).count(), 0, 'nothing is left to see');
    assert.equal(await bare.page.getByRole('group', { name: /^Tool call:/ }).count(), 0, 'a row stands for its call');
    assert.equal(await rows().count(), 3);
    const parts = [
      card().getByRole('heading', { level: 2 }),
      ...(await card().getByLabel('sides', { exact: true }).all()),
      ...(await button('Deny').all()),
      ...(await button('Allow once').all()),
      button('Deny these 3'),
      button('Allow these 3'),
    ];
    assert.equal(parts.length, 12);
    for (const part of parts) {
      assert.equal(await part.evaluate(isSeen), true, `${await part.evaluate((each) => each.outerHTML.slice(0, 80))} is in view`);
    }
    assert.match(await card().getByRole('heading', { level: 2 }).innerText(), /^Claude Sonnet 4\.5 →\s3 calls$/);
    assert.equal(await card().getByText('Rolls dice.').count(), 1, 'a definition that they share is shown once');
    await button('Allow these 3').click();
    assert.deepEqual(await bare.nextSent('consent/answerTogether'), { rows: [{ askId: 'one' }, { askId: 'two' }, { askId: 'three' }] });
    await button('Allow these 3').click({ force: true });
    assert.equal((await answers()).length, 1, 'once only');
  });

  it('are answered each by itself, and the others stay where they are (release)', async () => {
    await ask();
    await untilArmed(rows().nth(1), 'Allow once');
    await rows().nth(1).getByRole('button', { name: 'Allow once', exact: true }).click();
    await rows().nth(0).getByRole('button', { name: 'Deny', exact: true }).click();
    assert.deepEqual(await answers(), [
      ['consent/answer', { askId: 'two', choice: 'allowOnce' }],
      ['consent/answer', { askId: 'one', choice: 'deny' }],
    ]);
    const before = await card().evaluate((each) => each.getBoundingClientRect().top);
    await show(asking(roll('one', 6)), done(roll('two', 12)), asking(roll('three', 20)));
    await bare.page.getByRole('group', { name: 'Permission: 2 calls' }).waitFor();
    assert.equal(await card().evaluate((each) => each.getBoundingClientRect().top), before);
    await armed('Allow these 2').waitFor();
    await show(done(roll('one', 6)), done(roll('two', 12)), asking(roll('three', 20)));
    await bare.page.getByRole('group', { name: 'Permission: 1 call', exact: true }).waitFor();
    assert.equal(await card().getByRole('button', { name: /these/ }).count(), 0, 'one is answered in its row');
    await untilArmed(rows(), 'Allow once');
    await rows().getByRole('button', { name: 'Allow once', exact: true }).click();
    assert.deepEqual((await answers()).at(-1), ['consent/answer', { askId: 'three', choice: 'allowOnce' }]);
    await show(...three.map(done));
    await card().waitFor({ state: 'detached' });
    assert.equal(await bare.page.getByRole('group', { name: /^Tool call:/ }).count(), 3);
  });

  it('have the answers that reach further in the details of each row (release)', async () => {
    await ask();
    await rows()
      .nth(2)
      .getByRole('button', { name: /^Details/ })
      .click();
    await untilArmed(rows().nth(2), 'Allow for this session');
    await assertAccessible(card(), 'several calls with the details of one');
    await rows().nth(2).getByRole('button', { name: 'Allow for this session', exact: true }).click();
    assert.deepEqual(await answers(), [['consent/answer', { askId: 'three', choice: 'allowSession' }]]);
  });

  it('are sent with the arguments that the person left in each row (release)', async () => {
    await ask();
    await armed('Allow these 3').waitFor();
    await rows().nth(1).getByLabel('sides', { exact: true }).fill('8');
    await dim('Allow these 3').waitFor();
    await armed('Allow these 3').click();
    const { rows: sent } = (await bare.nextSent('consent/answerTogether')) as { rows: readonly { askId: string; arguments?: string }[] };
    assert.deepEqual(
      sent.map(({ askId, arguments: text }) => [askId, text === undefined ? undefined : (JSON.parse(text) as unknown)]),
      [
        ['one', undefined],
        ['two', { sides: 8 }],
        ['three', undefined],
      ],
    );
  });

  it('are not allowed together while one of them has arguments that its schema refuses (release)', async () => {
    await ask();
    await armed('Allow these 3').waitFor();
    await rows().nth(1).getByLabel('sides', { exact: true }).fill('1');
    await dim('Allow these 3').waitFor();
    await button('Allow these 3').click({ force: true });
    await rows().nth(1).getByLabel('sides', { exact: true }).fill('12');
    await armed('Allow these 3').waitFor();
    assert.deepEqual(await answers(), []);
  });

  it('keep what was typed into one when others join it (release)', async () => {
    await show(asking(roll('one', 6)));
    const single = bare.page.getByRole('group', { name: /^Permission:/ });
    await single.getByLabel('sides', { exact: true }).fill('10');
    await show(asking(roll('one', 6)), asking(roll('two', 12)));
    await card().waitFor();
    assert.equal(await rows().nth(0).getByLabel('sides', { exact: true }).inputValue(), '10');
  });

  it('leave what acts in the editor its own question', async () => {
    const act = callQuestion({}, { server: 'editor', tool: 'save_file', risk: 'changesEditor' }, { askId: 'act' }) as Asked;
    await show(asking(three[0] as Asked), asking(act), asking(three[1] as Asked));
    await bare.page.getByRole('group', { name: 'Permission: 2 calls' }).waitFor();
    await bare.page.getByRole('group', { name: /^Permission: .*wants to run “save_file”/ }).waitFor();
    assert.equal(await card().getByText('save_file').count(), 0);
  });

  describe('are not allowed by a click that was meant for something else:', () => {
    /** Aims at the common button, lets something happen, and presses. */
    const pressAfter = async (happen: () => Promise<void>, name = 'Allow these 3'): Promise<void> => {
      await armed(name).waitFor();
      const { x, y, width, height } = (await button(name).boundingBox()) ?? assert.fail('no button');
      await bare.page.mouse.move(x + width / 2, y + height / 2);
      await happen();
      await bare.page.mouse.down();
      await bare.page.mouse.up();
    };

    it('a row was added', async () => {
      await ask();
      await pressAfter(async () => {
        await show(...[...three, roll('four', 100)].map(asking));
        await button('Allow these 4').waitFor();
      });
      assert.deepEqual(await answers(), []);
      await dim('Allow these 4').waitFor();
      await untilArmed(card(), 'Allow these 4');
      await button('Allow these 4').click();
      const { rows: sent } = (await bare.nextSent('consent/answerTogether')) as { rows: readonly unknown[] };
      assert.equal(sent.length, 4);
    });

    it('a row was withdrawn (release)', async () => {
      await ask();
      await pressAfter(async () => {
        await show(done(roll('one', 6)), ...three.slice(1).map(asking));
        await button('Allow these 2').waitFor();
      });
      assert.deepEqual(await answers(), []);
    });

    it('a row became another, with the same number of rows in the same places (release)', async () => {
      await ask();
      await pressAfter(async () => {
        await show(...[...three.slice(0, 2), roll('three', 21)].map(asking));
        await bare.page.waitForFunction(
          () => document.querySelectorAll('input')[2]?.value === '21' || document.body.textContent.includes('21'),
        );
      });
      assert.deepEqual(await answers(), []);
      await armed('Allow these 3').click();
      await bare.nextSent('consent/answerTogether');
    });

    it('the buttons have moved on the screen, and another one is under the pointer', async () => {
      await ask();
      await armed('Allow these 3').waitFor();
      const place = async (of: Locator): Promise<number> => ((await of.boundingBox()) ?? assert.fail('no button')).y;
      const once = rows().nth(2).getByRole('button', { name: 'Allow once', exact: true });
      const { x, y, width, height } = (await once.boundingBox()) ?? assert.fail('no button');
      const by = (await place(rows().nth(1).getByRole('button', { name: 'Allow once', exact: true }))) - y;
      // The pointer is over “Allow once” of the third row; when all has moved down, it is over that of the second.
      await bare.page.mouse.move(x + width / 2, y + height / 2);
      await bare.page.evaluate((down) => (document.body.style.transform = `translateY(${down}px)`), -by);
      await bare.page.mouse.down();
      await bare.page.mouse.up();
      assert.deepEqual(await answers(), []);
      await dim('Allow these 3').waitFor();
    });

    it('a part of the arguments has not been in view (release)', async () => {
      const long = roll('long', 6);
      const text = JSON.stringify({ sides: 6, note: 'A line that nobody reads.\n'.repeat(60) });
      await ask([{ ...long, detail: { ...long.detail, arguments: text } }, ...three]);
      await moreToRead(card()).waitFor();
      await dim('Allow these 4').waitFor();
      await button('Allow these 4').click({ force: true });
      assert.deepEqual(await answers(), []);
      await card().getByText('Not yet:').first().waitFor();
      await untilArmed(card(), 'Allow these 4');
      await button('Allow these 4').click();
      await bare.nextSent('consent/answerTogether');
    });

    it('what one of them carries from another server has not been in view (release)', async () => {
      const carrying = carryingCall({ askId: 'carrying', group: 'a' }) as Asked;
      await bare.page.setViewportSize({ width: 300, height: 430 });
      await ask([...three, carrying]);
      await dim('Allow these 4').waitFor();
      await moreToRead(card()).waitFor();
      await untilArmed(card(), 'Allow these 4');
      assert.equal(await card().getByText('oat milk', { exact: true }).evaluate(isSeen), true, 'the finding itself was in view');
    });
  });

  describe('by keyboard', () => {
    const focused = (): Promise<string | null> => bare.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);

    it('get the focus as a whole: Ctrl+Enter allows them, and Escape twice denies them', async () => {
      await bare.page.getByRole('textbox', { name: 'Message' }).focus();
      await ask();
      await bare.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Permission: 3 calls');
      await armed('Allow these 3').waitFor();
      await aMoment(bare.page);
      await bare.page.keyboard.press('Control+Enter');
      assert.equal((await answers()).length, 1);
      await bare.nextSent('consent/answerTogether');
      await show(...[roll('four', 4), roll('five', 5)].map(asking));
      await bare.page.getByRole('group', { name: 'Permission: 2 calls' }).waitFor();
      await card().focus();
      await bare.page.keyboard.press('Escape');
      await card().getByText('Press Escape again to deny.').first().waitFor();
      assert.equal((await answers()).length, 1);
      await bare.page.keyboard.press('Escape');
      assert.deepEqual((await answers()).slice(1), [
        ['consent/answer', { askId: 'four', choice: 'deny' }],
        ['consent/answer', { askId: 'five', choice: 'deny' }],
      ]);
      assert.equal((await bare.sent()).filter(({ name }) => name === 'chat/stop').length, 0, 'the turn goes on');
    });

    it('are answered one by one with the focus in a row, which goes on to the next (release)', async () => {
      await ask();
      await rows().nth(0).focus();
      await untilArmed(rows().nth(0), 'Allow once');
      await aMoment(bare.page);
      await bare.page.keyboard.press('Control+Enter');
      assert.deepEqual(await answers(), [['consent/answer', { askId: 'one', choice: 'allowOnce' }]]);
      assert.equal(await focused(), 'Permission: demo roll_dice');
      assert.equal(
        await rows()
          .nth(1)
          .evaluate((row) => row === document.activeElement),
        true,
      );
    });

    it('can be reached with Tab, in the order of the eye', async () => {
      await ask();
      await armed('Allow these 3').waitFor();
      await card().focus();
      const seen: string[] = [];
      for (let stops = 0; stops < 14; stops += 1) {
        await bare.page.keyboard.press('Tab');
        seen.push(await bare.page.evaluate(() => document.activeElement?.textContent.slice(0, 7) ?? ''));
      }
      const row = ['', 'Deny', 'Allow o', 'Details'];
      assert.deepEqual(seen, [...row, ...row, ...row, 'Deny th', 'Allow t']);
    });
  });

  it('read well in every theme (release)', async () => {
    await ask();
    await armed('Allow these 3').waitFor();
    for (const theme of pageThemes) {
      await wearTheme(bare.page, theme);
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `together-${theme}.png`) });
      await assertAccessible(card(), `several calls in ${theme}`);
    }
  });

  it('break no word and stand out nowhere, narrow or wide (release)', async () => {
    await ask();
    for (const width of [180, 220, 420, 720]) {
      await bare.page.setViewportSize({ width, height: 900 });
      await armed('Allow these 3').waitFor();
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `together-${width}.png`) });
      assert.equal(await card().evaluate((each) => each.scrollWidth - each.clientWidth), 0, `${width} px`);
      const spare = await card()
        .locator('[data-answers] button')
        .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
      assert.deepEqual(
        spare,
        spare.map(() => 0),
        `${width} px`,
      );
    }
  });
});

/** Whether the middle of an element can be seen: inside the page, and beneath nothing. It runs in the page. */
function isSeen(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found !== null && (element.contains(found) || found.contains(element));
}
