import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { assertAccessible } from '../harness/accessibility.ts';
import { eventually } from '../harness/duplexProcesses.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { takeFocus, untilFocused } from '../pages/focus.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const server = path.join(repositoryRoot, 'test', 'fixtures', 'servers', 'byHandServer.mjs');
const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light Modern', 'vscode-light'],
];

/** A person who runs tools without a model. */
describe('Run Tool', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    keybindings: [{ key: 'ctrl+alt+f9', command: 'duplex.runTool', args: { server: 'trains', tool: 'now', arguments: {}, show: true } }],
    settings: {
      'terminal.integrated.gpuAcceleration': 'off', // else its text is a picture
      'duplex.mcpServers': {
        trains: { command: 'node', args: [server] },
        looked_into: { command: 'node', args: [server], dev: { debug: 'node' } },
      },
    },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `run-tool-${name}.png`));
  const callQuestion = (tool: string): Promise<Locator> => permissionQuestion(workbench(), new RegExp(`^Permission:.*“${tool}”.*Run Tool`));
  let trip: ToolRunner;

  it('starts the server of its choice through its question, and opens a form with the focus in its first field', async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'trains' }).first().waitFor();
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

  it('says beside the field what is missing, and runs nested input once it is whole', async () => {
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
    await trip.button('Run').click();
    const question = await callQuestion('book_trip');
    await picture('waiting');
    await allow(question, 'Allow for this session');
    await trip.untilResult('Ada travels from Bern to Basel.');
    await trip.result.getByRole('cell', { name: 'Olten' }).first().waitFor();
  });

  it('looks right and has nothing for axe-core in every theme, and in a narrow tab', async () => {
    for (const [theme, bodyClass] of themes) {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await trip.frame.locator(`body.${bodyClass}`).waitFor();
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await picture(theme);
      await trip.result.scrollIntoViewIfNeeded();
      await trip.button('Open in editor').scrollIntoViewIfNeeded();
      await picture(`${theme}-result`);
      await assertAccessible(trip.frame.locator('body'), `Run Tool in ${theme}`);
    }
    await workbench().page.setViewportSize({ width: 620, height: 900 });
    await picture('narrow');
    await trip.form
      .getByRole('heading')
      .or(trip.frame.getByRole('heading', { level: 1 }))
      .first()
      .scrollIntoViewIfNeeded();
    await picture('narrow-form');
    await workbench().page.setViewportSize({ width: 1280, height: 800 });
  });

  it('puts the selection of the editor into the field that was used last', async () => {
    await workbench().palette.choose('Go to File...', 'README.md');
    await workbench().page.locator('.editor-instance .view-lines').first().click();
    await workbench().runCommand('Select All');
    await workbench()
      .page.getByRole('tab', { name: /^Run book_trip/ })
      .click();
    const name = trip.form.getByRole('textbox', { name: 'Name' });
    await name.click();
    await name.press('ControlOrMeta+a');
    await trip.button('Selection').click();
    await eventually('the selection', 10_000, async () => (/A workspace without servers/.test(await name.inputValue()) ? true : undefined));
    await untilFocused('the field', name);
    await name.press('ControlOrMeta+a');
    await trip.button('Path of the open file').click();
    await eventually('the path', 10_000, async () => (/^\/.*README\.md$/.test(await name.inputValue()) ? true : undefined));
  });

  it('runs again from history, with a preset of its own', async () => {
    await trip.form.getByRole('button', { name: /^Earlier runs/ }).click();
    const earlier = trip.form.getByRole('list', { name: 'Earlier runs' }).getByRole('button', { name: /^Run again with .*Olten/ });
    await earlier.click();
    await trip.untilResult('Ada travels from Bern to Basel.');
    await trip.form
      .getByText('36')
      .or(trip.form.getByRole('textbox', { name: 'Age' }))
      .first()
      .waitFor();
    await trip.button('Save preset').click();
    await workbench().palette.input.fill('Ho');
    await takeFocus(trip.form.getByRole('textbox', { name: 'Name' })); // to look at what the name is for
    assert.equal(await workbench().palette.input.inputValue(), 'Ho');
    await workbench().palette.answer('Home');
    await trip.form.getByRole('list', { name: 'Presets' }).getByRole('button', { name: 'Home', exact: true }).waitFor();
    await picture('preset');
    await trip.button('Remove Home').click();
    await trip.form.getByText('Removed “Home”.').waitFor();
    await untilFocused('Run, as the preset is gone', trip.button('Run'));
    await picture('preset-removed');
    await trip.button('Undo').click();
    await trip.button('Home').waitFor();
  });

  it('stops what runs, and says so', async () => {
    const slow = await ToolRunner.open(workbench().page, { name: 'slow' });
    await slow.button('Run').click();
    await allow(await callQuestion('slow'), 'Allow once');
    await slow.result.getByText(/^step \d/).waitFor();
    await picture('running');
    await slow.button('Stop').click();
    await slow.result.getByText(/^Stopped/).waitFor();
    assert.equal(await slow.button('Stop').count(), 0);
    await untilFocused('Run, as Stop is gone', slow.button('Run'));
  });

  it('runs a tool without parameters at once', async () => {
    await ToolRunner.choose(workbench().page, 'show');
    await allow(await callQuestion('show'), 'Allow once');
    const show = await ToolRunner.of(workbench().page, 'show');
    await show.result.getByRole('img', { name: 'Image returned by the tool' }).waitFor();
    await show.result.getByText('The map').waitFor();
    await picture('media');
    await assertAccessible(show.frame.locator('body'), 'a result with picture, sound and link');
    await show.result.getByRole('link', { name: 'The timetable' }).click();
    await workbench()
      .page.locator('.editor-instance .view-lines')
      .filter({ hasText: /Olten\s12:31/ })
      .first()
      .waitFor();
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

  it('is run by a key that is bound to a tool, under a permission of its own', async () => {
    await workbench()
      .page.getByRole('tab', { name: /^README/ })
      .click();
    await workbench().page.keyboard.press('Control+Alt+F9');
    const question = await permissionQuestion(workbench(), /^Permission: A key binding or an extension wants to run “now”/);
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await workbench().notifications.waitFor(/Running “now” of “trains” was not allowed/);
    await workbench().page.keyboard.press('Control+Alt+F9');
    await allow(await permissionQuestion(workbench(), /^Permission: A key binding or an extension wants to run “now”/), 'Allow once');
    const now = await ToolRunner.of(workbench().page, 'now');
    await now.result.getByText(/^Done/).waitFor();
  });

  it('is run by a task, asked for in its name, with the answer in its terminal', async () => {
    const { palette, page } = workbench();
    const folder = path.join(workbench().folders.workspace ?? '', '.vscode');
    await mkdir(folder, { recursive: true });
    const task = { type: 'duplex', label: 'Just now', server: 'trains', tool: 'now', arguments: {} };
    await writeFile(path.join(folder, 'tasks.json'), JSON.stringify({ version: '2.0.0', tasks: [task] }));
    await palette.chooseAfter('Tasks: Run Task', 'Just now');
    const question = await permissionQuestion(workbench(), /^Permission: The task “Just now” wants to run “now”/);
    await allow(question, 'Allow once');
    await page
      .locator('.part.panel .xterm-rows')
      .filter({ hasText: /Run number \d+\./ })
      .waitFor();
    await picture('task');
    await workbench().runCommand('View: Hide Panel');
  });

  it('has its server running where the debugger that it wants is missing, and says what to enable', async () => {
    const row = workbench().views.rows('MCP Servers').filter({ hasText: 'looked_into' }).first();
    await workbench().openView('Duplex');
    await workbench().views.press(row, /Start Server/);
    await allow(await permissionQuestion(workbench(), /^Permission:.*start.*looked_into/i), 'Allow');
    await workbench().notifications.waitFor(/To debug the MCP server “looked_into”, enable the extension “JavaScript Debugger”/);
    await row.filter({ hasText: /tools/ }).waitFor();
    await picture('no-debugger');
  });

  it('is there again after a reload, with what was in its form', async () => {
    const tab = workbench().page.getByRole('tab', { name: /^Run book_trip/ });
    await tab.click();
    await workbench().reload();
    await tab.click();
    trip = await ToolRunner.of(workbench().page, 'book_trip');
    await trip.form.getByRole('textbox', { name: 'Name' }).waitFor();
    await picture('reloaded');
    const shown = await trip.form.locator('textarea, input').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
    assert.ok(shown.join(' ').includes('Ada') && shown.join(' ').includes('Olten'), shown.join(' | '));
  });
});
