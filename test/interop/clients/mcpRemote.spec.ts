import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { ensureNewNode, ensurePeerProgram } from '../../support/peers/peers.mjs';
import { outFolder } from '../../support/run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { sharedBrowser } from '../../support/page/browser.ts';
import { useWorkbench } from '../../ui/harness/useWorkbench.ts';
import { permissionQuestion } from '../../ui/pages/consentPanel.ts';
import { readDiscovery } from '../../ui/pages/discovery.ts';
import { runClient, type ClientPlan, type ClientSteps } from './clientProcess.ts';

const installMs = 240_000;

interface RunningHost {
  readonly steps: Promise<ClientSteps>;
  /** Where mcp-remote sends the person. */
  readonly address: Promise<string>;
  said(): string;
}

/** A host that only launches commands, and mcp-remote between it and the editor. Nobody copies a token. */
describe('mcp-remote with a browser', () => {
  const workbench = useWorkbench({ version: 'ceiling', viewport: { width: 1280, height: 900 } });
  const rows = (): Locator => workbench().views.rows('Connected Clients');
  const picture = (name: string): string => path.join(outFolder, 'looks', `pairing-${name}.png`);
  let window: DiscoveryFile;
  let node: string;
  let program: string;
  let memory: string;
  let notes: string;
  let browser: BrowserContext;

  before(async function () {
    this.timeout(installMs);
    program = await ensurePeerProgram('mcpRemote', 'mcp-remote');
    node = await ensureNewNode();
    memory = createTemporaryFolder();
    browser = await (await sharedBrowser()).newContext({ viewport: { width: 900, height: 640 } });
    await workbench().openView('Duplex');
    await workbench().views.unfold('Connected Clients');
    window = await readDiscovery(workbench().folders.home);
    notes = path.join(workbench().folders.workspace ?? '', 'notes.txt');
    await writeFile(notes, 'before\n');
  });
  after(async () => {
    await browser.close();
    await removeTemporaryFolder(memory);
  });

  function launch(url: string, transport: string, onSubscribed: () => Promise<void>): RunningHost {
    const plan: ClientPlan = {
      sdk: 'second',
      transport: 'stdio',
      revision: '2025-11-25',
      command: node,
      args: [program, url, '--allow-http', '--transport', transport, '--auth-timeout', '60'],
      // Without a PATH it finds no browser to open, and says where one should go.
      env: { MCP_REMOTE_CONFIG_DIR: memory, PATH: '/nowhere' },
      name: 'remote host',
      resource: pathToFileURL(notes).href,
      prompt: { name: 'fix_diagnostics', arguments: { path: 'src/receipt.ts' }, completes: 'path', value: 'src/re' },
    };
    let said = '';
    const heard = new EventEmitter();
    const address = once(heard, 'address').then(([url]) => String(url));
    const steps = runClient('storyClient', plan, onSubscribed, (chunk) => {
      said += chunk;
      const url = /https?:\/\/\S+\/authorize\?\S+(?=\s)/.exec(said)?.[0];
      if (url !== undefined) {
        heard.emit('address', url);
      }
    });
    return { steps, address: Promise.race([address, steps.then(() => 'about:blank')]), said: () => said };
  }

  async function askedAlike(page: Page): Promise<Locator> {
    const code = (await page.getByRole('group', { name: 'Pairing code' }).textContent()) ?? '';
    assert.match(code, /^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
    const question = await permissionQuestion(workbench(), /^Permission:.*MCP CLI Proxy/);
    const shown = question.getByRole('textbox', { name: 'Pairing code' });
    assert.deepEqual([await shown.inputValue(), await shown.isEditable()], [code, false]);
    return question;
  }

  async function isSentBack(page: Page): Promise<void> {
    await page.waitForURL(/^http:\/\/(localhost|127\.0\.0\.1):\d+\/oauth\/callback\?.*code=/);
    await page
      .getByText(/success|close this/i)
      .first()
      .waitFor();
    await page.close();
  }

  function assertWhole(steps: ClientSteps, text: string): void {
    assert.ok(steps.tools.includes('propose_edit'), steps.tools.join());
    assert.match(steps.call.content[0]?.text ?? '', /"name":"demo"|^0 demo: /);
    assert.deepEqual([steps.updated, steps.readAgain.contents[0]?.text], [pathToFileURL(notes).href, text]);
    assert.match(JSON.stringify(steps.prompt.messages), /src\/receipt\.ts/);
    assert.deepEqual(steps.completion.completion.values, ['src/receipt.ts']);
  }

  for (const [transport, called, url, theme, role, button] of [
    ['http-only', 'Streamable HTTP', (): string => window.urls.mcp, 'Light Modern', 'Editor', 'Always allow'],
    ['sse-only', 'HTTP with server-sent events', (): string => window.urls.sse, 'Dark Modern', 'Reader', 'Allow for this session'],
  ] as const) {
    it(`is let in over ${transport} by the same pairing code in the browser and in VS Code, and uses everything`, async () => {
      await workbench().runCommand('Preferences: Color Theme');
      await workbench().palette.input.fill(theme);
      await workbench().palette.pick(theme);
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      const host = launch(url(), transport, async () => {
        await rows()
          .filter({ hasText: /MCP CLI Proxy|remote host/ })
          .filter({ hasText: role })
          .first()
          .waitFor();
        await writeFile(notes, `${transport}\n`);
      });
      const page = await browser.newPage();
      await page.emulateMedia({ colorScheme: theme.startsWith('Dark') ? 'dark' : 'light' });
      await page.goto(await host.address);
      await page.screenshot({ path: picture(`page-${theme}`) }); // at once: later the page is on its way to the next one
      const question = await askedAlike(page);
      await question.getByRole('definition').filter({ hasText: called }).waitFor();
      await question.getByRole('radio', { name: role }).check();
      await workbench().screenshot(picture(`question-${theme}`));
      await question.getByRole('button', { name: button, exact: true }).click();
      await isSentBack(page);
      assertWhole(await host.steps, `${transport}\n`);
    });
  }

  it('comes back with what it was given, without a page and without a question', async () => {
    const host = launch(window.urls.mcp, 'http-only', () => writeFile(notes, 'again\n'));
    assertWhole(await host.steps, 'again\n');
    assert.doesNotMatch(host.said(), /\/authorize\?/);
  });
});
