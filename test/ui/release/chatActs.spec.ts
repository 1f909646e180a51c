import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { EditReview } from '../pages/editReview.ts';
import { allow, buttonNames, untilArmed } from '../pages/questions.ts';

/** The chat acts in the editor under the same questions as an outside program. */
describe('A person whose chat acts in the editor', function () {
  this.timeout(180_000);
  const workbench = useSharedWorkbench(actingWindow);
  let chat: Chat;

  before(async () => {
    await workbench().openView('Duplex');
    chat = await Chat.open(workbench());
    // The waiting demo server is not offered for what the editor has itself.
    await chat.ask('tools of editor');
    await chat.untilIdle();
    assert.equal(await chat.frame.getByRole('group', { name: /^Permission:/ }).count(), 0);
  });

  const buttons = async (question: Locator): Promise<readonly string[]> =>
    [...(await buttonNames(question.getByRole('button').filter({ hasNotText: 'All that is unfolded was in view' })))].sort();

  async function setTestScript(script: string): Promise<void> {
    const file = path.join(workbench().folders.workspace ?? '', 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { scripts: Record<string, string> };
    manifest.scripts['test'] = script;
    await writeFile(file, JSON.stringify(manifest));
  }

  it('sees on the card what would run, not the arguments, and is offered no more than an outside program', async () => {
    await chat.ask('run run_tests with {"wait": false}');
    const question = chat
      .toolCall('editor', 'run_tests')
      .last()
      .getByRole('group', { name: 'Permission: The offline guide wants to run “npm test”' });
    assert.equal(await question.getByRole('region', { name: 'Command' }).textContent(), 'npm test');
    assert.equal(await question.getByRole('region', { name: 'Script scripts.test' }).textContent(), 'node --test');
    await untilArmed(question, 'Allow for this session');
    assert.deepEqual(await buttons(question), ['Allow for this session', 'Allow once', 'Deny']);
    await allow(question, 'Allow for this session');
    await chat.answers
      .last()
      .getByText(/ran and answered/)
      .waitFor();
    await chat.untilIdle();
  });

  it('is not asked about the identical run, and is asked again with the difference when the script is another one', async () => {
    await chat.ask('run run_tests with {"wait": false}');
    await chat.answers
      .nth(2)
      .getByText(/ran and answered/)
      .waitFor();
    await chat.untilIdle();
    await setTestScript('node --test && echo sent');
    await chat.ask('run run_tests with {"wait": false}');
    const question = chat.question();
    await question.getByText('It has changed since you allowed it for this session.').waitFor();
    assert.equal(await question.getByRole('region', { name: 'Script scripts.test' }).textContent(), 'node --test && echo sent');
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.answers
      .last()
      .getByText(/did not run/)
      .waitFor();
    await chat.untilIdle();
  });

  it('is asked once about an edit: in its diff', async () => {
    await chat.ask('run propose_edit with {"path": "src/cart.js", "newText": "nothing"}');
    const review = new EditReview(workbench());
    await review.waitFor(/cart\.js \(proposed by The offline guide in the chat/);
    assert.equal(await review.accept.innerText(), 'Accept', 'the title of the editor says it in words');
    assert.equal(await chat.question().count(), 0, 'nothing is asked in the chat');
    await review.reject.click();
    await review.giveReason('keep it');
    await chat.untilIdle();
    assert.match((await chat.toolCall('editor', 'propose_edit').last().textContent()) ?? '', /keep it|Done/);
  });

  it('accepts an edit on its card, where the diff is shown too', async () => {
    await chat.ask('run propose_edit with {"path": "src/cart.js", "newText": "const taken = true;"}');
    const card = chat.toolCall('editor', 'propose_edit').last();
    await card.getByText('Waiting for you', { exact: true }).waitFor();
    await card.getByText('+ const taken = true;').waitFor();
    await untilArmed(card, 'Accept');
    await card.getByRole('button', { name: 'Accept', exact: true }).click();
    await chat.untilIdle();
    assert.match((await card.textContent()) ?? '', /Done.*accepted/);
    const undo = chat.answers.last().getByRole('button', { name: 'Undo edits of this turn' });
    await undo.click();
    await undo.waitFor({ state: 'detached' });
  });
});
