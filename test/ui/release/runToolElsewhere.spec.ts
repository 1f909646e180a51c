import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { byHandWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

/** A person who has bound tools to keys and tasks. */
describe('A tool that is not run from its tab', function () {
  this.timeout(180_000);
  const workbench = useSharedWorkbench(byHandWindow);
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `run-tool-${name}.png`));

  before(async () => {
    await workbench().openView('Duplex');
    await ToolRunner.choose(workbench().page, 'Start “trains”');
    await allow(await permissionQuestion(workbench(), /^Permission:.*start.*trains/i), 'Allow');
    const { palette } = workbench();
    await palette.rows.filter({ hasText: 'Book a trip' }).first().waitFor();
    await palette.input.press('Escape');
    await palette.widget.waitFor({ state: 'hidden' });
  });

  it('is run by a key that is bound to a tool, under a permission of its own, although the person has run it by hand', async () => {
    await ToolRunner.choose(workbench().page, 'now');
    // It takes no arguments, and would run at once: that is asked about, as Run was not pressed.
    const asked = await permissionQuestion(workbench(), /^Permission:.*“now”.*Run Tool/);
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    const byHand = await ToolRunner.of(workbench().page, 'now');
    await byHand.result.getByText(/^Denied/).waitFor();
    await byHand.pressRun();
    await byHand.result.getByText(/^Done/).waitFor();
    await workbench().palette.choose('Go to File...', 'README.md');
    // VS Code gives the focus back to a page a moment after the palette is gone, also to one behind the file by then.
    await workbench().page.locator('.editor-instance .view-line').filter({ hasText: 'A till for a very small shop' }).click();
    await workbench().page.locator('.monaco-editor.focused').waitFor();
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
});
