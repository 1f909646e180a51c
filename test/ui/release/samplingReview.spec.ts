import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, useTools } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow, moreToRead, pressUntilAnswered, untilArmed } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAwCAIAAABhdOiYAAAAXUlEQVR42u3QMREAMAgEMHS+kiqpiGpCTB0wM+QuClLnNYNSIEiQIEGCBAkShCBBggQJEiRIEIIECRK0JCg3DAQJEiRIkCBBggQhSJAgQYIECRKEIEGCBAkSJEgQ+alMArR77IUVAAAAAElFTkSuQmCC';

const plain = {
  systemPrompt: 'You are a helpful server.',
  messages: [{ role: 'user', content: { type: 'text', text: 'Summarise the release notes.' } }],
  maxTokens: 200,
};
/** Something of everything that a request can hold. */
const rich = {
  ...plain,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is on this picture? The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789.' },
        { type: 'image', data: picture, mimeType: 'image/png' },
        { type: 'audio', data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=', mimeType: 'audio/wav' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 'look_closer', input: { x: 4, y: 2 } }] },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: 'u1', content: [{ type: 'text', text: 'A green field.' }] }] },
  ],
  maxTokens: 20_000,
  temperature: 1.8,
  stopSequences: ['END'],
  metadata: { ticket: 4711 },
  modelPreferences: { hints: [{ name: 'sonnet' }], costPriority: 0.3, intelligencePriority: 0.9 },
  tools: [
    { name: 'look_closer', description: 'Shows a part of the picture.', inputSchema: { type: 'object' } },
    { name: 'say_no_more', description: 'Ends the talk.', inputSchema: { type: 'object' } },
  ],
};

