import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { consentPanel, permissionQuestion } from '../pages/consentPanel.ts';
import { untilFocused } from '../pages/focus.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const askingServer = path.join(repositoryRoot, 'test', 'fixtures', 'servers', 'askingServer.mjs');
const anyQuestion = /^Permission:/;

/** What a server asks while its tool runs: where it is shown, and what becomes of it. */
describe('A question that a server asks', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    settings: { 'duplex.mcpServers': { asking: { command: 'node', args: [askingServer] } } },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `places-${name}.png`));
  const panelTab = (): Locator => workbench().page.getByRole('tab', { name: /^Permission/ });
  const untilResult = async (text: string, tool = 'ask_name'): Promise<void> => {
    // A tab that was covered from the start has no page before it is shown.
    await workbench()
      .page.getByRole('tab', { name: new RegExp(`^Run ${tool}`) })
      .click();
    await (await ToolRunner.of(workbench().page, tool)).untilResult(text);
  };
  const waiting = (): Locator => workbench().statusBarItem(/Duplex: \d/);
  let chat: Chat;

  before(async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'asking' }).waitFor();
    chat = await Chat.open(workbench());
    await chat.ask('run ask_name');
    await allow(chat.frame.getByRole('group', { name: /^Permission:.*start.*asking/i }), 'Allow');
    await allow(chat.frame.getByRole('group', { name: /^Permission:.*ask_name/ }), 'Allow for this session');
  });

  const runTool = (name = 'ask_name'): Promise<void> => ToolRunner.choose(workbench().page, name);
  const submit = async (question: Locator, name: string): Promise<void> => {
    await question.getByRole('textbox', { name: 'Name' }).fill(name);
    await allow(question, 'Submit');
  };

  it('because of the chat is a card in that answer, and not in the panel', async () => {
    const card = chat.toolCall('asking', 'ask_name').getByRole('group', { name: anyQuestion });
    await card.getByText('What is your name?').waitFor();
    await waiting().waitFor();
    await picture('chat');
    assert.equal(await panelTab().count(), 0);
    await submit(card, 'Ada');
    await chat.answers.last().getByText('form-1: accept Ada').waitFor();
    await chat.untilIdle();
    assert.equal(await panelTab().count(), 0);
  });

  it('because of Run Tool is in the panel, and not in the chat; closing the panel refuses it', async () => {
    await runTool();
    await allow(await permissionQuestion(workbench(), /^Permission:.*ask_name.*Run Tool/), 'Allow for this session');
    const question = await permissionQuestion(workbench(), /^Permission:.*asking/);
    await question.getByText('form-2').waitFor();
    assert.equal(await chat.frame.getByRole('group', { name: anyQuestion }).count(), 0);
    await panelTab().hover();
    await panelTab().locator('.tab-actions .action-label').click();
    await untilResult('form-2: cancel');
    await waiting().waitFor({ state: 'detached' });
    assert.equal(await panelTab().count(), 0);
  });

  it('beside another one is answered on its own', async () => {
    await runTool();
    await permissionQuestion(workbench(), /^Permission:.*asking/);
    await runTool('ask_nickname');
    await allow(await permissionQuestion(workbench(), /^Permission:.*ask_nickname.*Run Tool/), 'Allow once');
    const page = await consentPanel(workbench());
    const questionAbout = (form: string): Locator => page.getByRole('group', { name: anyQuestion }).filter({ hasText: form });
    await questionAbout('form-4').waitFor();
    await picture('two-in-panel');
    assert.equal(await page.getByRole('group', { name: anyQuestion }).count(), 2);
    await submit(questionAbout('form-4'), 'Grace');
    await untilResult('form-4: accept Grace', 'ask_nickname');
    await panelTab().click();
    await questionAbout('form-3').getByRole('button', { name: 'Decline', exact: true }).click();
    await untilResult('form-3: decline');
    await waiting().waitFor({ state: 'detached' });
  });

  it('in a chat that is out of view is told of once, by a notification that leads to it and goes when it is seen', async () => {
    await chat.ask('run ask_name');
    await chat.toolCall('asking', 'ask_name').last().getByText('form-5').waitFor();
    await workbench().runCommand('View: Show Explorer');
    const sentence = 'The MCP server “asking” waits for your answer.';
    const toast = await workbench().notifications.waitFor(sentence);
    await picture('notification');
    assert.equal(await workbench().notifications.toasts.filter({ hasText: sentence }).count(), 1);
    await toast.getByRole('link').or(toast.locator('a')).first().click();
    await chat.message.waitFor();
    await toast.waitFor({ state: 'detached' });
    await chat.question().getByRole('button', { name: 'Decline', exact: true }).click();
    await chat.untilIdle();
    await waiting().waitFor({ state: 'detached' });
  });

  it('about a list remarks on the very item, keeps the focus when one is removed, and shows a long choice whole', async () => {
    const delivery = 'within three working days, between eight and noon, at the back door';
    await chat.ask('run read_file with {"path": "README.md"}');
    await allow(chat.question(), 'Allow once');
    await chat.untilIdle();
    const items = ['tea', 'A workspace without servers, for tests that need none.', 'milk'];
    await chat.ask(`run order with ${JSON.stringify({ items, delivery })}`);
    const question = chat.frame.getByRole('group', { name: /^Permission:.*“order”/ });
    const list = question.getByRole('group', { name: 'items', exact: true });
    const item = (place: number): Locator => list.getByRole('textbox', { name: `items ${place}`, exact: true });
    await item(3).waitFor();
    assert.equal(await list.getByText('Carries text from a result of editor read_file.').count(), 1);
    const belowSecond = list.locator('.argument-item').nth(1).locator('xpath=following-sibling::*[1]');
    assert.match(await belowSecond.innerText(), /^Carries text from a result of editor read_file\.$/);
    assert.equal(await question.locator('.chosen-value').innerText(), delivery);
    await question.locator('.chosen-value').scrollIntoViewIfNeeded();
    await picture('list-items');
    await list.getByRole('button', { name: 'Remove items 1' }).press('Enter');
    await untilFocused('the item that followed', item(1));
    assert.equal(await item(1).inputValue(), items[1]);
    assert.equal(await list.getByText('Carries text from a result of editor read_file.').count(), 1, 'it moved with its item');
    await list.getByRole('button', { name: 'Remove items 2' }).press('Enter');
    await untilFocused('the button that adds one', list.getByRole('button', { name: 'Add to items' }));
    await item(1).fill('coffee');
    await list.getByText('Carries text from a result').waitFor({ state: 'detached' });
    await allow(question, 'Allow once');
    await chat.answers.last().getByText('["coffee"]').first().waitFor();
    await chat.untilIdle();
  });

  it('is gone, and its server told, when the answer is stopped', async () => {
    await chat.ask('run ask_name');
    await chat.question().getByText('form-6').waitFor();
    await chat.stop.click();
    await chat.untilIdle();
    await waiting().waitFor({ state: 'detached' });
    assert.equal(await chat.frame.getByRole('group', { name: anyQuestion }).count(), 0);
    assert.equal(await panelTab().count(), 0);
  });

  it('goes with its window, and the record says that nobody answered it', async () => {
    await runTool();
    const question = await permissionQuestion(workbench(), /^Permission:.*asking/);
    await question.getByText('form-7').waitFor();
    await workbench().closeWindow();
    const file = path.join(workbench().folders.data, 'data', 'User', 'globalStorage', 'duplex-mcp.duplex', 'audit.jsonl');
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const asked = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ action }) => action === 'askPerson');
    assert.deepEqual(
      asked.map(({ decidedBy, outcome }) => `${String(outcome)} by ${String(decidedBy)}`),
      [
        'allowed by person',
        'denied by person',
        'allowed by person',
        'denied by person',
        'denied by person',
        'cancelled by nobody',
        'cancelled by nobody',
      ],
    );
  });
});
