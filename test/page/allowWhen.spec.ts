import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { furtherAnswers, untilArmed } from '../ui/pages/questions.ts';

const rules = [
  { what: { kind: 'exactArguments' }, scopes: ['session'] },
  { what: { kind: 'pathInside', folder: '/work/src' }, scopes: ['session', 'workspace'] },
];
const offering = { choices: ['deny', 'allowOnce', 'allowSession', 'allowWhen'], isRead: true };

describe('"Allow when…" on the card of a question', () => {
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });
  const openRules = async (): Promise<void> => {
    await card().getByRole('button', { name: 'More', exact: true }).click();
    await card().getByRole('menuitem', { name: 'Allow when…' }).click();
  };
  const inFolder = (): Locator => card().getByRole('group', { name: 'Calls of this tool whose “path” is inside /work/src' });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 300, height: 900 } });
  });
  afterEach(() => bare.close());
  const ask = async (...question: Parameters<typeof callQuestion>): Promise<void> => {
    await bare.post('consent/questions', { questions: [callQuestion(...question)] });
    await card().waitFor();
  };

  it('says each rule in words, with the answers that were offered, and answers with the rule that was chosen', async () => {
    await ask({ sides: 6 }, { rules }, offering);
    await openRules();
    assert.match(await card().innerText(), /exactly these arguments[\s\S]*Whatever the other arguments are[\s\S]*sensitive files/);
    assert.deepEqual(
      await card()
        .getByRole('button', { name: /^Allow these/ })
        .allInnerTexts(),
      ['Allow these for this session', 'Allow these for this session', 'Allow these in this workspace'],
    );
    await assertAccessible(card(), 'the question with its rules');
    const chosen = inFolder().getByRole('button', { name: 'Allow these in this workspace' });
    await untilArmed(inFolder(), 'Allow these in this workspace');
    await chosen.click();
    assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'ask', choice: 'allowWhen', rule: { offer: 1, scope: 'workspace' } });
  });

  it('does not count before it has stood still', async () => {
    await ask({ sides: 6 }, { rules }, offering);
    await untilArmed(card(), 'Allow once');
    await openRules();
    const chosen = inFolder().getByRole('button', { name: 'Allow these in this workspace' });
    await chosen.dispatchEvent('click');
    assert.deepEqual(
      (await bare.sent()).filter(({ name }) => name === 'consent/answer'),
      [],
    );
  });

  it('is not there without an offer, and goes when the arguments are changed', async () => {
    await ask({ sides: 6 }, {}, { ...offering, choices: ['deny', 'allowOnce', 'allowWorkspace'] });
    assert.deepEqual(await furtherAnswers(card()), ['Allow in this workspace']);
    await ask({ sides: 6 }, { rules }, { ...offering, askId: 'second' });
    assert.deepEqual(await furtherAnswers(card()), ['Allow when…']);
    await openRules();
    await inFolder().waitFor();
    await card().getByRole('textbox', { name: 'sides' }).fill('7');
    await inFolder().waitFor({ state: 'detached' });
    assert.equal(await card().getByRole('button', { name: 'More', exact: true }).count(), 0);
  });
});
