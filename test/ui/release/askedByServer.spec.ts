import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { say, useTools } from '../../fixtures/anthropic/turns.ts';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const anyQuestion = /^Permission:/;

describe('A form of a server', () => {
  const { workbench, api } = useModelWorkbench();
  const panelTab = (): Locator => workbench().page.getByRole('tab', { name: /^Permission/ });
  const waiting = (): Locator => workbench().statusBarItem(/Duplex: \d/);
  let chat: Chat;

  before(async () => {
    chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
  });

  it('is a card in the answer whose tool caused it, and what was typed goes to the server', async () => {
    api().script([useTools(['asking__ask_name', {}]), say('A fine name.')]);
    await chat.ask('Who am I?');
    await allow(chat.frame.getByRole('group', { name: /^Permission:.*ask_name/ }), 'Allow once');
    const card = chat.toolCall('asking', 'ask_name').getByRole('group', { name: anyQuestion });
    await card.getByText('What is your name?').waitFor();
    await waiting().waitFor();
    assert.equal(await panelTab().count(), 0);
    await card.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await allow(card, 'Submit');
    await chat.answers.last().getByText('A fine name.').waitFor();
    assert.match(JSON.stringify(api().messageBodies.at(-1)), /form-1: accept Ada/);
    await chat.untilIdle();
    await waiting().waitFor({ state: 'detached' });
  });

  it('is in the panel when Run Tool caused it, and is declined there', async () => {
    await ToolRunner.choose(workbench().page, 'ask_name');
    await allow(await permissionQuestion(workbench(), /^Permission:.*ask_name.*Run Tool/), 'Allow once');
    const question = await permissionQuestion(workbench(), /^Permission:.*asking/);
    await question.getByText('form-2').waitFor();
    assert.equal(await chat.frame.getByRole('group', { name: anyQuestion }).count(), 0);
    await question.getByRole('button', { name: 'Decline', exact: true }).click();
    const tab = workbench().page.getByRole('tab', { name: /^Run ask_name/ });
    await tab.click(); // one that was covered from the start has no page before it is shown
    await (await ToolRunner.of(workbench().page, 'ask_name')).untilResult('form-2: decline');
    await waiting().waitFor({ state: 'detached' });
  });
});
