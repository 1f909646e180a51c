import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { ensurePeer } from '../../support/peers/peers.mjs';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { answerByKeyboard } from '../pages/keyboardAnswer.ts';
import { allow } from '../pages/questions.ts';
import { webviewByTitle } from '../pages/webviews.ts';

const pictures = path.join(outFolder, 'looks', 'example-apps');
const plan = path.join(pictures, 'plan.pdf');

const themes: readonly [theme: string, bodyClass: string][] = [
  ['Default Dark Modern', 'vscode-dark'],
  ['Default High Contrast', 'vscode-high-contrast'],
  ['Default Light Modern', 'vscode-light'],
];

/** The servers of the standard's own project, their tool, and something that their page draws. */
const examples: readonly [server: string, tool: string, drawn: string | RegExp][] = [
  ['basic-vanillajs', 'get-time', 'Get Server Time'],
  ['debug', 'debug-tool', /Event Log/i],
  ['budget-allocator', 'get-budget-data', /Budget/],
  ['basic-react', 'get-time', 'Get Server Time'],
  ['basic-vue', 'get-time', 'Get Server Time'],
  ['basic-svelte', 'get-time', 'Get Server Time'],
  ['cohort-heatmap', 'get-cohort-data', /Cohort|Retention/],
  ['customer-segmentation', 'get-customer-data', /Segment/],
  ['scenario-modeler', 'get-scenario-data', /Scenario/],
  ['system-monitor', 'get-system-info', /CPU/],
];

/** Those whose page calls the tool itself as soon as it is shown. */
const callsAtOnce: readonly string[] = ['cohort-heatmap', 'customer-segmentation'];

