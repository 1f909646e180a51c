import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { eventually } from '../harness/duplexProcesses.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
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
describe('The tab of Run Tool', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    settings: {
      'duplex.mcpServers': {
        trains: { command: 'node', args: [server] },
        looked_into: { command: 'node', args: [server], dev: { debug: 'node' } },
      },
    },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `run-tool-${name}.png`));
  const callQuestion = (tool: string): Promise<Locator> => permissionQuestion(workbench(), new RegExp(`^Permission:.*“${tool}”.*Run Tool`));
  let trip: ToolRunner;

  before(async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'trains' }).first().waitFor();
    await ToolRunner.choose(workbench().page, 'Start “trains”');
    await allow(await permissionQuestion(workbench(), /^Permission:.*start.*trains/i), 'Allow');
    await workbench().palette.pick('Book a trip');
    trip = await ToolRunner.of(workbench().page, 'book_trip');
    await trip.run({ class: 'first', traveller: { name: 'Ada', age: 36 }, stops: ['Bern', 'Olten', 'Basel'] });
    await trip.untilResult('Ada travels from Bern to Basel.');
    await trip.form.getByRole('tab', { name: 'Form' }).click();
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
    await allow(await callQuestion('book_trip'), 'Allow once'); // its arguments are cut there
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
