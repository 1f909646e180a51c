import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Frame, Locator } from 'playwright-core';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, useTools } from '../../fixtures/anthropic/turns.ts';
import type { Workbench } from '../../ui/harness/workbench.ts';
import { Chat } from '../../ui/pages/chat.ts';
import { permissionQuestion } from '../../ui/pages/consentPanel.ts';
import { eventually, readDiscovery } from '../../ui/pages/discovery.ts';
import { EditReview } from '../../ui/pages/editReview.ts';
import { allow } from '../../ui/pages/questions.ts';
import { ToolRunner } from '../../ui/pages/toolRunner.ts';
import type { Photographer } from './photographer.ts';

export interface Scene {
  readonly workbench: Workbench;
  readonly model: AnthropicServer;
  readonly camera: Photographer;
}

const chatWidth = 420;
const panelHeight = 400;

/** The editor of the scenes: quiet, and with both sides of a difference. */
export const settingsOfScenes: Readonly<Record<string, unknown>> = {
  'editor.fontSize': 12,
  'editor.unicodeHighlight.ambiguousCharacters': false,
  'files.autoSave': 'off',
  'diffEditor.renderSideBySide': true,
  'diffEditor.useInlineViewWhenSpaceIsLimited': false,
};

/** The server of the standard's own project whose app is shown. */
export function settingsOfApp(apps: string): Readonly<Record<string, unknown>> {
  const app = path.join(apps, '@modelcontextprotocol/server-budget-allocator/dist/index.js');
  return { ...settingsOfScenes, 'duplex.mcpServers': { budget: { command: 'node', args: [app, '--stdio'] } } };
}

/** A window without a key: the guide runs a tool of the demo server. */
export async function takeOffline({ workbench, camera }: Scene): Promise<void> {
  await openDuplex(workbench);
  await row(workbench, /demo.*needs permission/).waitFor();
  const chat = await Chat.open(workbench);
  await chat.ask('run roll_dice with {"sides": 6, "count": 2}');
  await allow(chat.frame.getByRole('group', { name: /^Permission:.*demo/ }), 'Allow');
  await allow(chat.toolCall('demo', 'roll_dice'), 'Allow once');
  await chat.untilIdle();
  await workbench.views.fold('MCP Servers');
  await camera.take('walkthrough/offline', { of: sidebar(workbench), height: 440 }, () => toTop(chat.conversation));
}

/** A server is started, and a model uses its tool and the editor's own. */
export async function takeChat({ workbench, model, camera }: Scene): Promise<void> {
  await openDuplex(workbench);
  const question = await pressStart(workbench, 'demo');
  await camera.take('walkthrough/addServer', { of: editorArea(workbench), height: 592 });
  await allow(question, 'Allow');
  await row(workbench, /demo.*tools/).waitFor();
  const chat = await Chat.open(workbench);
  model.script([
    useTools(['demo__price_of', { item: 'cheese' }]),
    useTools(['editor__get_diagnostics', {}]),
    say(
      'Cheese costs **5.40**.\n\nThe receipt has one problem, in `src/receipt.ts`, line 13: `totalOf` returns a number of cents, but `total` is a string. ' +
        'This mends it:\n\n```ts\ntotal: formatPrice(totalOf(cart)),\n```\n\nShall I propose the change?',
    ),
  ]);
  await workbench.palette.choose('Go to File...', 'receipt.ts');
  await workbench.page.locator('.statusbar-item[id="status.problems"]', { hasText: '1' }).waitFor();
  await workbench.views.fold('MCP Servers');
  await chat.ask('What does cheese cost, and why is the receipt red?');
  await chat.question().waitFor();
  await camera.take('screenshots/question', { of: sidebar(workbench) });
  await allow(chat.question(), 'Allow once');
  await allow(chat.frame.getByRole('group', { name: /^Permission: .*files/ }), 'Allow for this session');
  await chat.untilIdle();
  await camera.take('screenshots/chat', {}, () => toTop(chat.conversation));
}

/** The page that a server gives to its tool. */
export async function takeApp({ workbench, model, camera }: Scene): Promise<void> {
  await openDuplex(workbench);
  await allow(await pressStart(workbench, 'budget'), 'Allow');
  await row(workbench, /budget.*tool/).waitFor();
  await workbench.views.fold('MCP Servers');
  const chat = await Chat.open(workbench);
  model.script([useTools(['budget__get-budget-data', {}]), say('Move a slider, and the chart follows.')]);
  await chat.ask('Show me the budget.');
  await allow(chat.frame.getByRole('group', { name: /^Permission: .*get-budget-data/ }).last(), 'Allow once');
  await allow(chat.frame.getByRole('group', { name: /^Permission: Show the app/ }), 'Allow for this session');
  await chat.untilIdle();
  const card = chat.frame.getByRole('group', { name: /^App: budget/ }).last();
  await workbench.views.fold('MCP Servers');
  const show = (): Promise<void> => card.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await camera.take('screenshots/app', { of: sidebar(workbench) }, show);
}

/** Somebody without a model: a tool by hand, the traffic, a program outside, and the record of it all. */
export async function takeTools(scene: Scene): Promise<void> {
  const { workbench } = scene;
  await openDuplex(workbench);
  await workbench.runCommand('Duplex: Show Traffic');
  await recording(workbench);
  await allow(await pressStart(workbench, 'demo'), 'Allow');
  await row(workbench, /demo.*tools/).waitFor();
  await workbench.runCommand('View: Hide Panel');
  await traffic(scene, await runTool(scene));
  await outsideAgent(scene);
  await record(scene);
}

