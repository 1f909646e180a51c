import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, type ScriptedTurn } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { allow, furtherAnswers } from '../pages/questions.ts';

const lookAtFolders: ScriptedTurn = {
  kind: 'answer',
  blocks: [
    { kind: 'text', text: 'Let me look.' },
    { kind: 'toolUse', name: 'editor__list_workspace_folders', input: {} },
  ],
};

const looks = ['list_workspace_folders', 'list_open_editors', 'get_diagnostics'];
const lookAround: ScriptedTurn = {
  kind: 'answer',
  blocks: looks.map((tool) => ({ kind: 'toolUse', name: `editor__${tool}`, input: {} })),
};
const readsEditor = /^Permission: .* wants to read this workspace’s files, problems, symbols and test results$/;

const readNotes: ScriptedTurn = {
  kind: 'answer',
  blocks: [{ kind: 'toolUse', name: 'read_resource', input: { server: 'reviewer', uri: 'test://first' } }],
};

/** The model is the one stand-in: a local server that speaks the real wire format. */
describe('The chat with an Anthropic model', () => {
  const { workbench, api: model } = useModelWorkbench();
  let api: AnthropicServer;
  let chat: Chat;
  before(() => {
    api = model();
  });

  beforeEach(async () => {
    chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
  });

  it('streams an answer, asks before a tool runs, shows the result and the final answer', async () => {
    api.script([lookAtFolders, say('You have one folder.')]);
    api.gate.hold(2);
    await chat.ask('Which folders are open?');
    await chat.answers.last().getByText('Let').waitFor();
    await chat.stop.waitFor();
    api.gate.release();
    const question = chat.question();
    await question.getByText('list_workspace_folders').first().waitFor();
    await allow(question, 'Allow once');
    await chat.answers.last().getByText('You have one folder.').waitFor();
    await chat.untilIdle();
    const call = chat.toolCall('editor', 'list_workspace_folders');
    await call.getByRole('button').first().click();
    await call
      .getByText(path.basename(workbench().folders.workspace ?? ''))
      .first()
      .waitFor();
  });

  it('tells the model when the person denies, and runs nothing', async () => {
    api.script([lookAtFolders, say('Understood.')]);
    await chat.ask('Which folders are open?');
    await chat.question().getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.answers.last().getByText('Understood.').waitFor();
    const results = JSON.stringify(api.messageBodies.at(-1));
    assert.match(results, /"is_error":true/);
    assert.match(results, /declined/);
    assert.ok(!results.includes(workbench().folders.workspace ?? ''), 'nothing of the workspace reached the model');
  });

  it('is asked once for all that it reads: one answer for longer settles what waits, and what comes later', async () => {
    api.script([lookAround, say('I have seen it.'), lookAround, say('And again.')]);
    await chat.ask('Look around.');
    const cards = chat.frame.getByRole('group', { name: readsEditor });
    await cards.nth(2).waitFor();
    const card = (tool: string): Locator => chat.toolCall('editor', tool).getByRole('group', { name: readsEditor });
    await card('list_open_editors').getByText('Withheld files and terminals are not included.').waitFor();
    await card('list_open_editors')
      .getByRole('button', { name: /Tools.*for all of which/ })
      .click();
    await card('list_open_editors').getByRole('listitem').filter({ hasText: 'read_file' }).waitFor();
    assert.equal(await card('list_open_editors').getByText('get_terminal_output').count(), 0);
    assert.deepEqual(await furtherAnswers(card('list_open_editors')), ['Allow in this workspace', 'Always allow', 'Always deny']);
    await workbench().screenshot(path.join(outFolder, 'looks', 'reads-editor.png'));
    await allow(card('list_workspace_folders'), 'Allow once');
    await card('list_workspace_folders').waitFor({ state: 'detached' });
    assert.equal(await cards.count(), 2, '“Allow once” is for its own call');
    await allow(card('list_open_editors'), 'Allow for this session');
    await chat.answers.last().getByText('I have seen it.').waitFor();
    await chat.untilIdle();
    await chat.ask('Look again.');
    await chat.answers.last().getByText('And again.').waitFor();
    assert.equal(await cards.count(), 0, 'nothing is asked again');
  });

  it('is asked before a server hears which of its resources the model reads, and one answer holds for the server', async () => {
    api.script([readNotes, say('Then not.'), readNotes, say('I have read it.'), readNotes, say('And again.')]);
    await chat.ask('What is the weather?');
    const atServer = chat.frame.getByRole('group', { name: /^Permission: .* wants to read at the server “reviewer”$/ });
    assert.match(await atServer.getByRole('textbox', { name: 'Arguments as JSON' }).inputValue(), /test:\/\/first/);
    await atServer.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.answers.last().getByText('Then not.').waitFor();
    await chat.untilIdle();
    await chat.ask('And now?');
    await atServer.waitFor();
    assert.deepEqual(await furtherAnswers(atServer), ['Allow in this workspace', 'Always deny']);
    await allow(atServer, 'Allow for this session');
    const content = chat.frame.getByRole('group', { name: /^Permission: Send the resource/ });
    await allow(content, 'Allow once');
    await chat.answers.last().getByText('I have read it.').waitFor();
    await chat.untilIdle();
    await chat.ask('Once more.');
    await allow(content, 'Allow once');
    await chat.answers.last().getByText('And again.').waitFor();
    assert.equal(await atServer.count(), 0, 'reading there is not asked about again');
  });

  it('stops in the middle of an answer, keeps what was said, and answers the next question', async () => {
    api.script([say('One two three four five six seven eight nine ten.'), say('Back again.')]);
    api.gate.hold(1);
    await chat.ask('Count.');
    await chat.answers.last().getByText('One').waitFor();
    await chat.stop.click();
    await chat.untilIdle();
    api.gate.release();
    await chat.ask('Are you there?');
    await chat.answers.last().getByText('Back again.').waitFor();
  });
});
