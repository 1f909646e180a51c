import assert from 'node:assert/strict';
import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { ownServersWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { takeFocus, untilFocused } from '../pages/focus.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

/** A person who runs tools without a model. */
describe('Run Tool', function () {
  this.timeout(180_000);
  const workbench = useSharedWorkbench(ownServersWindow);
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `run-tool-${name}.png`));
  let trip: ToolRunner;

  it('starts the server of its choice through its question, and opens a form with the focus in its first field', async () => {
    await workbench().openView('Duplex');
    await ToolRunner.choose(workbench().page, 'Start “trains”');
    await allow(await permissionQuestion(workbench(), /^Permission:.*start.*trains/i), 'Allow');
    const { palette } = workbench();
    await palette.rows.filter({ hasText: 'Book a trip' }).first().waitFor();
    await picture('list');
    await takeFocus((await Chat.open(workbench())).message); // the list stays, although VS Code moves the focus after a question
    await palette.input.fill('book a trip');
    await palette.pick('Book a trip');
    trip = await ToolRunner.of(workbench().page, 'book_trip');
    await trip.frame.getByRole('form', { name: 'Run trains book_trip', exact: true }).waitFor();
    await untilFocused('the first field', trip.form.getByRole('textbox', { name: 'Name' }));
    await picture('form-empty');
  });

  it('says beside the field what is missing, and runs nested input once it is whole, without a question', async () => {
    await trip.button('Run').click();
    await trip.form.getByText('The tool needs this.').first().waitFor();
    await untilFocused('the first field that lacks something', trip.form.getByRole('textbox', { name: 'Name' }));
    await picture('form-problems');
    await trip.form.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await trip.form.getByRole('tab', { name: 'JSON' }).click();
    const json = trip.form.getByRole('textbox', { name: 'Arguments as JSON' });
    assert.deepEqual(JSON.parse(await json.inputValue()), { class: 'second', traveller: { name: 'Ada' } });
    await json.fill('{"class": "first", "traveller": {"name": "Ada", "age": 36}, "stops": ["Bern", "Olten", "Basel"]}');
    await trip.form.getByRole('tab', { name: 'Form' }).click();
    await trip.form.getByRole('textbox', { name: 'Age' }).waitFor();
    await trip.pressRun();
    await trip.untilResult('Ada travels from Bern to Basel.');
    // Nobody answered anything: Run was the answer.
    assert.equal(
      await workbench()
        .page.getByRole('tab', { name: /^Permission/ })
        .count(),
      0,
    );
    await picture('ran');
    await trip.result.getByRole('cell', { name: 'Olten' }).first().waitFor();
  });

  it('stops what runs, and says so', async () => {
    const slow = await ToolRunner.open(workbench().page, { name: 'slow' });
    await slow.pressRun();
    await slow.result.getByText(/^step \d/).waitFor();
    await picture('running');
    await slow.button('Stop').click();
    await slow.result.getByText(/^Stopped/).waitFor();
    assert.equal(await slow.button('Stop').count(), 0);
    await untilFocused('Run, as Stop is gone', slow.button('Run'));
  });

  it('sends a result to the chat as an attachment with its size', async () => {
    await workbench()
      .page.getByRole('tab', { name: /^Run book_trip/ })
      .click();
    await trip.button('Send to chat').click();
    const chat = await Chat.open(workbench());
    const chip = chat.frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem').filter({ hasText: 'trains book_trip' });
    await chip.filter({ hasText: /\d+ B/ }).waitFor();
    await picture('in-chat');
  });
});
