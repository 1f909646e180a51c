import assert from 'node:assert/strict';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';

describe('A newcomer without a key, in the oldest VS Code,', () => {
  const workbench = useWorkbench({ version: 'floor', builtIns: 'all' });

  it('finds the packaged extension in the activity bar of a trusted workspace', async () => {
    await workbench().openView('Duplex');
    assert.equal(await workbench().statusBarItem('Restricted Mode').count(), 0);
  });

  it('sees that the demo server needs permission, reads what it would run, and allows it', async () => {
    await workbench().openView('Duplex');
    const rows = workbench().views.rows('MCP Servers');
    const row = rows.filter({ hasText: 'demo' });
    await row.filter({ hasText: 'needs permission' }).waitFor();
    await workbench().views.press(row, /Start Server/);
    const question = await permissionQuestion(workbench(), /^Permission:.*demo/);
    await question.getByText('demoServer.mjs').first().waitFor();
    await allow(question, 'Allow');
    await row.filter({ hasText: 'tools' }).waitFor();
  });

  it('lets the offline guide run a tool after allowing it once, and sees the result', async () => {
    const chat = await Chat.open(workbench());
    await chat.ask('run roll_dice with {"sides": 6, "count": 2}');
    const question = chat.question();
    await question.getByText('roll_dice').first().waitFor();
    await allow(question, 'Allow once');
    await chat.untilIdle();
    await chat.toolCall('demo', 'roll_dice').waitFor();
    await chat.answers
      .last()
      .getByText(/ran and answered/)
      .waitFor();
    assert.equal(await chat.question().count(), 0, 'the question is gone');
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
