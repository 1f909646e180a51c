import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { aMoment, moreToRead, untilArmed } from '../ui/pages/questions.ts';

const other = { name: 'count_words', description: 'Counts the words, lines and characters of a text.', claims: [], parameters: [] };

/** What a notebook shows at 100 %, and what is left of it at 150 % and at 200 %. */
const sizes = [
  [1366, 768],
  [911, 512],
  [683, 384],
] as const;

describe('The card of a question', () => {
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });
  const button = (name: string): Locator => card().getByRole('button', { name, exact: true });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 400, height: 600 } });
  });
  afterEach(() => bare.close());
  const ask = async (...question: Parameters<typeof callQuestion>): Promise<void> => {
    await bare.post('consent/questions', { questions: [callQuestion(...question)] });
    await card().waitFor();
  };
  const answers = async (): Promise<readonly unknown[]> =>
    (await bare.sent()).filter(({ name }) => name === 'consent/answer').map(({ body }) => body);

  it('tells what the model was told, one click away', async () => {
    await ask({ sides: 6 });
    await card()
      .getByRole('button', { name: /Parameters.*as the model was told/ })
      .click();
    await card().getByText('How many sides each die has.').last().waitFor();
    assert.match(await card().innerText(), /sides\s+integer, minimum 2, maximum 1000[\s\S]*Default: 6/);
    await assertAccessible(card(), 'the question about a call');
  });

  it('cannot be allowed before the end of its arguments has been in view, says how much is left, and is read by keyboard', async () => {
    await ask({ sides: 6, notes: Array.from({ length: 120 }, (_, index) => `note ${index + 1}`) }, {}, { isRead: true });
    await moreToRead(card()).waitFor();
    assert.match(await moreToRead(card()).innerText(), /^\d+ more lines/);
    await button('Allow once').click({ force: true });
    await button('Allow once').press('Enter');
    assert.deepEqual([await card().isVisible(), await answers()], [true, []]);
    assert.equal(
      await card()
        .getByRole('button', { name: /Description.*read before/ })
        .isVisible(),
      true,
      'read before, so it is folded',
    );
    let pages = 0;
    while (await moreToRead(card()).isVisible()) {
      pages += 1;
      assert.equal(await button('Allow once').getAttribute('aria-disabled'), 'true');
      await moreToRead(card())
        .press('Enter', { timeout: 2_000 })
        .catch(() => undefined); // it says something else once all was seen
    }
    assert.ok(pages > 1);
    await untilArmed(card(), 'Allow once');
    await button('Allow once').focus();
    await aMoment(bare.page);
    await button('Allow once').press('Enter');
    assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowOnce' });
  });

  it('has its arguments as a form and as JSON, which stay in step, and cannot be allowed while they do not fit', async () => {
    await ask({ sides: 6, note: { why: 'fun' } });
    const field = card().getByRole('textbox', { name: 'sides', exact: true });
    const json = card().getByRole('textbox', { name: 'Arguments as JSON' });
    const allowed = card().getByRole('button', { name: 'Allow once', disabled: false });
    await untilArmed(card(), 'Allow once');
    const note = card().getByRole('textbox', { name: 'note', exact: true });
    assert.match(await note.inputValue(), /"why": "fun"/, 'not in the schema, yet shown');
    await field.fill('1');
    await card().getByText('At least 2.', { exact: true }).waitFor();
    await allowed.waitFor({ state: 'detached' });
    await card().getByRole('button', { name: /^JSON/ }).press('Enter');
    assert.deepEqual(JSON.parse(await json.inputValue()), { sides: 1, note: { why: 'fun' } });
    await card().getByText('sides: At least 2.').first().waitFor();
    await json.fill('{"sides": 8');
    await card().getByText('This is not JSON yet.').first().waitFor();
    assert.equal(await allowed.count(), 0);
    await json.fill('{"sides": 8, "count": 2}');
    assert.equal(await field.inputValue(), '8');
    await card().getByRole('textbox', { name: 'count', exact: true }).fill('3');
    await untilArmed(card(), 'Allow once');
    await button('Allow once').click();
    const { choice, arguments: sent } = (await bare.nextSent('consent/answer')) as { readonly choice: string; readonly arguments: string };
    assert.deepEqual([choice, JSON.parse(sent)], ['allowOnce', { sides: 8, count: 3 }]);
  });

  it('is answered for all tools of the server once they were in view', async () => {
    const otherTools = Array.from({ length: 12 }, (_, index) => ({ ...other, name: `${other.name}${index}` }));
    await ask({ sides: 6 }, { otherTools });
    await card()
      .getByRole('button', { name: /Other tools.*count_words/ })
      .waitFor();
    await untilArmed(card(), 'Allow for this session');
    await card().getByRole('checkbox', { name: 'All tools of this server', exact: true }).press('Space');
    await card()
      .getByRole('list', { name: /\d+ other tools of this server/ })
      .getByText(other.description)
      .first()
      .waitFor();
    await moreToRead(card()).waitFor();
    assert.equal(await button('Allow for this session').getAttribute('aria-disabled'), 'true');
    await untilArmed(card(), 'Allow for this session');
    assert.equal(await button('Allow once').count(), 0, 'once is for one tool');
    await button('Allow for this session').click();
    assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowSession', allTools: true });
  });

  it('shows every command of tests in several folders, each with its folder and what it runs', async () => {
    const chain = { steps: [{ name: 'scripts.test', text: 'mocha' }], unknown: [] };
    const next = [{ commandLine: "python3 -m unittest -k '*test_opens'", chain: { steps: [], unknown: ['make'] }, cwd: '/projects/till' }];
    const what = { kind: 'script', commandLine: 'npm test', chain, cwd: '/projects/shop', next };
    const detail = { kind: 'ownAct', asker: { kind: 'guide' }, tool: 'run_tests', what };
    await bare.post('consent/questions', { questions: [{ ...callQuestion({}), detail, choices: ['deny', 'allowOnce'] }] });
    await untilArmed(card(), 'Allow once');
    const text = await card().innerText();
    assert.match(
      text,
      /npm test[^]*\/projects\/shop[^]*scripts\.test \(1\)[^]*mocha[^]*python3 -m unittest -k '\*test_opens'[^]*\/projects\/till[^]*make/,
    );
    await assertAccessible(card(), 'the question about tests in several folders');
  });

  for (const [width, height] of sizes) {
    it(`can be read and answered in a sidebar at ${width} × ${height}`, async () => {
      await bare.page.setViewportSize({ width: Math.round(width / 3), height: Math.round(height * 0.6) });
      await ask({ sides: 6 });
      await untilArmed(card(), 'Allow once');
      for (const part of [card().getByText('Rolls dice.'), card().getByRole('textbox', { name: 'sides' }), button('Allow once')]) {
        assert.equal(await isOnTop(part), true);
      }
      assert.equal(await card().evaluate((element) => element.scrollWidth - element.clientWidth), 0);
    });
  }
});

/** Whether the last line is on top of everything once it was brought into view. */
async function isOnTop(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    element.scrollIntoView({ block: 'center' });
    const { left, width, bottom } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, bottom - 4);
    return found !== null && (element.contains(found) || found.contains(element));
  });
}
