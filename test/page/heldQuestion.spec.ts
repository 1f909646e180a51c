import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { answerText, emptyState, longConversation } from '../support/page/longConversation.ts';
import { untilArmed } from '../ui/pages/questions.ts';

const { conversationId } = emptyState();
const running = { kind: 'toolCall', id: 'slow', server: 'other', tool: 'slow', arguments: '{}', result: [], resultBytes: 0 };
const asking = { ...running, id: 'asking', server: 'demo', tool: 'roll_dice', state: 'waiting', question: callQuestion({ sides: 6 }) };
const working = (progress?: object): object => ({ ...running, state: 'running', ...(progress && { progress }) });
const text = (words: string): object => ({ kind: 'text', id: 'text', text: words });

/** What comes above an open question while somebody aims at an answer, one after the other. */
const happenings: Readonly<Record<string, readonly object[]>> = {
  'a word about progress': [text('So.'), working({ value: 1, message: 'One' })],
  'a long word about progress': [text('So.'), working({ value: 2, message: 'a progress message that grows '.repeat(30) })],
  'words of the model': [text(answerText), working({ value: 2 })],
  'the end of the call above': [text(answerText), { ...running, state: 'done', elapsedMs: 10 }],
  'its error': [text(answerText), { ...running, state: 'failed', error: 'It broke.\n'.repeat(4) }],
  'less than there was': [{ ...running, state: 'done' }],
  'nothing at all': [],
  'all of it again': [text(answerText), working({ value: 2, message: 'again' })],
};

describe('An open question in the chat', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });
  /** Shows these parts above the question, with a note below it that tells when they are drawn. */
  const show = async (parts: readonly object[], note: string): Promise<void> => {
    const all = [...parts, asking, { kind: 'notice', id: 'note', text: note }];
    await bare.post('chat/item', { conversationId, item: { kind: 'assistant', id: 'a', state: 'streaming', parts: all } });
    await bare.page.getByText(note, { exact: true }).waitFor({ state: 'attached' });
  };
  /** Where every answer is, once the page has been drawn; a frame scrolls by whole pixels, so a place may be off by a part of one. */
  const places = (): Promise<readonly (readonly [label: string, left: number, top: number])[]> =>
    bare.page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(
      [...document.querySelectorAll('[data-question] .button-row button')].map((each) => {
        const { left, top } = each.getBoundingClientRect();
        return [each.textContent, left, top];
      })))))`);

  afterEach(() => bare.close());

  for (const [what, messages, height, mark] of [
    ['a short conversation', 0, 800, ' (release)'],
    ['a long conversation', 40, 800, ''],
    ['a low window', 6, 440, ' (release)'],
  ] as const) {
    it(`stays where it is on the screen in ${what}, whatever happens above it${mark}`, async () => {
      bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height } });
      await bare.post('chat/state', { ...longConversation(messages), isRunning: true });
      await show([text('So.'), working()], 'at first');
      await untilArmed(card(), 'Allow for this session');
      const before = await places();
      for (const [happening, parts] of Object.entries(happenings)) {
        await show(parts, happening);
        const moved = (await places()).map(([label, left, top], index) => [
          label,
          left - (before[index]?.[1] ?? 0),
          top - (before[index]?.[2] ?? 0),
        ]);
        assert.ok(
          moved.every(([, ...by]) => by.every((each) => Math.abs(Number(each)) <= 1)),
          `${happening} moved it: ${JSON.stringify(moved)}`,
        );
      }
      assert.equal(await card().getByRole('button', { name: 'Allow once', disabled: false }).count(), 1, 'it stayed armed');
      assert.deepEqual(bare.complaints, []);
    });
  }

  it('moves when somebody opens what is above it, gives back the room that it took, and lets nobody allow what has just moved (release)', async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height: 800 } });
    await bare.post('chat/state', { ...emptyState(), isRunning: true });
    await show([text('So.'), { ...running, state: 'done', result: [{ kind: 'text', text: 'x\n'.repeat(4) }] }], 'at first');
    await untilArmed(card(), 'Allow once');
    const before = JSON.stringify(await places());
    await bare.page.getByRole('button', { name: /slow/ }).click();
    await bare.page.waitForFunction(() => document.querySelector('[data-question] [aria-disabled="true"]') !== null);
    assert.notEqual(JSON.stringify(await places()), before);
    await show([text(answerText), { ...running, state: 'done' }], 'more');
    await bare.post('chat/item', { conversationId, item: { kind: 'assistant', id: 'a', state: 'done', parts: [text('So.')] } });
    await card().waitFor({ state: 'detached' });
    const log = bare.page.getByRole('log', { name: 'Conversation' });
    assert.equal(await log.evaluate((frame) => frame.scrollHeight - frame.clientHeight), 0);
  });
});
