import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { byHandWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually } from '../pages/discovery.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

/** The line that a tool's call passes. */
const answeringLine = 5;

/** A server as somebody begins one, with these tools. */
function serverText(...tools: readonly string[]): string {
  const listed = tools.map((name) => ({ name, description: `Answers ${name}.`, inputSchema: { type: 'object', properties: {} } }));
  return `import { createInterface } from 'node:readline';
const tools = ${JSON.stringify(listed)};
const serverInfo = { name: 'mine', version: '1' };
function call(name) {
  const text = 'answered by ' + name;
  return { content: [{ type: 'text', text }] };
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
    'tools/list': () => ({ tools }),
    'tools/call': () => call(params.name),
    ping: () => ({}),
  };
  if (id !== undefined) {
    const known = results[method];
    const answer = known === undefined ? { error: { code: -32601, message: 'unknown' } } : { result: known() };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
});
`;
}

/** A person who writes a server: the definition says that it is debugged and watched. */
describe('A server of one’s own', function () {
  this.timeout(180_000);
  const workbench = useSharedWorkbench(byHandWindow);
  const file = (): string => path.join(workbench().folders.workspace ?? '', 'mine.mjs');
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `own-server-${name}.png`));
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text }).first();
  const toolbar = (): Locator => workbench().page.locator('.debug-toolbar');
  const press = (name: RegExp): Promise<void> => workbench().views.press(row(/^mine/), name);

  before(async () => {
    await writeFile(file(), serverText('first_tool'));
    await workbench().openView('Duplex');
    await row(/mine.*needs permission/).waitFor();
  });

  it('starts under the debugger of the editor, after a question that says so', async () => {
    await press(/Start Server/);
    const question = await permissionQuestion(workbench(), /Start the server “mine”/);
    assert.match(await question.innerText(), /--inspect=127\.0\.0\.1:0/);
    await allow(question, 'Allow');
    await row(/mine.*1 tool/).waitFor();
    await toolbar().waitFor();
    await picture('debugged');
  });

  it('answers although it stood at a breakpoint', async () => {
    const { page, palette } = workbench();
    const typeLine = (): Promise<void> => palette.input.fill(`mine.mjs:${answeringLine}`, { timeout: 6_000 });
    await palette.chooseAfter('Go to File...', typeLine, 'mine.mjs');
    await page.locator('.editor-instance .view-lines').first().waitFor();
    await workbench().runCommand('Debug: Toggle Breakpoint');
    await page.locator('.codicon-debug-breakpoint').first().waitFor();
    await ToolRunner.choose(page, 'first_tool');
    await allow(await permissionQuestion(workbench(), /^Permission:.*first_tool/), 'Allow once');
    await page.locator('.debug-top-stack-frame-line').first().waitFor({ timeout: 60_000 });
    await picture('held');
    await toolbar()
      .getByRole('button', { name: /^Continue/ })
      .click();
    const runner = await ToolRunner.of(page, 'first_tool');
    await runner.untilResult('answered by first_tool');
    await workbench().runCommand('Remove All Breakpoints');
    await workbench().openView('Duplex'); // what stops there has opened its own
  });

  it('starts again when a watched file changes, with its new tool and the debugger', async () => {
    await writeFile(file(), serverText('first_tool', 'second_tool'));
    await row(/mine.*2 tools/).waitFor();
    await toolbar().waitFor();
    await ToolRunner.choose(workbench().page, 'second_tool');
    await allow(await permissionQuestion(workbench(), /^Permission:.*second_tool/), 'Allow once');
    const runner = await ToolRunner.of(workbench().page, 'second_tool');
    await runner.untilResult('answered by second_tool');
  });

  it('is checked in a report that can be read', async () => {
    await workbench().palette.chooseAfter('Duplex: Check Server…', 'mine');
    const report = await eventually('the report', () => drawn('The tools of mine'));
    await picture('checked');
    await assertAccessible(report, 'the report of Check Server', 'region');
  });

  it('ends its debugging when it is stopped', async () => {
    await press(/Stop Server/);
    await row(/mine.*stopped/).waitFor();
    await toolbar().waitFor({ state: 'hidden' });
  });

  it('is offered by its tools while it is stopped, and started for the one that is chosen', async () => {
    await writeFile(file(), serverText('first_tool', 'second_tool').replace('answered by', 'started and answered by'));
    const { page, palette } = workbench();
    const lookAtTools = async (): Promise<void> => {
      await palette.offered('second_tool');
      await picture('stopped-tools');
    };
    await palette.chooseAfter('Duplex: Run Tool…', lookAtTools, 'second_tool');
    await allow(await permissionQuestion(workbench(), /^Permission:.*second_tool/), 'Allow once');
    const runner = await ToolRunner.of(page, 'second_tool');
    await runner.untilResult('started and answered by second_tool');
    await row(/mine.*2 tools/).waitFor();
    // Whoever has the window next would have a debugger over its tabs, as what was allowed once starts with the window.
    await workbench().palette.chooseAfter('Duplex: Disable Server…', 'mine');
    await row(/mine.*disabled/).waitFor();
  });

  /** VS Code's own preview gives its frame no title. */
  async function drawn(heading: string): Promise<Locator | undefined> {
    for (const frame of workbench().page.frames()) {
      if (
        (await frame
          .getByRole('heading', { name: heading, level: 1 })
          .count()
          .catch(() => 0)) > 0
      ) {
        return frame.locator('body');
      }
    }
    return undefined;
  }
});
