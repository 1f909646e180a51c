import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, useTools, type ScriptedTurn } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { untilFocused } from '../pages/focus.ts';
import { connectOutside } from '../pages/outsideProgram.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const cut: ScriptedTurn = { kind: 'answer', blocks: [{ kind: 'text', text: 'The first half' }], stopReason: 'max_tokens' };
const readsEditor = /^Permission: Claude.* wants to read this workspace’s files, problems, symbols and test results/;
const links = `The sum is wrong in src/cart.js:36, see \`src/cart.js:3\` and [the prices](./src/prices.js#L2) of tiny-till@1.0.0; src/gone.js:1 is gone.`;

/** One window for all steps: the model is a stand-in that speaks the real wire format. */
describe('Somebody who works with the keyboard', () => {
  let api: AnthropicServer;
  let chat: Chat;
  before(async () => {
    api = await AnthropicServer.start();
  });
  after(() => api.close());
  const shared = useWorkbench({
    version: 'ceiling',
    builtIns: 'all',
    viewport: { width: 1280, height: 900 },
    // Read when the window opens: the address is not known before.
    get settings() {
      return { 'duplex.anthropic.baseUrl': api.url };
    },
    get env() {
      return { ANTHROPIC_API_KEY: api.apiKey };
    },
  });
  const picture = (name: string): Promise<void> => shared().screenshot(path.join(outFolder, 'looks', `${name}.png`));
  const row = (text: string | RegExp): Locator => shared().views.rows('MCP Servers').filter({ hasText: text }).first();
  const position = (text: string): Locator => shared().page.locator('[id="status.editor.selection"]', { hasText: text });

  it('is led to each question that a suggestion causes, reads who asks, and is back in the composer after the last', async () => {
    await shared().openView('Duplex');
    await row(/demo.*needs permission/).waitFor();
    chat = await Chat.open(shared());
    api.script([useTools(['editor__get_diagnostics', { severity: 'error' }]), say('No problems.')]);
    await chat.frame.getByRole('button', { name: 'Look at the problems' }).click();
    const question = chat.frame.getByRole('group', { name: readsEditor });
    await untilFocused('the question of the tool', question);
    await question.getByText('get_diagnostics').waitFor();
    await question.getByText('"severity": "error"').waitFor();
    await picture('keyboard-question');
    await question.getByRole('button', { name: 'Deny', exact: true }).press('Enter');
    await untilFocused('the composer', chat.message);
    await chat.answers.last().getByText('No problems.').waitFor();
    await chat.untilIdle();
  });

  it('stays in the question it is in when another one comes, and is led there after it', async () => {
    api.script([useTools(['editor__get_diagnostics', {}], ['editor__run_tests', { wait: false }]), say('Neither, then.')]);
    await chat.ask('Both, please.');
    const first = chat.frame.getByRole('group', { name: readsEditor });
    const second = chat.frame.getByRole('group', { name: /^Permission: Claude.* wants to run “npm test”/ });
    await second.waitFor();
    await untilFocused('the first question', first);
    await first.getByRole('button', { name: 'Deny', exact: true }).press('Enter');
    await untilFocused('the second question', second);
    await second.getByRole('button', { name: 'Deny', exact: true }).press('Enter');
    await chat.answers.last().getByText('Neither, then.').waitFor();
    await untilFocused('the composer', chat.message);
    await chat.untilIdle();
  });

  it('sees a pause as a neutral notice, and the focus goes on after Continue', async () => {
    api.script([cut, say(' and the second half.')]);
    await chat.ask('Tell me all.');
    const go = chat.answers.last().getByRole('button', { name: 'Continue' });
    await go.waitFor();
    assert.equal(await chat.frame.locator('.error-note').count(), 0, 'a pause is no error');
    await picture('keyboard-paused');
    await go.press('Enter');
    await chat.answers.last().getByText('and the second half.').waitFor();
    await untilFocused('the composer', chat.message);
    await chat.untilIdle();
  });

  it('opens files at the line an answer names, is told of one that is missing, and sees no link in a package’s version', async () => {
    api.script([say(links)]);
    await chat.ask('What is wrong?');
    const answer = chat.answers.last();
    await answer.getByText('is gone').waitFor();
    await chat.untilIdle();
    assert.deepEqual(await answer.getByRole('link').allTextContents(), ['src/cart.js:36', 'src/cart.js:3', 'the prices', 'src/gone.js:1']);
    await picture('keyboard-links');
    await answer.getByRole('link', { name: 'src/cart.js:36' }).click();
    await position('Ln 36,').waitFor();
    await answer.getByRole('link', { name: 'the prices' }).press('Enter');
    await shared().page.locator('.tab.active', { hasText: 'prices.js' }).waitFor();
    await position('Ln 2,').waitFor();
    await answer.getByRole('link', { name: 'src/gone.js:1' }).click();
    await shared().notifications.waitFor('There is no file “src/gone.js” in this workspace.');
  });

  it('is led from the button of a server to its question, and back to the tree', async () => {
    await shared().views.press(row('demo'), /Start Server/);
    const question = await permissionQuestion(shared(), /^Permission:.*demo/);
    await untilFocused('the start question', question);
    await allow(question, 'Allow');
    await row(/demo.*tools/).waitFor();
    await untilFocused('the tree', shared().page.locator('.part.sidebar .pane .monaco-list').first());
  });

  it('runs a tool by hand with Enter, which nobody is asked about again', async () => {
    const runner = await ToolRunner.open(shared().page, { label: 'Roll dice', name: 'roll_dice' });
    await untilFocused('the first field', runner.form.getByRole('textbox', { name: 'sides' }));
    await runner.untilArmed();
    await shared().page.keyboard.press('Enter');
    await picture('keyboard-run-tool');
    await runner.untilResult(/You rolled/);
  });

  it('keeps the focus when a program from outside wants to connect, whatever tab is in front', async () => {
    await shared().page.locator('.tab.active', { hasText: 'Run roll_dice' }).waitFor();
    await chat.message.click();
    await untilFocused('the composer', chat.message);
    const client = await connectOutside(await readDiscovery(shared().folders.home), 'outsider');
    const call = client.callTool({ name: 'list_workspace_folders', arguments: {} });
    const question = await permissionQuestion(shared(), /^Permission:.*outsider/);
    await untilFocused('the composer', chat.message);
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await call;
    await client.close();
  });
});