describe('A server’s request for the model', () => {
  const { workbench, api: model } = useModelWorkbench();
  let api: AnthropicServer;
  const takePicture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `sampling-${name}.png`));
  const runner = (): Promise<ToolRunner> => ToolRunner.of(workbench().page, 'ask');
  const untilResult = async (text: string): Promise<void> => (await runner()).untilResult(text);
  const request = (): Promise<Locator> =>
    permissionQuestion(workbench(), /^Permission: The server “reviewer” wants to use your language model/);
  const response = (): Promise<Locator> =>
    permissionQuestion(workbench(), /^Permission: Return the model’s answer to the server “reviewer”/);
  const textbox = (question: Locator, name: string): Locator => question.getByRole('textbox', { name, exact: true });

  before(async () => {
    api = model();
    await workbench().reload(); // what was allowed for the session is asked again
  });

  /** The server asks while one of its tools runs, which the person ran by hand. */
  async function letServerAsk(params: object): Promise<void> {
    await (await ToolRunner.open(workbench().page, { name: 'ask' })).run({ method: 'sampling/createMessage', params });
  }

  it('is read, changed and sent, and its answer changed and returned, by keyboard alone', async () => {
    api.script([say('The notes say little.')]);
    await letServerAsk(plain);
    const asked = await request();
    await takePicture('request');
    assert.match(await asked.innerText(), /asks for this while it works on “ask”/);
    assert.match(await asked.innerText(), /0 of 20 requests in the last hour, 0 of 100,000 tokens in the last 24 hours/);
    const remember = asked.getByRole('radiogroup', { name: 'Remember' });
    assert.deepEqual(
      await remember.getByRole('radio').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).labels?.[0]?.textContent)),
      ['Once', 'This session', 'This workspace'],
    );
    assert.equal(await remember.getByRole('radio', { name: 'Once', exact: true }).isChecked(), true);
    await textbox(asked, 'System prompt').focus();
    await retype(textbox(asked, 'System prompt'), 'You are a poet.');
    await tabTo(textbox(asked, 'Messages'));
    await retype(textbox(asked, 'Messages'), 'Praise the release notes.');
    await readToTheEnd(asked);
    await pressOn(asked, 'Send request');

    const answered = await response();
    await takePicture('response');
    assert.equal(await textbox(answered, 'Response').inputValue(), 'The notes say little.');
    await retype(textbox(answered, 'Response'), 'The notes sing.');
    await pressOn(answered, 'Return response');
    await untilResult('The notes sing.');
    assert.match(JSON.stringify(api.messageBodies.at(-1)), /You are a poet\..*Praise the release notes\./);
  });

  it('reaches no model when it is denied, and its answer no server when that is', async () => {
    const before = api.messageBodies.length;
    await letServerAsk(plain);
    await (await request()).getByRole('button', { name: 'Deny', exact: true }).click();
    await untilResult('User rejected sampling request');
    assert.equal(api.messageBodies.length, before);
    await workbench().runCommand('View: Close All Editors');
    api.script([say('A secret answer.')]);
    await letServerAsk(plain);
    await allow(await request(), 'Send request');
    await (await response()).getByRole('button', { name: 'Deny', exact: true }).click();
    await untilResult('User rejected sampling request');
    assert.equal(await (await runner()).result.getByText('A secret answer').count(), 0);
    await workbench().runCommand('View: Close All Editors');
  });

  it('shows pictures, tools, secrets and what is done otherwise than asked, also on narrow pages', async () => {
    const { page } = workbench();
    await page.setViewportSize({ width: 1280, height: 1500 });
    await letServerAsk(rich);
    const asked = await request();
    const words = await asked.innerText();
    assert.match(words, /look_closer/);
    assert.match(words, /Something in it looks like a secret: ghp_ab…/);
    assert.match(words, /1, the nearest that is allowed to the 1\.8 it asked for/);
    assert.match(words, /The server asked for 20,000; your settings allow 8,192/);
    assert.match(words, /Cost unknown/);
    assert.ok(await asked.getByRole('img').evaluate((image) => (image as HTMLImageElement).naturalWidth > 0));
    await takePicture('rich');
    await asked.getByRole('button', { name: 'Remove', exact: true }).click();
    await asked.getByRole('checkbox', { name: 'Leave out say_no_more' }).press('Space');
    await textbox(asked, 'Stop sequence 1').fill('FIN');
    assert.match(await textbox(asked, 'Messages').inputValue(), /The key is \[redacted\]\./);
    await page.setViewportSize({ width: 620, height: 1500 });
    await takePicture('narrow');
    const overflow = await asked.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.equal(overflow, 0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await asked.getByRole('radio', { name: 'This session', exact: true }).check();
    await textbox(asked, 'Requests per hour').fill('4');
    api.script([say('A field.')]);
    await allow(asked, 'Send request');
    await allow(await response(), 'Return response');
    await untilResult('A field.');
    const sent = JSON.stringify(api.messageBodies.at(-1));
    assert.match(sent, /\[redacted\].*"type":"image".*Left out: audio.*"tool_result"/);
    assert.match(sent, /Shows a part of the picture\./);
    assert.doesNotMatch(sent, /say_no_more/);
    assert.deepEqual(api.messageBodies.at(-1)?.stop_sequences, ['FIN']);
  });

  it('that was allowed for the session goes unseen within the budget, which Manage Permissions names, and asks again beyond it', async () => {
    await workbench().runCommand('View: Close All Editors');
    api.script([say('Unseen.')]);
    await letServerAsk(plain);
    await untilResult('Unseen.');
    await workbench().runCommand('Duplex: Manage Permissions');
    const table = (await workbench().webview('Duplex Permissions')).getByRole('table', { name: 'Permissions' });
    const row = table.getByRole('row').filter({ hasText: 'send model requests of the server “reviewer” to claude-stand-in-2 unseen' });
    await row.filter({ hasText: 'This session' }).waitFor();
    await takePicture('permission');
    await workbench().runCommand('View: Close All Editors');
    await letServerAsk(plain);
    const asked = await request();
    await asked.getByText('This goes beyond the budget of this server: 4 of 4 requests in the last hour').waitFor();
    await takePicture('beyond-budget');
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    await untilResult('User rejected sampling request');
  });

  it('carries that server’s own results of the conversation when the person ticks them, and nothing else of it', async () => {
    await workbench().runCommand('View: Close All Editors');
    const chat = await Chat.open(workbench());
    const params = { ...plain, includeContext: 'allServers' };
    api.script([
      useTools(['reviewer__received', {}], ['editor__list_workspace_folders', {}]),
      useTools(['reviewer__ask', { method: 'sampling/createMessage', params }]),
      say('Sampled.'),
      say('All done.'),
    ]);
    await chat.ask('A private question.');
    await allow(chat.toolCall('reviewer', 'received').getByRole('group', { name: /^Permission:/ }), 'Allow once');
    await allow(chat.toolCall('editor', 'list_workspace_folders').getByRole('group', { name: /^Permission:/ }), 'Allow once');
    await allow(chat.frame.getByRole('group', { name: /^Permission: Claude.* wants to run “ask”/ }), 'Allow once');
    const asked = chat.frame.getByRole('group', { name: /^Permission: The server “reviewer” wants to use your language model/ });
    const tick = asked.getByRole('checkbox', { name: 'Add this server’s own results' });
    assert.equal(await tick.isChecked(), false);
    await tick.press('Space');
    await takePicture('own-results');
    await allow(asked, 'Send request');
    await allow(chat.frame.getByRole('group', { name: /^Permission: Return the model’s answer/ }), 'Return response');
    await chat.answers.last().getByText('All done.').waitFor();
    const [body] = api.messageBodies.filter(({ system }) => JSON.stringify(system ?? '').includes(plain.systemPrompt)).slice(-1);
    const sent = JSON.stringify(body);
    assert.match(sent, /What this server's tools returned.*tools\/call received/);
    assert.match(sent, /Summarise the release notes\./);
    assert.ok(!sent.includes(workbench().folders.workspace ?? ''), 'not what the editor said');
    assert.doesNotMatch(sent, /A private question/);
  });

  /** Each key into this box: the card that has just come takes the focus, maybe a moment later. */
  async function retype(box: Locator, text: string): Promise<void> {
    // Not “select all”, which the workbench carries out by itself, some time later.
    await box.press('End');
    await box.press('Shift+Home');
    await box.pressSequentially(text);
  }

  async function tabTo(wanted: Locator): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) {
        return;
      }
      await workbench().page.keyboard.press('Tab');
    }
    throw new Error('The Tab key does not lead there.');
  }

  /** Enter on the line that says how much is left shows the next page. */
  async function readToTheEnd(question: Locator): Promise<void> {
    while (await moreToRead(question).isVisible()) {
      await moreToRead(question)
        .press('Enter', { timeout: 2_000 })
        .catch(() => undefined); // it says something else once all was seen
    }
  }

  async function pressOn(question: Locator, name: string): Promise<void> {
    await pressUntilAnswered(question, name, async () => {
      await untilArmed(question, name);
      await tabTo(question.getByRole('button', { name, exact: true }));
      await workbench().page.keyboard.press('Enter');
    });
  }
});
