import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { allow, furtherAnswers, pressUntilAnswered, untilArmed } from '../pages/questions.ts';

const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const resource = 'demo://resource/static/document/architecture.md';
const token = `ghp_${'a1B2'.repeat(9)}`;
const withSecret = `prompt args-prompt with {"city": "Rome (token=${token})", "state": "Lazio\\u200b password=hunter2horse"}`;

/** As the theme picker names them, and what VS Code then says of itself to a page. */
const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light High Contrast', 'vscode-high-contrast-light'],
  ['Light Modern', 'vscode-light'],
];

describe('A resource or a prompt in the chat', () => {
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    viewport: { width: 1280, height: 900 },
    settings: { 'duplex.mcpServers': { everything: { command: 'node', args: [everything] } } },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `content-${name}.png`));
  let chat: Chat;

  before(async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'needs permission' }).waitFor();
    chat = await Chat.open(workbench());
  });
  const content = (name: string): Locator => chat.frame.getByRole('group', { name: `Content: everything ${name}` }).last();
  const question = (kind: 'resource' | 'prompt', name: string): Locator =>
    chat.frame.getByRole('group', { name: `Permission: Send the ${kind} “${name}” of the server “everything” to the offline guide?` });
  /** Until the answer has begun: the one before it may say the same. */
  const ask = async (text: string): Promise<void> => {
    const before = await chat.answers.count();
    await chat.ask(text);
    await chat.answers.nth(before).waitFor();
  };
  const said = (words: RegExp): Promise<void> => chat.answers.last().getByText(words).first().waitFor();

  it('is listed on request, once its server may start', async () => {
    // The guide offers to start servers only for a tool that none of those that run has.
    await ask('run a_tool_of_another_server');
    await allow(chat.frame.getByRole('group', { name: /^Permission: Start the server “everything”/ }), 'Allow');
    await chat.untilIdle();
    await ask('list resources');
    await said(/demo:\/\/resource\/static\/document\/architecture\.md/);
    await chat.untilIdle();
    await ask('list prompts');
    await said(/\/args-prompt/);
    await chat.untilIdle();
    await picture('lists');
  });

  it('is asked about with what it is, whose and how large, and is not sent after Deny', async () => {
    await ask(`read ${resource}`);
    const asked = question('resource', 'architecture.md');
    await asked.getByText(/The offline guide is on this computer/).waitFor();
    const facts = asked.getByLabel('What would be sent');
    assert.match(await facts.innerText(), /demo:\/\/resource\/static\/document\/architecture\.md[\s\S]*KB/);
    await picture('resource');
    await asked.getByRole('button', { name: /Content.*about \d+ lines/ }).click();
    await asked.getByRole('group', { name: 'Text' }).getByText('Architecture').first().waitFor();
    await picture('resource-open');
    assert.deepEqual(await furtherAnswers(asked), ['Allow in this workspace', 'Always deny']);
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    await said(/was not sent/);
    await chat.untilIdle();
    await content('architecture.md')
      .getByRole('button', { name: /^Not sent/ })
      .waitFor();
  });

  it('is part of the conversation after Allow once, and can be read there as it was sent', async () => {
    await ask('read architecture.md');
    await allow(question('resource', 'architecture.md'), 'Allow once');
    await said(/is part of this conversation now/);
    await chat.untilIdle();
    const line = content('architecture.md').getByRole('button', { name: /architecture\.md/ });
    await line.click();
    await content('architecture.md').getByRole('group', { name: 'Text' }).waitFor();
    await picture('sent');
    await line.click();
  });

  it('is not asked about again after Allow for this session', async () => {
    await ask('read architecture.md');
    await allow(question('resource', 'architecture.md'), 'Allow for this session');
    await said(/is part of this conversation now/);
    await chat.untilIdle();
    await ask('read architecture.md');
    await said(/is part of this conversation now/);
    await chat.untilIdle();
    assert.equal(await chat.question().count(), 0);
  });

  it('names the arguments of a prompt that are missing, and what it understands', async () => {
    const before = await chat.answers.count();
    await chat.message.fill('/args-prompt');
    await chat.send.click(); // Enter would choose from the suggestions, once they are there
    await chat.answers.nth(before).waitFor();
    await said(/needs city/);
    await chat.untilIdle();
  });

  it('shows what is hidden in it, and is sent without its secrets, by keyboard alone', async () => {
    await ask(withSecret);
    const asked = question('prompt', 'args-prompt');
    await asked.getByText('secret 1, removed').waitFor();
    const text = await asked.innerText();
    assert.match(text, /1 invisible character/);
    assert.match(text, /⟨U\+200B⟩/);
    assert.ok(!text.includes(token));
    for (const [theme, bodyClass] of themes) {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await chat.frame.locator(`body.${bodyClass}`).waitFor();
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await asked.getByRole('checkbox').first().scrollIntoViewIfNeeded();
      await picture(theme);
    }
    const all = asked.getByRole('checkbox', { name: 'Remove secrets before sending' });
    const first = asked.getByRole('checkbox', { name: /^Remove secret 1, \d+ characters after “.*token=”$/ });
    assert.deepEqual([await all.isChecked(), await first.isChecked()], [true, true]);
    await first.press('Space');
    await asked.getByText('secret 1, sent as it is').waitFor();
    assert.equal(await all.isChecked(), false);
    await picture('kept');
    await all.press('Space');
    await asked.getByText('secret 1, removed').waitFor();
    await untilArmed(asked, 'Allow once');
    await picture('end');
    await pressUntilAnswered(asked, 'Allow once', async () => {
      await untilArmed(asked, 'Allow once');
      await asked.getByRole('button', { name: 'Allow once', exact: true }).press('Enter');
    });
    await said(/is part of this conversation now/);
    await chat.untilIdle();
    const sent = content('args-prompt');
    await sent.getByText(/2 secrets removed/).waitFor();
    await sent.getByRole('button', { name: /args-prompt/ }).click();
    await sent.getByText('secret 1, removed').first().waitFor();
  });

  it('is on record: what was decided and what was read', async () => {
    await workbench().runCommand('Duplex: Show Audit Log');
    const page = await workbench().webview('Duplex Audit Log');
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await rows
      .filter({ hasText: `Send ${resource} to the model` })
      .filter({ hasText: 'Denied' })
      .first()
      .waitFor();
    await rows
      .filter({ hasText: `Read ${resource}` })
      .filter({ hasText: 'Succeeded' })
      .first()
      .waitFor();
    await rows.filter({ hasText: 'Get the prompt args-prompt' }).filter({ hasText: 'Succeeded' }).first().waitFor();
    await workbench().runCommand('Duplex: Manage Permissions');
    const permissions = await workbench().webview('Duplex Permissions');
    await permissions
      .getByRole('table', { name: 'Permissions' })
      .getByText(`send the resource “${resource}” of the server “everything” to the offline guide`)
      .waitFor();
  });
});
