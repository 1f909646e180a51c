import assert from 'node:assert/strict';
import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { allow, moreToRead, untilArmed } from '../pages/questions.ts';

const secret = 'sk-4711-never-on-a-page';

describe('A question in the chat', () => {
  const workbench = useWorkbench({
    version: 'ceiling',
    viewport: { width: 1366, height: 768 },
    settings: {
      // Else the newest VS Code shows settings over the whole window.
      'workbench.editor.useModal': 'off',
      'duplex.mcpServers': {
        keyed: {
          command: 'node',
          args: ['${workspaceFolder}/tools/demoServer.mjs'],
          env: { API_KEY: secret, NODE_OPTIONS: '--no-warnings' },
        },
      },
    },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'questions', `${name}.png`));
  let chat: Chat;

  before(async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'keyed' }).waitFor();
    chat = await Chat.open(workbench());
  });

  it('says that a secret is set and leads to it in its file, and shows a dangerous variable whole', async () => {
    await chat.ask('run roll_dice with {"sides": 6}');
    const start = chat.frame.getByRole('group', { name: /^Permission:.*keyed/ });
    await start.waitFor();
    await picture('start');
    const text = await start.innerText();
    assert.match(text, /env\.API_KEY\s*•••\s+\(set, not shown: it looks like a secret\)/);
    assert.match(text, /--no-warnings/);
    assert.ok(!text.includes(secret));
    await start.getByRole('button', { name: 'Show', exact: true }).click();
    await workbench().page.locator('.editor-instance .view-lines').filter({ hasText: secret }).waitFor();
    await picture('shown-definition');
    const demo = chat.frame.getByRole('group', { name: /^Permission:.*demo/ });
    await demo.getByRole('button', { name: 'Deny', exact: true }).click();
    await demo.waitFor({ state: 'detached' }); // while questions go, nothing is armed
    await allow(start, 'Allow');
    await allow(chat.toolCall('keyed', 'roll_dice'), 'Allow once');
    await chat.untilIdle();
  });

  it('names where a text of its arguments came from in this conversation, and where it stands', async () => {
    await chat.ask('run read_file with {"path": "README.md"}');
    await allow(chat.question(), 'Allow once');
    await chat.untilIdle();
    await chat.ask('run count_words with {"text": "Note: a till for a very small SHOP; it has one type error and one failing test."}');
    const call = chat.question();
    const known = call.getByRole('list', { name: 'What Duplex knows' });
    await known.getByText('“text” carries text from a result of editor read_file:').waitFor();
    assert.match(await known.innerText(), /Runs on this machine with your rights/);
    assert.match(await known.innerText(), /a till for a very small SHOP; it has one type error and one failing test/);
    await call.getByText('Carries text from a result of editor read_file.', { exact: true }).waitFor();
    await known.evaluate((list) => list.scrollIntoView({ block: 'end' }));
    await picture('carried-text');
    await call.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.untilIdle();
  });

  it('is answered for all tools of the server once they were in view, and such an answer is one that can be taken back', async () => {
    await chat.ask('run price_of with {"item": "milk"}');
    const call = chat.question();
    await call.getByRole('button', { name: /Other tools.*roll_dice/ }).waitFor();
    await untilArmed(call, 'Allow for this session');
    await call.getByRole('checkbox', { name: 'All tools of this server', exact: true }).press('Space');
    const others = call.getByRole('list', { name: /\d+ other tools of this server/ });
    await others.getByText('Counts the words, lines and characters of a text.').waitFor();
    await moreToRead(call).waitFor();
    assert.equal(await call.getByRole('button', { name: 'Allow for this session' }).getAttribute('aria-disabled'), 'true');
    await picture('all-tools');
    await untilArmed(call, 'Allow for this session');
    assert.equal(await call.getByRole('button', { name: 'Allow once', exact: true }).count(), 0, 'once is for one tool');
    await picture('all-tools-end');
    await allow(call, 'Allow for this session');
    await chat.untilIdle();
    await chat.ask('run count_words with {"text": "one two"}');
    await chat.answers.last().getByText('2 words').first().waitFor();
    await chat.untilIdle();
    await workbench().runCommand('Duplex: Manage Permissions');
    const page = await workbench().webview('Duplex Permissions');
    const row = page
      .getByRole('table', { name: 'Permissions' })
      .getByRole('row')
      .filter({ hasText: 'tools that the server “keyed” had then' });
    await row.filter({ hasText: 'count_words, ' }).filter({ hasText: 'This session' }).waitFor();
    await picture('all-tools-permission');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    await chat.ask('run count_words with {"text": "one two"}');
    await chat.question().getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.untilIdle();
  });
});
