import assert from 'node:assert/strict';
import * as path from 'node:path';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { assertAccessible } from '../harness/accessibility.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const server = path.join(repositoryRoot, 'test', 'fixtures', 'servers', 'formsServer.mjs');
const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light Modern', 'vscode-light'],
];

describe('The form of a tool with parameters of every kind', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    settings: { 'duplex.mcpServers': { post: { command: 'node', args: [server] } } },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `tool-form-${name}.png`));
  let runner: ToolRunner;

  it('is filled in with the kinds of a value, lists of objects, entries of any name and null', async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'post' }).first().waitFor();
    await ToolRunner.choose(workbench().page, 'Start “post”');
    await allow(await permissionQuestion(workbench(), /^Permission:.*start.*post/i), 'Allow');
    const { palette } = workbench();
    await palette.rows.filter({ hasText: 'Send parcels' }).first().waitFor();
    await palette.input.fill('send parcels');
    await palette.pick('Send parcels');
    runner = await ToolRunner.of(workbench().page, 'send_parcels');
    const { form } = runner;
    const field = (name: string): ReturnType<typeof form.getByRole> => form.getByRole('textbox', { name, exact: true });
    await form.getByRole('combobox', { name: 'Kind of Where to' }).waitFor();
    await picture('empty');
    await form.getByRole('combobox', { name: 'Kind of Where to' }).selectOption('Address');
    await field('street').fill('High Street 1');
    await field('zip').fill('12');
    await form.getByText('This must fit the pattern ^[0-9]{5}$').waitFor();
    await picture('refused');
    await field('zip').fill('12345');
    await form.getByText('This must fit the pattern').waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Add to Parcels' }).click();
    await field('weight').first().fill('1.2');
    await form.getByText('A multiple of 0.5.').waitFor();
    await field('weight').first().fill('1.5');
    await form.getByRole('combobox', { name: 'kind', exact: true }).selectOption('box');
    await form.getByRole('button', { name: 'Add to Parcels' }).click();
    await form.getByRole('button', { name: 'Remove Parcels 2' }).click();
    await field('Name of an entry in Labels').fill('color');
    await field('Name of an entry in Labels').press('Enter');
    await field('color').fill('red');
    await form.getByRole('button', { name: /^Not given.*1 more parameter/ }).click();
    await form.getByRole('checkbox', { name: 'note: send null' }).check();
    await picture('filled');
    await runner.button('Run').click();
    await allow(await permissionQuestion(workbench(), /^Permission:.*“send_parcels”/), 'Allow once');
    await runner.untilResult('High Street 1');
    await form.getByRole('tab', { name: 'JSON' }).click();
    assert.deepEqual(JSON.parse(await form.getByRole('textbox', { name: 'Arguments as JSON' }).inputValue()), {
      to: { street: 'High Street 1', zip: '12345' },
      parcels: [{ weight: 1.5, kind: 'box' }],
      labels: { color: 'red' },
      note: null,
      when: '2026-01-31',
    });
    await form.getByRole('tab', { name: 'Form' }).click();
  });

  it('looks right and has nothing for axe-core in every theme, and in a narrow tab', async () => {
    for (const [theme, bodyClass] of themes) {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await runner.frame.locator(`body.${bodyClass}`).waitFor();
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await runner.form.getByRole('combobox', { name: 'Kind of Where to' }).scrollIntoViewIfNeeded();
      await picture(theme);
      await assertAccessible(runner.form, `The form in ${theme}`);
    }
    await workbench().page.setViewportSize({ width: 620, height: 900 });
    await runner.form.getByRole('combobox', { name: 'Kind of Where to' }).scrollIntoViewIfNeeded();
    await picture('narrow');
  });
});
