import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, useTools } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { EditReview } from '../pages/editReview.ts';

/** One window for all steps; the model is a stand-in that speaks the real wire format. */
describe('Somebody who acts while an answer is under way, or later', function () {
  this.timeout(180_000);
  const { workbench, api: model } = useModelWorkbench();
  let api: AnthropicServer;
  let chat: Chat;
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `${name}.png`));
  const fileText = (name: string): Promise<string> => readFile(path.join(workbench().folders.workspace ?? '', name), 'utf8');

  /** Of all tools of the conversation, as the model was told. */
  function assertToolsSucceeded(): void {
    const parts = api.messageBodies.at(-1)?.messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])) ?? [];
    const results = parts.filter((part) => part.type === 'tool_result');
    assert.ok(results.length > 0);
    const failed = results.filter((result) => result.is_error !== false);
    assert.ok(failed.length === 0, JSON.stringify(failed)); // in one line: the summary of a run has no other
  }

  before(async () => {
    api = model();
    await workbench().reload(); // what was allowed for the session is asked again
    await workbench().openView('Duplex');
    chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
  });

  it('stops in the middle of a call that waits for its answer, and the next message is understood', async () => {
    api.script([useTools(['editor__run_terminal_command', { command: 'echo one' }]), say('Back again.')]);
    const before = await chat.answers.count();
    await chat.ask('Run it.');
    await chat.answers
      .nth(before)
      .getByRole('group', { name: /^Permission:/ })
      .waitFor();
    await chat.stop.click();
    await chat.answers.nth(before).getByText('You stopped this answer.').waitFor();
    await chat.ask('Are you there?');
    await chat.answers
      .nth(before + 1)
      .getByText('Back again.')
      .waitFor();
    await chat.untilIdle();
  });

  it('queues what it types meanwhile, and it is sent when the answer is done', async () => {
    api.script([say('One two three four.'), say('And backwards.')]);
    api.gate.hold(1);
    const before = await chat.answers.count();
    await chat.ask('Count.');
    await chat.answers.nth(before).getByText('One').waitFor();
    await chat.message.fill('And backwards?');
    await chat.message.press('Enter');
    await chat.frame.getByRole('list', { name: 'Queued messages' }).getByText('Queued: And backwards?').waitFor();
    await picture('acting-queue');
    api.gate.release();
    await chat.answers
      .nth(before + 1)
      .getByText('And backwards.')
      .waitFor();
    await chat.untilIdle();
  });

  it('accepts and saves the files of one proposal one by one, and takes them back after a reload', async () => {
    const texts = [await fileText('README.md'), await fileText('test/cart.test.js')];
    const files = [
      { path: 'README.md', newText: 'Other words.\n' },
      { path: 'test/cart.test.js', edits: [{ oldText: texts[1], newText: 'export const prices = {};\n' }] },
      { path: 'src/new.js', newText: 'export {};\n' },
    ];
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
    api.script([useTools(['editor__propose_edits', { files, save: true }]), say('All are changed.')]);
    const before = await chat.answers.count();
    await chat.ask('Change them together.');
    const review = new EditReview(workbench());
    for (const place of ['1 of 3', '2 of 3', '3 of 3']) {
      await review.waitFor(place);
      await review.button('Accept and save').click();
      await review.tab(place).waitFor({ state: 'detached' });
    }
    await chat.answers.nth(before).getByText('All are changed.').waitFor();
    await chat.untilIdle();
    assertToolsSucceeded();
    assert.deepEqual([await fileText('README.md'), await fileText('src/new.js')], ['Other words.\n', 'export {};\n']);
    await workbench().reload();
    chat = await Chat.open(workbench());
    const answer = chat.answers.last();
    await answer.getByRole('group', { name: '3 files changed' }).getByRole('button', { name: 'Undo edits of this turn' }).click();
    await answer.getByText('undone', { exact: true }).nth(2).waitFor();
    assert.deepEqual([await fileText('README.md'), await fileText('test/cart.test.js')], texts);
    await assert.rejects(fileText('src/new.js'), { code: 'ENOENT' });
  });

  it('takes back all edits of a turn of the model at once', async () => {
    const texts = [await fileText('README.md'), await fileText('src/prices.js')];
    const edit = (file: string, newText: string): ReturnType<typeof useTools> =>
      useTools(['editor__propose_edit', { path: file, newText, save: true }]);
    api.script([edit('README.md', 'Other words.\n'), edit('src/prices.js', 'export const prices = {};\n'), say('Both are changed.')]);
    await chat.ask('Change both.');
    const review = new EditReview(workbench());
    for (const name of [/README\.md \(proposed by/, /prices\.js \(proposed by/]) {
      await review.waitFor(name);
      await review.button('Accept and save').click();
      await review.tab(name).waitFor({ state: 'detached' });
    }
    const answer = chat.answers.last();
    await answer.getByText('Both are changed.').waitFor();
    await chat.untilIdle();
    assertToolsSucceeded();
    assert.equal(await fileText('README.md'), 'Other words.\n');
    await answer.getByRole('group', { name: '2 files changed' }).getByRole('button', { name: 'Undo edits of this turn' }).click();
    await answer.getByText('undone', { exact: true }).nth(1).waitFor();
    assert.deepEqual([await fileText('README.md'), await fileText('src/prices.js')], texts);
  });
});
