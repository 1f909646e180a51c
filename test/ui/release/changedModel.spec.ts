import assert from 'node:assert/strict';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../fixtures/anthropic/turns.ts';
import { launchWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';

describe('A conversation with the offline guide', () => {
  let api: AnthropicServer;
  beforeEach(async () => {
    api = await AnthropicServer.start();
  });
  afterEach(() => api.close());

  it('does not go to the model of a key that was set meanwhile: the next message asks, and goes alone into a new one', async () => {
    const workbench = await launchWorkbench({
      version: 'ceiling',
      workspace: 'plain',
      settings: { 'duplex.anthropic.baseUrl': api.url },
    });
    const chat = await Chat.open(workbench);
    await chat.ask('My private plan is to sail around the world.');
    await chat.answers.last().waitFor();
    await chat.untilIdle();
    await workbench.palette.run('Duplex: Set API Key');
    await workbench.palette.answer(api.apiKey);
    await chat.frame.getByText('Claude').first().waitFor();
    api.script([say('Hello, newcomer.')]);
    await chat.ask('Who are you?');
    const question = chat.question();
    await question.getByText(api.url).first().waitFor();
    await question.getByText('Messages', { exact: true }).waitFor();
    assert.deepEqual(api.messageBodies, [], 'nothing is sent while the question is open');
    await question.getByRole('button', { name: 'New conversation' }).click();
    await chat.answers.last().getByText('Hello, newcomer.').waitFor();
    await chat.untilIdle();
    const sent = JSON.stringify(api.messageBodies);
    assert.match(sent, /Who are you\?/);
    assert.doesNotMatch(sent, /private plan/);
    assert.equal(await chat.conversation.getByText('private plan').count(), 0, 'it is a new conversation');
    assert.equal(await chat.conversation.getByText('Who are you?').count(), 1);
  });
});
