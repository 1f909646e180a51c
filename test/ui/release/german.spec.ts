import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { allow } from '../pages/questions.ts';
import { webviewByTitle } from '../pages/webviews.ts';

const sideBarWidth = 300;

/** VS Code's own words are English here: its language pack is not on npm. All of Duplex's are German, as in a window that has it. */
describe('A window in German', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    version: 'ceiling',
    language: 'de',
    viewport: { width: 1280, height: 900 },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `german-window-${name}.png`));
  const header = (view: string): Locator => workbench().page.locator('.part.sidebar .pane-header').filter({ hasText: view });
  const rows = (text: RegExp): Locator => workbench().page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text });
  let chat: Frame;

  const question = (of: Frame | Locator): Locator => of.getByRole('group', { name: /^Berechtigung:/ }).last();

  async function ask(text: string): Promise<void> {
    const message = chat.getByRole('textbox', { name: 'Nachricht' });
    await message.fill(text);
    await chat.getByRole('button', { name: 'Senden' }).click({ trial: true });
    await message.press('Enter');
  }

  async function assertNothingStandsOut(what: Locator, name: string): Promise<void> {
    assert.equal(await what.evaluate((each) => each.scrollWidth - each.clientWidth), 0, `${name} is not cut`);
  }

  before(async () => {
    await workbench().page.locator('.activitybar').getByRole('tab', { name: 'Duplex' }).click();
    await header('MCP-Server').waitFor();
    await makeNarrow();
    chat = await webviewByTitle(workbench().page, 'Chat');
  });

  async function makeNarrow(): Promise<void> {
    const { page } = workbench();
    const box = await page.locator('.part.sidebar').boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + box.width, box.y + 400);
    await page.mouse.down();
    await page.mouse.move(box.x + sideBarWidth, box.y + 400, { steps: 4 });
    await page.mouse.up();
    const width = (await page.locator('.part.sidebar').boundingBox())?.width ?? 0;
    assert.ok(Math.abs(width - sideBarWidth) < 5, `the side bar is ${width} px wide`);
  }

  it('names the views and the commands in German, and cuts no title at 300 px', async () => {
    for (const view of ['Chat', 'MCP-Server', 'Verbundene Clients']) {
      await assertNothingStandsOut(header(view).locator('.title').first(), view);
    }
    await rows(/demo.*braucht Berechtigung/).waitFor();
    await workbench().palette.lookFor('Duplex: Server hinzufügen…');
    await workbench().page.keyboard.press('Escape');
    await picture('views');
  });

  it('asks in German before a server starts and before its tool runs', async () => {
    await ask('run roll_dice with {"sides": 6, "count": 2}');
    const start = question(chat);
    await start.getByText('demoServer.mjs').first().waitFor();
    await picture('question');
    assert.match((await start.getAttribute('aria-label')) ?? '', /Den Server.*starten/);
    await assertNothingStandsOut(start, 'the question');
    await allow(start, 'Zulassen');
    const call = chat.getByRole('group', { name: 'Tool-Aufruf: demo roll_dice' });
    await question(call).waitFor();
    await picture('call');
    await assertNothingStandsOut(question(call), 'the question about the tool');
    await allow(question(call), 'Einmal zulassen');
  });

  it('answers in German, and nothing stands out of the chat', async () => {
    await chat
      .getByRole('article', { name: 'Assistent' })
      .last()
      .getByText(/wurde ausgeführt und hat geantwortet/)
      .waitFor();
    assert.equal(await chat.locator('html').getAttribute('lang'), 'de');
    await assertNothingStandsOut(chat.locator('html'), 'the chat');
    await picture('answer');
  });

  it('tells an error in German, with the quotation marks of German', async () => {
    const { palette } = workbench();
    const paste = async (): Promise<void> => {
      await palette.widget.getByText('Fügen Sie ein, was Sie haben').waitFor();
      await palette.answer('no-such-program --help');
    };
    await palette.chooseAfter('Duplex: Server hinzufügen…', paste, 'Benutzereinstellungen');
    await workbench().notifications.waitFor(
      /Der MCP-Server „no-such-program“ ist fehlgeschlagen: Der Befehl „no-such-program“ wurde in den \d+ Ordnern/,
    );
    await picture('error');
  });
});
