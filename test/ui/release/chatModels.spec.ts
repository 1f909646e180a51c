import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import type { ChoiceStep } from '../pages/commandPalette.ts';
import { eventually } from '../pages/discovery.ts';

const looks = (name: string): string => path.join(outFolder, 'looks', `${name}.png`);

describe('The model of the chat', () => {
  let api: AnthropicServer;
  let chat: Chat;
  before(async () => {
    api = await AnthropicServer.start({ thinking: 'adaptive' });
  });
  after(() => api.close());
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    // Read when the window opens: the address is not known before.
    get settings() {
      return { 'duplex.anthropic.baseUrl': api.url };
    },
    get env() {
      return { ANTHROPIC_API_KEY: api.apiKey };
    },
  });
  beforeEach(async () => {
    chat = await Chat.open(workbench());
  });
  const model = (): Locator => chat.frame.getByRole('button', { name: 'Model', exact: true });
  const choose = (...steps: readonly ChoiceStep[]): Promise<void> => workbench().palette.chooseFrom(() => model().click(), ...steps);

  it('is chosen from what the provider lists or typed in, is asked from then on, and is kept over a reload', async () => {
    await model().getByText('Claude', { exact: true }).waitFor();
    const { palette } = workbench();
    const lookAtModels = async (): Promise<void> => {
      await palette.offered('Claude Stand-in 2');
      await workbench().screenshot(looks('model-choice'));
    };
    await choose(lookAtModels, 'Claude Stand-in 1');
    await model().getByText('Claude Stand-in 1').waitFor();
    await chat.ask('Who are you?');
    await chat.answers.last().getByText('You said: Who are you?').waitFor();
    assert.equal(api.messageBodies.at(-1)?.model, 'claude-stand-in-1');
    await workbench().reload();
    chat = await Chat.open(workbench());
    await model().getByText('Claude Stand-in 1').waitFor();
    await choose(() => palette.input.fill('claude-of-tomorrow', { timeout: 6_000 }), 'claude-of-tomorrow');
    await model().getByText('claude-of-tomorrow').waitFor();
    await choose('Claude Stand-in 2');
    await model().getByText('Claude Stand-in 2').waitFor();
  });

  it('is tried again by itself after a 529, with seconds that go down and a way not to wait', async () => {
    const before = await chat.answers.count();
    api.script([{ kind: 'error', status: 529, headers: { 'retry-after': '50' } }, say('Here I am again.')]);
    await chat.ask('Are you busy?');
    const timer = chat.answers.nth(before).getByRole('timer');
    await timer.waitFor();
    const seconds = async (): Promise<number> => Number(/\d+/.exec((await timer.textContent()) ?? '')?.[0]);
    const first = await seconds();
    assert.ok(first <= 50 && first > 0);
    // Not that very second: a busy machine may leave one out.
    await eventually('the seconds to go down', async () => ((await seconds()) <= first - 2 ? true : undefined));
    await workbench().screenshot(looks('model-waiting'));
    await chat.answers.nth(before).getByRole('button', { name: 'Retry now' }).click();
    await chat.answers.nth(before).getByText('Here I am again.').waitFor();
    await chat.untilIdle();
    assert.equal(await timer.count(), 0);
  });

  /** The setting is written after the choice has closed. */
  const untilThinkingIsOn = async (): Promise<void> => {
    const { palette, page } = workbench();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const seen: string[] = [];
      await choose(async () => {
        const offered = await palette.offered('Think before answering');
        seen.push(await offered.innerText({ timeout: 6_000 }));
      });
      const isOn = /on: choose to turn it off/.test(seen.at(-1) ?? '');
      await page.keyboard.press('Escape');
      await palette.widget.waitFor({ state: 'hidden' });
      if (isOn) {
        return;
      }
    }
    assert.fail('thinking stays off');
  };

  it('thinks when it is told to, folded above the answer, and the answer says what it used', async () => {
    const before = await chat.answers.count();
    await choose('Think before answering');
    await untilThinkingIsOn();
    api.script([
      {
        kind: 'answer',
        blocks: [
          { kind: 'thinking', thinking: 'The person greets me. I shall greet them back.', signature: 'c2ln' },
          { kind: 'text', text: 'Hello, you.' },
        ],
        inputTokens: 20,
        cacheRead: 1_200,
      },
    ]);
    await chat.ask('Hello!');
    const answer = chat.answers.nth(before);
    await answer.getByText('Hello, you.').waitFor();
    await chat.untilIdle();
    const thinking = answer.getByRole('group', { name: 'Thinking' });
    assert.equal(await thinking.getByText('The person greets me.').count(), 0, 'folded until asked for');
    await workbench().screenshot(looks('model-thinking-folded'));
    await thinking.getByRole('button').click();
    await thinking.getByText('The person greets me. I shall greet them back.').waitFor();
    assert.deepEqual((api.messageBodies.at(-1) as { thinking?: unknown }).thinking, { type: 'adaptive', display: 'summarized' });
    await answer.getByRole('button', { name: /1,220 tokens in · 7 out · cost unknown/ }).click();
    await answer.getByText('Read from the prompt cache').waitFor();
    await answer.getByText('1,200 tokens', { exact: true }).waitFor();
    await workbench().screenshot(looks('model-usage'));
  });

  it('is one of another endpoint, once the person has given its address, its header and its key, which nobody else gets', async () => {
    const other = await AnthropicServer.start({ apiKey: 'key-of-the-other' });
    try {
      const { palette } = workbench();
      const asked = api.requests.length;
      await choose('Use another endpoint…');
      await palette.answer('ftp://nowhere');
      await palette.widget.getByText('Not a plain http or https address.').waitFor();
      await palette.answer(other.url);
      await palette.pick('x-api-key');
      await palette.answer('key-of-the-other');
      // The first model of both places has the same name: only a request tells that this one is used now.
      await eventually('the other endpoint to be asked for its models', async () => (other.requests.length > 0 ? true : undefined));
      await model().getByText('Claude Stand-in 2', { exact: true }).waitFor();
      assert.equal(other.messageBodies.length, 0, 'its name is known before the first message');
      const before = await chat.answers.count();
      await workbench().runCommand('Duplex: New Conversation');
      await chat.answers.first().waitFor({ state: 'detached' });
      await chat.ask('Who are you now?');
      await chat.answers.last().getByText('You said: Who are you now?').waitFor();
      await chat.untilIdle();
      assert.ok(before > 0);
      assert.equal(other.messageBodies.at(-1)?.model, 'claude-stand-in-2', 'its first one, not what the other place called it');
      assert.equal(other.requests.at(-1)?.headers['x-api-key'], 'key-of-the-other');
      assert.equal(other.requests.at(-1)?.headers.authorization, undefined);
      assert.ok(!JSON.stringify(api.requests.slice(asked)).includes('key-of-the-other'));
    } finally {
      await other.close();
    }
  });
});

describe('A first run of the chat', () => {
  const workbench = useWorkbench({ version: 'ceiling', workspace: 'plain', theme: 'dark' });

  it('offers four ways to begin, each with its first step one click away', async () => {
    const chat = await Chat.open(workbench());
    const way = (name: string): Locator => chat.frame.getByRole('button', { name, exact: true });
    const { palette, page, notifications } = workbench();
    await way('Add an Anthropic key').waitFor();
    await workbench().screenshot(looks('first-run'));
    await way('Add an Anthropic key').click();
    await palette.widget.getByText('Anthropic API Key').waitFor();
    await page.keyboard.press('Escape');
    await way('Use another endpoint').click();
    await palette.widget.getByText('Use Another Endpoint').waitFor();
    await palette.answer('http://127.0.0.1:1');
    await palette.rows.filter({ hasText: 'No key' }).waitFor();
    await page.keyboard.press('Escape');
    await way('Use VS Code’s models').click();
    await notifications.waitFor('no language model here yet');
    await way('Try it offline').click();
    await chat.answers.last().getByText('not an AI').first().waitFor();
    await chat.untilIdle();
  });
});