describe('The example servers of the standard for apps', function () {
  this.timeout(120_000);
  let modules: string;
  let chat: Chat;
  before(async () => {
    modules = await ensurePeer('apps');
    await mkdir(pictures, { recursive: true });
    await writeFile(plan, '%PDF-1.7\n%%EOF');
  });
  const program = (name: string): string => path.join(modules, '@modelcontextprotocol', `server-${name}`, 'dist/index.js');
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    viewport: { width: 1400, height: 1200 },
    /** Read when the window is opened, because only then it is known where the servers are. */
    get settings() {
      const servers = [...examples.map(([name]) => name), 'threejs', 'pdf'].map((name) => [
        name,
        { command: 'node', args: [program(name), '--stdio', ...(name === 'pdf' ? [plan] : [])] },
      ]);
      return { 'duplex.mcpServers': Object.fromEntries(servers) as Record<string, unknown> };
    },
  });

  const card = (name: string, tool: string): Locator => chat.frame.getByRole('group', { name: `App: ${name} ${tool}` }).last();
  const inside = (place: Locator): FrameLocator => place.frameLocator('iframe.app-shell').frameLocator('iframe').frameLocator('iframe');

  async function start(name: string): Promise<void> {
    const row = workbench().views.rows('MCP Servers').filter({ hasText: name }).first();
    await workbench().views.press(row, /Start Server/);
    await allow(await permissionQuestion(workbench(), new RegExp(`^Permission: Start the server “${name}”`)), 'Allow');
    await row.filter({ hasText: 'tool' }).waitFor();
  }

  async function call(name: string, tool: string, args: object = {}): Promise<void> {
    await chat.ask(`run ${name} ${tool} with ${JSON.stringify(args)}`);
    const asked = chat.frame.getByRole('group', { name: new RegExp(`^Permission: .*“?${tool}`) }).last();
    await asked.waitFor();
    await allow(asked, 'Allow once');
  }

  async function show(name: string, tool: string): Promise<Locator> {
    await start(name);
    await call(name, tool);
    const asked = chat.frame.getByRole('group', { name: /^Permission: Show the app/ });
    await asked.waitFor();
    await allow(asked, 'Allow for this session');
    const place = card(name, tool);
    await place.locator('iframe.app-shell').waitFor();
    await chat.untilIdle();
    return place;
  }

  async function lookInEveryTheme(place: Locator, what: string): Promise<void> {
    const folder = path.join(workbench().folders.workspace ?? '', '.vscode');
    await mkdir(folder, { recursive: true });
    for (const [theme, bodyClass] of themes) {
      await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme }));
      await place.locator(`xpath=ancestor::body[contains(concat(" ", @class, " "), " ${bodyClass} ")]`).waitFor();
      await place.scrollIntoViewIfNeeded();
      await place.screenshot({ path: path.join(pictures, `${what}-${bodyClass}.png`) });
    }
  }

  /** The page of this server asks for its mode by buttons. */
  async function goLargeAndBack(place: Locator, tool: string): Promise<void> {
    await inside(place).getByRole('button', { name: 'Fullscreen' }).click();
    await place.getByText('Shown in an editor tab').waitFor();
    const tab = await webviewByTitle(workbench().page, `App ${tool}`);
    const large = tab.frameLocator('main > iframe').frameLocator('iframe');
    await large
      .getByText(/Event Log/i)
      .first()
      .waitFor();
    await tab.locator('body').screenshot({ path: path.join(pictures, 'debug-tab.png') });
    await large.getByRole('button', { name: 'Inline' }).click();
    await inside(place)
      .getByText(/Event Log/i)
      .first()
      .waitFor();
  }

  /** The page of this server offers tools of its own, made with the standard's own library. */
  async function callToolOfApp(place: Locator): Promise<void> {
    const slider = inside(place).locator('[data-category-id=marketing] .slider');
    assert.notEqual(await slider.inputValue(), '41');
    await chat.ask('run app: set-allocation with {"categoryId": "marketing", "percent": 41}');
    const asked = chat.frame.getByRole('group', { name: /^Permission: .*in the app of the server “budget-allocator”/ });
    await asked.waitFor();
    await asked.screenshot({ path: path.join(pictures, 'budget-tool-question.png') });
    await allow(asked, 'Allow once');
    await chat.answers
      .last()
      .getByText(/allocation to 41\.0%/)
      .first()
      .waitFor();
    assert.equal(await slider.inputValue(), '41');
    await place.scrollIntoViewIfNeeded();
    await place.screenshot({ path: path.join(pictures, 'budget-tool-done.png') });
    await chat.untilIdle();
  }

  before(async () => {
    await workbench().openView('Duplex');
    chat = await Chat.open(workbench());
  });

  for (const [name, tool, drawn] of examples) {
    it(`${name} is shown, with the colours of the window`, async () => {
      const place = await show(name, tool);
      await inside(place).getByText(drawn).first().waitFor();
      if (callsAtOnce.includes(name)) {
        const asked = chat.frame.getByRole('group', { name: `Permission: An app of the server “${name}” wants to run “${tool}”` });
        await asked.waitFor();
        await allow(asked, 'Allow once');
        await asked.waitFor({ state: 'detached' });
      }
      await lookInEveryTheme(place, name);
      if (name === 'debug') {
        await goLargeAndBack(place, tool);
      }
      if (name === 'budget-allocator') {
        await callToolOfApp(place);
      }
      await place.getByRole('button', { name: 'Close' }).click();
      await place.getByText('Asleep').waitFor();
    });
  }

  it('threejs, which makes code of text, says that it may not', async () => {
    const place = await show('threejs', 'show_threejs_scene');
    await place
      .getByRole('status')
      .getByText(/turns text into code/)
      .waitFor();
    await lookInEveryTheme(place, 'threejs');
    await place.getByRole('button', { name: 'Close' }).click();
  });

  it('pdf, whose page is larger than any app’s may be, says so', async () => {
    await start('pdf');
    const roots = await permissionQuestion(workbench(), /^Permission: The server “pdf” wants to know the folders/);
    await answerByKeyboard(roots, 'Deny');
    await call('pdf', 'display_pdf', { url: plan });
    await card('pdf', 'display_pdf').getByText('The page of this app is larger than 3 MB.').waitFor();
    await lookInEveryTheme(card('pdf', 'display_pdf'), 'pdf');
  });
});
