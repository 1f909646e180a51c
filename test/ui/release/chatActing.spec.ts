import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, useTools } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { EditReview } from '../pages/editReview.ts';
import { allow } from '../pages/questions.ts';
import { eventually } from '../harness/duplexProcesses.ts';
import { untilFocused } from '../pages/focus.ts';

const readsEditor = /^Permission: .* wants to read this workspace’s files/;
const block = 'Change `src/prices.js`:\n\n```js\nexport const prices = {};\n```\n\nand run it:\n\n```sh\nnpm run nothing\n```\n';

/** One window for all steps; the model is a stand-in that speaks the real wire format. */
describe('Somebody who acts on what was said, while an answer is under way, or later', function () {
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

  it('denies one of two tools of two servers that run side by side, and the model gets both answers in order', async () => {
    api.script([useTools(['demo__roll_dice', {}], ['editor__list_workspace_folders', {}]), say('One of them, then.')]);
    await chat.ask('Look at both.');
    const shop = chat.toolCall('demo', 'roll_dice').getByRole('group', { name: /^Permission:/ });
    const folders = chat.toolCall('editor', 'list_workspace_folders').getByRole('group', { name: readsEditor });
    await folders.waitFor();
    await shop.getByRole('button', { name: 'Deny', exact: true }).click();
    await allow(folders, 'Allow for this session');
    await chat.answers.last().getByText('One of them, then.').waitFor();
    await chat.untilIdle();
    const results = api.messageBodies.at(-1)?.messages.at(-1)?.content;
    assert.ok(Array.isArray(results));
    assert.deepEqual(
      results.flatMap((result) => (result.type === 'tool_result' ? [result.is_error === true] : [])),
      [true, false],
      'in the order of the calls',
    );
  });

  it('edits the last message with Up, walks back to the version before, and has the answer written anew', async () => {
    api.script([say('A first answer.'), say('Another answer.'), say('A third answer.')]);
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
    await chat.ask('Old words');
    await chat.answers.last().getByText('A first answer.').waitFor();
    await chat.untilIdle();
    await chat.message.press('ArrowUp');
    const box = chat.frame.getByRole('textbox', { name: 'Edit message' });
    await untilFocused('the message', box);
    await box.press('Escape');
    await untilFocused('the composer', chat.message);
    await chat.message.press('ArrowUp');
    await box.fill('New words');
    await picture('acting-edit');
    await box.press('Enter');
    await chat.answers.last().getByText('Another answer.').waitFor();
    await chat.untilIdle();
    const you = chat.frame.getByRole('article', { name: 'You' });
    await you.getByText('2 of 2').waitFor();
    await you.getByRole('button', { name: 'Previous version' }).click();
    await you.getByText('Old words').waitFor();
    await chat.answers.last().getByText('A first answer.').waitFor();
    await you.getByRole('button', { name: 'Next version' }).click();
    await chat.answers.last().getByText('Another answer.').waitFor();
    await chat.answers.last().getByRole('button', { name: 'Retry' }).click();
    await chat.answers.last().getByText('A third answer.').waitFor();
    await chat.untilIdle();
    await you.getByText('3 of 3').waitFor();
    await chat.answers.last().getByRole('button', { name: 'Good answer' }).click();
    await chat.answers.last().getByRole('button', { name: 'Good answer', pressed: true }).waitFor();
    await picture('acting-versions');
  });

  it('goes on after answers that were written to hang the page', async () => {
    api.script([say(`${'>   '.repeat(19)}x`), say('> a\nb\n'.repeat(20_000)), say('# Still here')]);
    for (const [index, last] of ['x', '> a', 'Still here'].entries()) {
      await chat.ask(`Slow ${index}`);
      await chat.answers.last().getByText(last).first().waitFor();
      await chat.untilIdle();
    }
    await chat.answers.last().getByRole('heading', { name: 'Still here' }).waitFor();
  });

  it('applies a block of code through the diff, is asked before one runs, and takes the edit back', async () => {
    api.script([say(block)]);
    const before = await fileText('src/prices.js');
    await chat.ask('How?');
    const answer = chat.answers.last();
    await answer.getByRole('button', { name: 'Apply' }).waitFor();
    await answer.locator('.code-keyword', { hasText: 'export' }).waitFor();
    await chat.untilIdle();
    await picture('acting-code');
    await answer.getByRole('button', { name: 'Run in terminal' }).click();
    const question = chat.question();
    await question.getByText('npm run nothing').first().waitFor();
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await answer.getByText('Denied').first().waitFor({ state: 'attached' });
    await answer.getByRole('button', { name: 'Apply' }).click();
    const review = new EditReview(workbench());
    await review.waitFor(/prices\.js \(proposed by/);
    await review.accept.click();
    await answer.getByRole('group', { name: '1 file changed' }).waitFor();
    await picture('acting-edits');
    const changed = answer.getByRole('group', { name: '1 file changed' });
    await changed.getByRole('button', { name: /src\/\s?prices\.js/ }).click();
    await workbench().page.locator('.tabs-container .tab').filter({ hasText: 'before this answer' }).waitFor();
    await answer.getByRole('button', { name: 'Undo edits of this turn' }).click();
    await answer.getByText('undone', { exact: true }).waitFor();
    // VS Code in a browser saves by itself, a moment after each change.
    await eventually('the file as it was', 20_000, async () => ((await fileText('src/prices.js')) === before ? true : undefined));
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
