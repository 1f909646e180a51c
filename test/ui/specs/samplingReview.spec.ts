import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow, moreToRead, pressUntilAnswered, untilArmed } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const plain = {
  systemPrompt: 'You are a helpful server.',
  messages: [{ role: 'user', content: { type: 'text', text: 'Summarise the release notes.' } }],
  maxTokens: 200,
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