async function runTool({ workbench, camera }: Scene): Promise<ToolRunner> {
  const price = await ToolRunner.open(workbench.page, { label: 'Price of an item', name: 'price_of' });
  await price.run({ item: 'cheese' });
  await price.untilResult('cheese');
  await price.form.getByRole('tab', { name: 'Form' }).click();
  const top = (): Promise<void> => toTop(price.frame.locator('html'));
  await camera.take('screenshots/run-tool', { of: editorArea(workbench), height: 650 }, top);
  await camera.take('walkthrough/runTool', { of: editorArea(workbench), height: 650 }, top);
  return price;
}

async function traffic({ workbench, camera }: Scene, price: ToolRunner): Promise<void> {
  await workbench.runCommand('Duplex: Show Traffic');
  const frame = await recording(workbench);
  const call = frame
    .getByRole('grid', { name: 'Messages' })
    .getByRole('row', { name: /tools\/call/ })
    .last();
  // The panel has just moved Run, which counts for nothing until it stands still.
  await eventually('a call in the traffic', async () => {
    await price.pressRun();
    return call.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => undefined,
    );
  });
  await workbench.runCommand('View: Close Primary Side Bar');
  await raisePanel(workbench);
  await call.click();
  await camera.take('screenshots/traffic', { of: workbench.page.locator('.part.panel'), height: panelHeight });
  await workbench.runCommand('View: Hide Panel');
  await workbench.openView('Duplex');
}

/** Makes the panel as high as its picture. */
async function raisePanel({ page }: Workbench): Promise<void> {
  const box = await page.locator('.part.panel').boundingBox();
  if (box !== null) {
    const handle = { x: box.x + box.width / 2, y: box.y - 4 };
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    await page.mouse.move(handle.x, handle.y + box.height - panelHeight, { steps: 5 });
    await page.mouse.up();
  }
}

/** The page with the traffic, once it records. */
async function recording(workbench: Workbench): Promise<Frame> {
  const frame = await workbench.webview('Traffic');
  await frame.getByRole('status').filter({ hasText: ' since ' }).waitFor();
  return frame;
}

/** A program outside asks to come in, and proposes a change. */
async function outsideAgent({ workbench, camera }: Scene): Promise<void> {
  await workbench.runCommand('View: Close All Editors');
  const { token, urls } = await readDiscovery(workbench.folders.home);
  const client = new Client({ name: 'tidy-agent', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(urls.mcp), { requestInit }));
  const folders = client.callTool({ name: 'list_workspace_folders', arguments: {} });
  const question = await permissionQuestion(workbench, /^Permission:.*tidy-agent.*see this editor/);
  await question.getByRole('radio', { name: 'Editor' }).check();
  await camera.take('walkthrough/connectAgent', { of: editorArea(workbench), height: 620 });
  await allow(question, 'Allow for this session');
  await folders;
  await review({ workbench, camera }, client);
  await client.close();
}

async function review({ workbench, camera }: Pick<Scene, 'workbench' | 'camera'>, client: Client): Promise<void> {
  const name = 'src/receipt.ts';
  const text = await readFile(path.join(workbench.folders.workspace ?? '', name), 'utf8');
  const newText = text.replace('total: totalOf(cart),', 'total: formatPrice(totalOf(cart)),');
  const description = 'The total is shown to people, so it is a price and not a number of cents.';
  const cancelling = new AbortController();
  const proposal = client.callTool(
    { name: 'propose_edit', arguments: { path: name, newText, description } },
    { signal: cancelling.signal, timeout: 100_000 },
  );
  proposal.catch(() => undefined); // nobody waits for its end
  const edit = new EditReview(workbench);
  await edit.waitFor(/receipt\.ts \(proposed by tidy-agent/);
  await edit.thread.waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('View: Close Primary Side Bar');
  await camera.take('screenshots/edit-review', { of: editorArea(workbench), height: 460 });
  await edit.accept.click();
  await edit.tab('proposed by').waitFor({ state: 'detached' });
  cancelling.abort();
}

async function record({ workbench, camera }: Scene): Promise<void> {
  await workbench.runCommand('File: Save All Files');
  await workbench.tidyUp();
  await workbench.runCommand('Duplex: Show Audit Log');
  const frame = await workbench.webview('Duplex Audit Log');
  await frame.getByRole('row').filter({ hasText: 'propose_edit' }).first().waitFor();
  await camera.take('walkthrough/seeWhatWasDone', { of: editorArea(workbench), height: 520 });
}

async function pressStart(workbench: Workbench, server: string): Promise<Locator> {
  await row(workbench, new RegExp(`${server}.*needs permission`)).waitFor();
  await row(workbench, /editor.*tools/).waitFor(); // a row that is drawn anew loses what is pressed on it
  await workbench.views.press(row(workbench, new RegExp(server)), /Start Server/);
  return permissionQuestion(workbench, new RegExp(`^Permission: Start the server “${server}”`));
}

function row(workbench: Workbench, text: RegExp): Locator {
  return workbench.views.rows('MCP Servers').filter({ hasText: text }).first();
}

function sidebar({ page }: Workbench): Locator {
  return page.locator('.part.sidebar');
}

function editorArea({ page }: Workbench): Locator {
  return page.locator('.part.editor');
}

async function openDuplex(workbench: Workbench): Promise<void> {
  await workbench.openView('Duplex');
  const { page } = workbench;
  const box = await sidebar(workbench).boundingBox();
  if (box !== null) {
    await page.mouse.move(box.x + box.width, 400);
    await page.mouse.down();
    await page.mouse.move(box.x + chatWidth, 400, { steps: 5 });
    await page.mouse.up();
  }
}

async function toTop(place: Locator): Promise<void> {
  await place.evaluate((element) => element.scrollTo(0, 0));
}
