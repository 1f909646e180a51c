import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, useTools } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { Counted } from '../pages/counted.ts';

const readsEditor = /^Permission: .* wants to read this workspace’s files, problems, symbols and test results$/;

describe('What a person has to do for what they asked for', () => {
  const { workbench, api: model } = useModelWorkbench();
  let api: AnthropicServer;
  let chat: Chat;
  let person: Counted;

  before(async () => {
    api = model();
    await workbench().reload(); // what was allowed for the session is asked again
    await workbench().openView('Duplex');
  });

  beforeEach(async () => {
    chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
    person = new Counted();
  });

  it('is one click for three calls at once, and no scrolling', async () => {
    const sides = [6, 12, 20];
    api.script([useTools(...sides.map((count) => ['demo__roll_dice', { sides: count }] as const)), say('All three are rolled.')]);
    await chat.ask('Roll three dice at once.');
    const together = chat.frame.getByRole('group', { name: 'Permission: 3 calls' });
    await together.waitFor();
    await together.getByRole('button', { name: 'Allow these 3', exact: true, disabled: false }).waitFor();
    await workbench().screenshot(path.join(outFolder, 'looks', 'three-calls.png'));
    await person.answer(together, 'Allow these 3');
    await chat.answers.last().getByText('All three are rolled.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(person.count, { questions: 1, clicks: 1, scrolls: 0 });
    assert.equal(await chat.toolCall('demo', 'roll_dice').count(), 3);
    const results = api.messageBodies.at(-1)?.messages.at(-1)?.content;
    assert.ok(Array.isArray(results));
    assert.equal(results.filter((result) => result.type === 'tool_result' && result.is_error !== true).length, 3);
  });

  it('is two clicks to have an error looked at and mended: what the model may read, and the change', async () => {
    api.script([
      useTools(['editor__get_diagnostics', { severity: 'error' }]),
      useTools(['editor__propose_edit', { path: 'src/prices.js', newText: 'export const prices = {};\n' }]),
      say('The error is gone.'),
    ]);
    await chat.ask('Mend the type error in the prices.');
    await person.answer(chat.frame.getByRole('group', { name: readsEditor }), 'Allow once');
    const review = chat.toolCall('editor', 'propose_edit');
    await review.getByText('Waiting for you', { exact: true }).waitFor();
    const accept = review.getByRole('button', { name: 'Accept', exact: true, disabled: false });
    await accept.waitFor();
    await person.press(accept, review.getByText('Waiting for you', { exact: true }));
    await chat.answers.last().getByText('The error is gone.').waitFor();
    await chat.untilIdle();
    assert.deepEqual(person.count, { questions: 1, clicks: 2, scrolls: 0 });
    const undo = chat.answers.last().getByRole('button', { name: 'Undo edits of this turn' });
    await undo.click();
    await undo.waitFor({ state: 'detached' });
  });
});
