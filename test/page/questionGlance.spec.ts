import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { pageThemes, wearTheme } from '../support/page/pageThemes.ts';
import { carryingCall, usualArguments, usualCall, usualDescription } from '../support/page/usualCall.ts';
import { outFolder } from '../support/run/repository.mjs';
import { moreToRead, untilArmed } from '../ui/pages/questions.ts';

/** The chat in a window of 900 px with the view of the servers open, in a sidebar as wide as it is at first. */
const sidebar = { width: 300, height: 590 };

const asking = (question: object, id = 'call'): object => ({
  kind: 'toolCall',
  id,
  server: 'shop',
  tool: 'search_articles',
  arguments: JSON.stringify(usualArguments),
  result: [],
  resultBytes: 0,
  state: 'waiting',
  question: { ...question, askId: id },
});

describe('A question about a call, at a glance', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const cards = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });
  const card = (): Locator => cards().first();
  const fold = (): Locator => card().getByRole('group', { name: 'What Duplex knows' });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: sidebar });
    await wearTheme(bare.page, 'dark');
  });
  afterEach(() => bare.close());
  const show = async (...questions: readonly object[]): Promise<void> => {
    const parts = questions.map((question, index) => asking(question, `call${index}`));
    const items = [
      { kind: 'user', id: 'u', text: 'Is there oat milk in the shop, and what does it cost?' },
      { kind: 'assistant', id: 'a', state: 'streaming', parts },
    ];
    await bare.post('chat/state', { ...emptyState(), isRunning: true, items });
    await card().waitFor();
  };
  const scrolled = (): Promise<number> => bare.page.getByRole('log', { name: 'Conversation' }).evaluate((log) => log.scrollTop);

  it('a usual call is allowed with one click and without scrolling: title, five arguments, a new definition, buttons', async () => {
    await show(usualCall());
    await card().getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    const before = await scrolled();
    assert.equal(await moreToRead(card()).count(), 0, 'nothing is left to see');
    assert.match(await card().getByRole('heading').innerText(), /^Claude Sonnet 4\.5 →\ssearch_articles of shop$/);
    const parts = [
      card().getByRole('heading'),
      ...Object.keys(usualArguments).map((name) => card().getByLabel(name, { exact: true })),
      card().getByText(usualDescription.slice(-20)),
      ...['Deny', 'More', 'Allow once', 'Allow for this session'].map((name) => card().getByRole('button', { name, exact: true })),
    ];
    for (const part of parts) {
      assert.equal(await part.evaluate(isSeen), true, `${await part.evaluate((each) => each.outerHTML.slice(0, 80))} is in view`);
    }
    const [once, session] = await Promise.all(
      ['Allow once', 'Allow for this session'].map((name) => card().getByRole('button', { name, exact: true }).boundingBox()),
    );
    assert.ok(once && session && once.y === session.y && once.x + once.width < session.x, 'side by side');
    await card().getByRole('button', { name: 'Allow once', exact: true }).click();
    assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'call0', choice: 'allowOnce' });
    assert.equal(await scrolled(), before);
  });

  it('a call of an outside program says without a click that the answer is not filtered', async () => {
    await show(usualCall({ asker: { kind: 'client', name: 'deploy-helper', credentialId: 'client-1' } }));
    const sentence = card().getByText('It is not filtered for withheld files.');
    await sentence.waitFor();
    assert.equal(await fold().getByText('It is not filtered').count(), 0, 'it is not what has to be unfolded');
  });

  it('standing sentences are behind one line that tells the worst of it, and are not in the way', async () => {
    await show(usualCall());
    await card().getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    assert.equal(await fold().innerText(), 'What Duplex knows\nnothing unusual');
    assert.equal(await card().getByText('Duplex cannot know what it does with them').count(), 0);
    await fold().getByRole('button').click();
    const lines = await fold().getByRole('list').innerText();
    assert.match(
      lines,
      /Duplex cannot know what it does with them[^]*Asked for in this conversation[^]*No text of earlier results was recognised/,
    );
    await assertAccessible(card(), 'the question with its fold open');
  });

  it('a finding opens the fold, and must have been in view before anything is allowed', async () => {
    await bare.page.setViewportSize({ width: 300, height: 430 });
    await show(carryingCall());
    await moreToRead(card()).waitFor();
    assert.match(await fold().innerText(), /▲\s+carries text from another server/);
    await fold().getByText('“query” carries text from a result of mail read:').waitFor();
    assert.equal(await card().getByRole('button', { name: 'Allow once' }).getAttribute('aria-disabled'), 'true');
    await untilArmed(card(), 'Allow once');
    assert.equal(await fold().getByText('oat milk', { exact: true }).evaluate(isSeen), true, 'the finding itself was in view');
    await bare.page.setViewportSize(sidebar);
    await assertAccessible(card(), 'the question with a finding');
  });

  it('a definition that was read before and is the same is folded, a new one is shown with every word on its parameters', async () => {
    const parameters = [
      {
        name: 'query',
        type: 'string',
        isRequired: true,
        description: `Long. ${'Words. '.repeat(40)}`,
        values: [],
        limits: [],
        isCut: false,
      },
      { name: 'hidden', type: 'string', isRequired: false, description: 'Not given.', values: [], limits: [], isCut: false },
    ];
    await show(usualCall({ parameters }, { isRead: true }), usualCall({ parameters }));
    assert.equal(await card().getByText(usualDescription.slice(0, 30)).count(), 0);
    await card()
      .getByRole('button', { name: /^Description read before/ })
      .waitFor();
    await cards().nth(1).getByText(usualDescription.slice(0, 30)).waitFor();
    await cards().nth(1).getByText('Not given.', { exact: false }).first().waitFor();
    assert.match(await cards().nth(1).innerText(), /query Long\. (Words\. ?){40}/);
  });

  it('of two questions each shows its title as long as its buttons are in view, and what follows it (release)', async () => {
    await show(usualCall({ tool: 'first' }), usualCall({ tool: 'second' }));
    const log = bare.page.getByRole('log', { name: 'Conversation' });
    const seen = new Set<number>();
    for (let to = 0; to < (await log.evaluate((frame) => frame.scrollHeight)); to += 40) {
      await log.evaluate((frame, top) => void (frame.scrollTop = top), to);
      for (const at of [0, 1]) {
        if (await cards().nth(at).getByRole('button', { name: 'Allow once', exact: true }).evaluate(isSeen)) {
          seen.add(at);
          assert.equal(await cards().nth(at).getByRole('heading').evaluate(isSeen), true, `the title of ${at} at ${to}`);
        }
      }
    }
    assert.deepEqual([...seen], [0, 1]);
  });

  it('once it was made, its card says that the person changed the arguments', async () => {
    const made = { ...asking({}), question: undefined, state: 'done' };
    const parts = [{ ...made, id: 'changed', isChanged: true }, made];
    await bare.post('chat/state', { ...emptyState(), items: [{ kind: 'assistant', id: 'a', state: 'done', parts }] });
    await bare.page
      .getByRole('group', { name: /^Tool call:/ })
      .nth(1)
      .waitFor();
    assert.equal(await bare.page.getByRole('button', { name: /You changed the arguments/ }).count(), 1);
  });

  it('the start of a server is allowed with one click and without scrolling; how long that holds stands below', async () => {
    const fields = [
      { name: 'type', value: 'stdio', isDangerous: false },
      { name: 'command', value: '/usr/local/bin/node', isDangerous: false },
      { name: 'args', value: '/home/somebody/projects/till/tools/demoServer.mjs', isDangerous: false },
      { name: 'cwd', value: '/home/somebody/projects/till', isDangerous: false },
    ];
    const detail = {
      kind: 'startServer',
      server: 'demo',
      configuredIn: '.vscode/settings.json',
      fields,
      disclosures: [],
      holdsIn: 'workspace',
    };
    const question = { askId: 'start', detail, why: 'new', differences: [], choices: ['deny', 'allowSession', 'allow'] };
    const items = [
      { kind: 'user', id: 'u', text: 'Roll the dice.' },
      { kind: 'assistant', id: 'a', state: 'streaming', parts: [{ kind: 'question', id: 'q', question }] },
    ];
    await bare.post('chat/state', { ...emptyState(), isRunning: true, items });
    await card().getByRole('button', { name: 'Allow', exact: true, disabled: false }).waitFor();
    await bare.page.screenshot({ path: path.join(outFolder, 'looks', 'glance-start.png') });
    assert.equal(await moreToRead(card()).count(), 0, 'nothing is left to see');
    for (const { value } of fields) {
      assert.equal(await card().getByText(value, { exact: true }).evaluate(isSeen), true, value);
    }
    await card().getByText('“Allow” holds in this workspace').waitFor();
    await card().getByRole('button', { name: 'Allow', exact: true }).click();
    assert.deepEqual(await bare.nextSent('consent/answer'), { askId: 'start', choice: 'allow' });
  });

  it('reads well in every theme (release)', async () => {
    await show(usualCall());
    for (const theme of pageThemes) {
      await wearTheme(bare.page, theme);
      await card().getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
      const picture = (name: string): Promise<unknown> =>
        bare.page.screenshot({ path: path.join(outFolder, 'looks', `glance-${theme}-${name}.png`) });
      await picture('call');
      await card().getByRole('button', { name: 'More', exact: true }).click();
      await card().getByRole('menuitem', { name: 'Always allow', disabled: false }).waitFor();
      await picture('more');
      await assertAccessible(card(), `the question in ${theme}`);
      await bare.page.keyboard.press('Escape');
      await card().getByRole('menu').waitFor({ state: 'detached' });
    }
  });

  for (const width of [180, 220, 420, 720]) {
    it(`breaks no word and stands out nowhere at ${width} px`, async () => {
      await bare.page.setViewportSize({ width, height: 900 });
      await show(usualCall());
      await untilArmed(card(), 'Allow once');
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `glance-${width}.png`) });
      assert.equal(await card().evaluate((each) => each.scrollWidth - each.clientWidth), 0);
      const buttons = await card()
        .locator('[data-answers] button')
        .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
      assert.deepEqual(
        buttons,
        buttons.map(() => 0),
      );
    });
  }
});

/** Whether the middle of an element can be seen: inside the page, and beneath nothing. It runs in the page. */
function isSeen(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found !== null && (element.contains(found) || found.contains(element));
}
