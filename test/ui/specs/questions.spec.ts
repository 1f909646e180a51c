import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { eventually } from '../pages/discovery.ts';
import { allow, moreToRead, untilArmed } from '../pages/questions.ts';

const secret = 'sk-4711-never-on-a-page';
const manyLines = JSON.stringify({ sides: 6, notes: Array.from({ length: 120 }, (_, index) => `note ${index + 1}`) });

/** What a notebook shows at 100 %, and what is left of it at 150 % and at 200 %. */
const sizes = { notebook: { width: 1366, height: 768 }, at150: { width: 911, height: 512 }, at200: { width: 683, height: 384 } } as const;

describe('A question in the chat', () => {
  const workbench = useWorkbench({
    version: 'ceiling',
    viewport: sizes.notebook,
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
    assert.match(text, /env\.API_KEY\s+•••\s+\(set, not shown: it looks like a secret\)/);
    assert.match(text, /--no-warnings/);
    assert.ok(!text.includes(secret));
    await start.getByRole('button', { name: 'Show', exact: true }).click();
    await workbench().page.locator('.editor-instance .view-lines').filter({ hasText: secret }).waitFor();
    await picture('shown-definition');
    const demo = chat.frame.getByRole('group', { name: /^Permission:.*demo/ });
    await demo.getByRole('button', { name: 'Deny', exact: true }).click();
    await demo.waitFor({ state: 'detached' }); // while questions go, nothing is armed
    await allow(start, 'Allow');
  });

  it('tells what the model was told, one click away', async () => {
    const call = chat.question();
    await call.getByRole('button', { name: /Parameters.*as the model was told/ }).click();
    await call.getByText('How many sides each die has.').last().waitFor();
    assert.match(await call.innerText(), /sides\s+integer, minimum 2, maximum 1000[\s\S]*Default: 6/);
    await picture('parameters');
    await allow(call, 'Allow once');
    await chat.untilIdle();
  });

  it('cannot be allowed before the end of its arguments has been in view, and says how much is left', async () => {
    await chat.ask(`run roll_dice with ${manyLines}`);
    const call = chat.question();
    await moreToRead(call).waitFor();
    await picture('long-arguments');
    const allowOnce = call.getByRole('button', { name: 'Allow once' });
    assert.match(await moreToRead(call).innerText(), /^\d+ more lines/);
    const armed = call.getByRole('button', { name: 'Allow once', disabled: false });
    await assert.rejects(armed.waitFor({ timeout: 2_000 }), /Timeout/, 'it stays unarmed however long one waits');
    await allowOnce.click({ force: true });
    assert.equal(await call.isVisible(), true);
    assert.equal(await call.getByRole('button', { name: /Description.*read before/ }).isVisible(), true, 'read before, so it is folded');
    await readByKeyboard(call);
    await armed.waitFor();
    await picture('long-arguments-end');
    await call.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.untilIdle();
  });

  it('has its arguments as a form and as JSON, which stay in step, and cannot be allowed while they do not fit', async () => {
    await chat.ask('run roll_dice with {"sides": 6, "note": {"why": "fun"}}');
    const call = chat.question();
    const sides = call.getByRole('textbox', { name: 'sides', exact: true });
    const json = call.getByRole('textbox', { name: 'Arguments as JSON' });
    const allowed = call.getByRole('button', { name: 'Allow once', disabled: false });
    await untilArmed(call, 'Allow once');
    assert.match(
      await call.getByRole('textbox', { name: 'note', exact: true }).inputValue(),
      /"why": "fun"/,
      'not in the schema, yet shown',
    );
    await sides.fill('1');
    await call.getByText('At least 2.', { exact: true }).waitFor();
    await allowed.waitFor({ state: 'detached' });
    await picture('arguments-form-refused');
    await call.getByRole('tab', { name: 'Form' }).press('ArrowRight');
    assert.deepEqual(JSON.parse(await json.inputValue()), { sides: 1, note: { why: 'fun' } });
    await call.getByText('sides: At least 2.').first().waitFor();
    await json.fill('{"sides": 8');
    await call.getByText('This is not JSON yet.').first().waitFor();
    await picture('arguments-json-refused');
    assert.equal(await allowed.count(), 0);
    await json.fill('{"sides": 8, "count": 2}');
    await call.getByRole('tab', { name: 'JSON' }).press('ArrowLeft');
    assert.equal(await sides.inputValue(), '8');
    await call.getByRole('textbox', { name: 'count', exact: true }).fill('3');
    await allow(call, 'Allow once');
    await chat.untilIdle();
    await chat.answers
      .last()
      .getByText(/You rolled \d, \d, \d: \d+ together/)
      .waitFor();
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

  for (const [name, size] of Object.entries(sizes)) {
    it(`can be read and answered at ${size.width} × ${size.height}`, async () => {
      await workbench().page.setViewportSize(size);
      await chat.ask('run price_of with {"item": "milk"}');
      const call = chat.question();
      await call.waitFor();
      await picture(`${name}-question`);
      const log = await chat.conversation.boundingBox();
      assert.ok((log?.height ?? 0) >= 100, `the conversation is ${log?.height} px high`);
      await eventually('the beginning of the question in view', async () =>
        (await isOnTop(call.getByRole('heading'), 'first')) ? true : undefined,
      );
      await untilArmed(call, 'Allow once');
      const parts = [
        call.getByText('Tells what an item'),
        call.getByRole('combobox', { name: 'item' }),
        call.getByRole('button', { name: 'Allow once' }),
      ];
      for (const part of parts) {
        assert.equal(await isOnTop(part, 'last'), true);
      }
      await picture(`${name}-end`);
      await call.getByRole('button', { name: 'Deny', exact: true }).click();
      await chat.untilIdle();
    });
  }

  it('is answered for all tools of the server once they were in view, and such an answer is one that can be taken back', async () => {
    await workbench().page.setViewportSize(sizes.notebook);
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

/** Enter on the line that says how much is left shows the next page, until nothing is. */
async function readByKeyboard(question: Locator): Promise<void> {
  while (await moreToRead(question).isVisible()) {
    await moreToRead(question)
      .press('Enter', { timeout: 2_000 })
      .catch(() => undefined); // it says something else once all was seen
  }
}

/** Whether the first line is on top of everything as it is, or the last one once it was brought into view. */
async function isOnTop(part: Locator, edge: 'first' | 'last'): Promise<boolean> {
  return part.evaluate((element, wanted) => {
    if (wanted === 'last') {
      element.scrollIntoView({ block: 'center' });
    }
    const { left, width, top, bottom } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, wanted === 'first' ? top + 4 : bottom - 4);
    return found !== null && (element.contains(found) || found.contains(element));
  }, edge);
}
