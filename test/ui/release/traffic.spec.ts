import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { WebSocket } from 'ws';
import { outFolder } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { eventually, readDiscovery } from '../pages/discovery.ts';
import { allow } from '../pages/questions.ts';

const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light Modern', 'vscode-light'],
];

/** More than are kept. */
const floodSize = 10_400;
const atOnce = 200;

describe('The traffic view', () => {
  const workbench = useWorkbench({
    version: 'ceiling',
    viewport: { width: 1280, height: 900 },
    settings: { 'duplex.server.limits': { requestsPerSecond: 100_000 } },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `traffic-${name}.png`));
  let frame: Frame;
  let chat: Chat;
  const grid = (): Locator => frame.getByRole('grid', { name: 'Messages' });
  const calls = (): Locator => grid().getByRole('row', { name: /tools\/call\s*roll_dice/ });
  const details = (): Locator => frame.getByRole('region', { name: 'Message' });

  before(async () => {
    await workbench().openView('Duplex');
    chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: Show Traffic');
    frame = await workbench().webview('Traffic');
    await frame.getByRole('status').filter({ hasText: ' since ' }).waitFor();
    await chat.ask('run roll_dice with {"sides": 6, "count": 2}');
    await allow(chat.frame.getByRole('group', { name: /^Permission:.*demo/ }), 'Allow');
    await allow(chat.toolCall('demo', 'roll_dice'), 'Allow once');
    await chat.untilIdle();
    await calls().first().waitFor();
  });

  it('shows requests with their answers, and leaves those that the filter finds', async () => {
    await grid()
      .getByRole('row', { name: /initialize|server\/discover/ })
      .first()
      .waitFor();
    await frame.getByRole('searchbox', { name: 'Filter' }).fill('"sides"');
    await frame.getByRole('status').filter({ hasText: ' of ' }).waitFor();
    await frame.getByRole('combobox', { name: 'Method' }).selectOption('tools/call');
    await calls().first().click();
    await details().getByText('roll_dice').first().waitFor();
    await grid().getByRole('row').nth(2).waitFor({ state: 'detached' });
    assert.equal(await grid().getByRole('row').count(), 2); // with the head
  });

  for (const [theme, bodyClass] of themes) {
    it(`can be read in the theme ${theme}`, async () => {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await frame.locator(`body.${bodyClass}`).waitFor();
      await frame.getByRole('searchbox', { name: 'Filter' }).fill('');
      await frame.getByRole('combobox', { name: 'Method' }).selectOption('');
      await frame.getByRole('status').filter({ hasNotText: ' of ' }).waitFor();
      await picture(theme);
      await assertAccessible(frame.locator('body'), `the traffic in ${theme}`);
    });
  }

  it('exports what is shown as JSON lines', async () => {
    await frame.getByRole('searchbox', { name: 'Filter' }).fill('"sides"');
    await frame.getByRole('combobox', { name: 'Method' }).selectOption('tools/call');
    await frame.getByRole('status').filter({ hasText: '1 of ' }).waitFor();
    await frame.getByRole('button', { name: 'Export', exact: true }).click();
    const [line] = (await saved('duplex-traffic.jsonl')).trim().split('\n');
    const { server, message, answer } = JSON.parse(line ?? '') as Record<string, unknown>;
    assert.deepEqual([server, /"sides":6/.test(JSON.stringify(message)), typeof answer], ['demo', true, 'object']);
    await workbench().runCommand('View: Close All Editors');
    await frame.getByRole('searchbox', { name: 'Filter' }).fill('');
    await frame.getByRole('combobox', { name: 'Method' }).selectOption('');
  });

  it('takes more messages than it keeps and stays usable meanwhile', async () => {
    const { urls, token } = await readDiscovery(workbench().folders.home);
    const flooding = flood(urls.ws, token);
    await frame
      .getByRole('status')
      .filter({ hasText: /[1-9],\d{3} messages/ })
      .waitFor({ timeout: 60_000 });
    await frame.getByRole('combobox', { name: 'Method' }).selectOption('ping');
    await grid().getByRole('row', { name: /ping/ }).first().waitFor();
    await flooding;
    await frame.getByRole('status').filter({ hasText: 'made room' }).waitFor({ timeout: 60_000 });
    // Rows come in portions: the last of them after the word that there are more than are kept.
    const count = await eventually('all rows that are kept', async () => {
      const now = Number(await grid().getAttribute('aria-rowcount'));
      return now > 9_000 ? now : undefined;
    });
    const drawn = await grid().getByRole('row').count();
    assert.ok(count <= 10_001 && drawn < 200, `${count} rows, ${drawn} drawn`);
    await picture('flood');
  }).timeout(180_000);

  it('forgets everything when told to, and records nothing while paused', async () => {
    await frame.getByRole('button', { name: 'Pause' }).click();
    await frame.getByRole('status').filter({ hasText: 'Paused' }).waitFor();
    await frame.getByRole('button', { name: 'Clear' }).click();
    await frame.getByText('Recording is paused.').waitFor();
    await picture('empty');
    await chat.ask('run roll_dice with {"sides": 4, "count": 1}');
    await allow(chat.toolCall('demo', 'roll_dice').last(), 'Allow once');
    await chat.untilIdle();
    await frame.getByRole('status').filter({ hasText: 'Paused · 0 messages' }).waitFor();
  });

  it('records nothing while it is hidden, unless it was told to go on', async () => {
    await frame.getByRole('button', { name: 'Pause' }).click();
    await frame.getByRole('button', { name: 'Pause', pressed: false }).waitFor();
    await frame.getByRole('combobox', { name: 'Method' }).selectOption('');
    const { urls, token } = await readDiscovery(workbench().folders.home);
    const pings = (): Locator => grid().getByRole('row', { name: /flood.*ping/ });
    const floodHidden = async (): Promise<void> => {
      await workbench().runCommand('View: Hide Panel');
      await workbench().page.locator('.part.panel').waitFor({ state: 'hidden' });
      // What the extension shows after that it shows knowing that the panel is hidden: it is told of one after the other.
      await workbench().runCommand('Duplex: Manage Permissions');
      await workbench().webview('Duplex Permissions');
      await workbench().runCommand('View: Close All Editors');
      await flood(urls.ws, token, 5);
      await workbench().runCommand('Duplex: Show Traffic');
      frame = await workbench().webview('Traffic');
    };
    await flood(urls.ws, token, 2);
    await pings().nth(1).waitFor();
    await frame.getByRole('combobox', { name: 'Method' }).selectOption('ping');
    await floodHidden();
    assert.equal(await frame.getByRole('combobox', { name: 'Method' }).inputValue(), 'ping');
    await flood(urls.ws, token, 1);
    await pings().nth(2).waitFor();
    assert.equal(await pings().count(), 3);
    await frame.getByRole('button', { name: 'Record while hidden' }).click();
    await frame.getByRole('button', { name: 'Record while hidden', pressed: true }).waitFor();
    await floodHidden();
    await pings().nth(7).waitFor();
  });

  const fileOf = (name: string): string => path.join(workbench().folders.workspace ?? '', name);

  /** Takes the place that VS Code's own dialog offers. */
  async function saved(name: string): Promise<string> {
    await workbench().palette.acceptFile(name);
    return eventually('the file', async () => {
      const text = await readFile(fileOf(name), 'utf8').catch(() => '');
      return text === '' ? undefined : text;
    });
  }
});

/** An outside program that asks as fast as it is answered. */
async function flood(url: string, token: string, size = floodSize): Promise<void> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const clientInfo = { name: 'flood', version: '1' };
  const ask = (id: number): void => socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  await new Promise<void>((resolve) => {
    let answered = 0;
    let asked = 0;
    socket.on('message', () => {
      answered += 1;
      if (answered > size) {
        resolve();
      }
      while (asked < size && asked - answered < atOnce) {
        asked += 1;
        ask(asked);
      }
    });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  });
  socket.close();
}
