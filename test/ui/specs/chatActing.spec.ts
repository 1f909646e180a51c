import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, useTools } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { eventually } from '../harness/duplexProcesses.ts';
import { EditReview } from '../pages/editReview.ts';
import { untilFocused } from '../pages/focus.ts';
import { allow } from '../pages/questions.ts';

const readsEditor = /^Permission: .* wants to read this workspace’s files/;
const block = 'Change `src/prices.js`:\n\n```js\nexport const prices = {};\n```\n\nand run it:\n\n```sh\nnpm run nothing\n```\n';

/** One window for all steps; the model is a stand-in that speaks the real wire format. */
describe('Somebody who acts on what was said', function () {
  this.timeout(180_000);
  const { workbench, api: model } = useModelWorkbench();
  let api: AnthropicServer;
  let chat: Chat;
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `${name}.png`));
  const fileText = (name: string): Promise<string> => readFile(path.join(workbench().folders.workspace ?? '', name), 'utf8');

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
});
