import assert from 'node:assert/strict';
import { newcomerWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { Counted } from '../pages/counted.ts';

describe('A newcomer without a key', () => {
  const workbench = useSharedWorkbench(newcomerWindow);

  it('finds the packaged extension in the activity bar of a trusted workspace', async () => {
    await workbench().openView('Duplex');
    assert.equal(await workbench().statusBarItem('Restricted Mode').count(), 0);
  });

  it('rolls a first die with two questions, two clicks and no scrolling: the waiting server is offered, then its tool asks', async () => {
    await workbench().views.rows('MCP Servers').filter({ hasText: 'needs permission' }).waitFor();
    const chat = await Chat.open(workbench());
    await chat.ask('run roll_dice with {"sides": 6, "count": 2}');
    const start = chat.frame.getByRole('group', { name: /^Permission:.*demo/ });
    await start.getByText('demoServer.mjs').first().waitFor();
    const person = new Counted();
    await person.answer(start, 'Allow');
    await person.answer(chat.toolCall('demo', 'roll_dice').getByRole('group', { name: /^Permission:/ }), 'Allow once');
    await chat.answers
      .last()
      .getByText(/ran and answered/)
      .waitFor();
    assert.deepEqual(person.count, { questions: 2, clicks: 2, scrolls: 0 });
  });

  it('sees that nothing runs after Deny', async () => {
    const chat = await Chat.open(workbench());
    await chat.ask('run roll_dice with {"sides": 6, "count": 2}');
    await chat.question().getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.answers
      .last()
      .getByText(/did not run/)
      .waitFor();
    await chat.untilIdle();
  });

  it('is told that the guide is not an AI', async () => {
    const chat = await Chat.open(workbench());
    await chat.frame
      .getByText(/not an AI/i)
      .first()
      .waitFor();
  });
});
