import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../fixtures/anthropic/turns.ts';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { answerByKeyboard } from '../pages/keyboardAnswer.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';
import { webviewByTitle } from '../pages/webviews.ts';

const appServer = path.join(repositoryRoot, 'test/fixtures/servers/appServer.mjs');
const pictures = path.join(outFolder, 'looks', 'apps');

/** An app that is out of view sleeps after half a minute. */
const awayMilliseconds = 90_000;
/** More than a window shows at once. */
const longAnswer = Array.from({ length: 90 }, (_, line) => `Line ${line}`).join('\n\n');

const themes: readonly [theme: string, bodyClass: string][] = [
  ['Default Dark Modern', 'vscode-dark'],
  ['Default High Contrast', 'vscode-high-contrast'],
  ['Default Light Modern', 'vscode-light'],
];

/** VS Code's own empty page is the shell of an app: only a real window shows that it is there and closed off. */
describe('The app of a server in the chat', function () {
  this.timeout(180_000);
  let api: AnthropicServer;
  let chat: Chat;
  before(async () => {
    api = await AnthropicServer.start();
  });
  after(() => api.close());
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    viewport: { width: 1280, height: 1200 },
    get settings() {
      return { 'duplex.anthropic.baseUrl': api.url, 'duplex.mcpServers': { apps: { command: 'node', args: [appServer] } } };
    },
    get env() {
      return { ANTHROPIC_API_KEY: api.apiKey };
    },
  });

  const card = (): Locator => chat.frame.getByRole('group', { name: 'App: apps draw' }).last();
  const inside = (): FrameLocator => card().frameLocator('iframe.app-shell').frameLocator('iframe').frameLocator('iframe');
  const question = (name: RegExp): Locator => chat.frame.getByRole('group', { name });
  const showQuestion = (): Locator => question(/^Permission: Show the app of “draw” from the server “apps”/);

  async function lookInEveryTheme(place: Locator, what: string): Promise<void> {
    const folder = path.join(workbench().folders.workspace ?? '', '.vscode');
    await mkdir(folder, { recursive: true });
    for (const [theme, bodyClass] of themes) {
      await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme }));
      await place.locator(`xpath=ancestor::body[contains(concat(" ", @class, " "), " ${bodyClass} ")]`).waitFor();
      await place.screenshot({ path: path.join(pictures, `${what}-${bodyClass}.png`) });
      await assertAccessible(place, `${what} in ${theme}`);
    }
  }

  before(async () => {
    await workbench().openView('Duplex');
    const row = workbench().views.rows('MCP Servers').filter({ hasText: 'apps' }).first();
    await workbench().views.press(row, /Start Server/);
    await allow(await permissionQuestion(workbench(), /^Permission: Start the server “apps”/), 'Allow');
    await row.filter({ hasText: 'tools' }).waitFor();
    chat = await Chat.open(workbench());
  });

  it('is shown only after its question, which is refused and allowed by keyboard alone', async () => {
    await chat.ask('use draw {"what": "a house"}');
    await chat.question().waitFor();
    await allow(chat.question(), 'Allow once');
    await showQuestion().waitFor();
    await lookInEveryTheme(showQuestion(), 'question');
    assert.match(await showQuestion().innerText(), /https:\/\/api\.example\.com/);
    await answerByKeyboard(showQuestion(), 'Deny');
    await card().getByText('You did not allow this app.').waitFor();
    assert.equal(await chat.frame.locator('iframe').count(), 0);
    await card().getByRole('button', { name: 'Wake' }).click();
    await showQuestion().waitFor();
    await answerByKeyboard(showQuestion(), 'Allow once');
  });

  it('runs in a frame without an origin, and gets the call as the server answered it', async () => {
    await inside().getByText('"what":"a house"').first().waitFor();
    assert.match(await inside().locator('#result').innerText(), /"_meta":\{"secret":"for the app"\}/);
    assert.equal(
      await inside()
        .locator('body')
        .evaluate(() => self.origin),
      'null',
    );
    await lookInEveryTheme(card(), 'app');
  });

  it('calls a tool that no model has, after a question in its own name', async () => {
    await inside().getByRole('button', { name: 'Count' }).click();
    const asked = question(/^Permission: An app of the server “apps” wants to run “count”/);
    await asked.waitFor();
    await allow(asked, 'Allow once');
    await inside().getByText('counted 1').waitFor();
  });

  it('sends a message in the person’s name only when they allow it', async () => {
    const asked = question(/^Permission: The app of “draw” from the server “apps” wants to send a message as you/);
    await inside().getByRole('button', { name: 'Say' }).click();
    await asked.waitFor();
    await answerByKeyboard(asked, 'Deny');
    await inside().getByText('"isError":true').waitFor();
    await inside().getByRole('button', { name: 'Say' }).click();
    await asked.waitFor();
    await answerByKeyboard(asked, 'Allow once');
    await chat.frame.getByRole('article', { name: 'You' }).last().getByText('hello from the app').waitFor();
    await chat.untilIdle();
  });

  it('goes into a tab of the editor when it asks for it, and back, and begins anew each time', async () => {
    await inside().getByRole('button', { name: 'Large' }).click();
    await card().getByText('Shown in an editor tab').waitFor();
    const tab = await webviewByTitle(workbench().page, 'App draw');
    const app = tab.frameLocator('main > iframe').frameLocator('iframe');
    await app.getByText('"fullscreen"').waitFor();
    await app.getByText('"what":"a house"').first().waitFor();
    assert.equal(await app.locator('body').evaluate(() => self.origin), 'null');
    await tab.getByText('App of the server “apps”').waitFor();
    await tab.locator('body').screenshot({ path: path.join(pictures, 'tab.png') });
    await app.getByRole('button', { name: 'Small' }).click();
    await inside().getByText('"inline"').waitFor();
  });

  it('puts what the model is to know beside the next message, where it can be removed', async () => {
    const asked = question(/^Permission: The app of “draw” from the server “apps” wants to tell the model something/);
    await inside().getByRole('button', { name: 'Tell' }).click();
    await asked.waitFor();
    await answerByKeyboard(asked, 'Allow for this session');
    const chip = chat.frame.getByRole('button', { name: /^Remove .*apps draw/ });
    await chip.waitFor();
    await inside().getByRole('button', { name: 'Tell' }).click();
    await chip.waitFor();
    assert.equal(await chip.count(), 1, 'the later one stands in place of the earlier');
  });

  it('is left by Escape, after which the keys of the editor work again', async () => {
    await inside().locator('#answer').click();
    await inside().getByRole('button', { name: 'Count' }).focus();
    await card().getByText('Esc leaves').waitFor();
    await card().screenshot({ path: path.join(pictures, 'keys.png') });
    await workbench().page.keyboard.press('Escape');
    await card().and(chat.frame.locator(':focus')).waitFor();
  });

  it('offers a tool of its own, which the model runs after a question that names the app, and on record', async () => {
    await chat.untilIdle();
    await chat.ask('Which tools are there?');
    await chat.answers.last().getByText('You said:').waitFor();
    await chat.untilIdle();
    const offered = api.messageBodies.at(-1)?.tools?.find(({ name }) => name.startsWith('apps__app_paint_'));
    assert.ok(offered !== undefined, 'the model is told of it');
    await chat.ask(`use ${offered.name} {"colour": "rgb(200, 0, 0)"}`);
    const asked = question(/wants to run “paint” in the app of the server “apps”/);
    await asked.waitFor();
    await asked.scrollIntoViewIfNeeded();
    await workbench().screenshot(path.join(pictures, 'app-tool-question.png'));
    assert.notEqual(await inside().locator('h1').evaluate(colourOf), 'rgb(200, 0, 0)', 'nothing is done before the answer');
    await allow(asked, 'Allow once');
    await chat.answers.last().getByText('The tool said: painted rgb(200, 0, 0)').waitFor();
    assert.equal(await inside().locator('h1').evaluate(colourOf), 'rgb(200, 0, 0)');
    await chat.untilIdle();
    await workbench().screenshot(path.join(pictures, 'app-tool-done.png'));
    await workbench().runCommand('Duplex: Show Audit Log');
    const log = (await workbench().webview('Duplex Audit Log')).getByRole('table', { name: 'Audit log' });
    const row = log.getByRole('row').filter({ hasText: 'Call app: paint' }).filter({ hasText: 'Succeeded' });
    await row.waitFor();
    await workbench().screenshot(path.join(pictures, 'app-tool-record.png'));
    await workbench().tidyUp();
  });

  it('goes out of view below a long answer', async () => {
    api.script([say(longAnswer)]);
    await chat.ask('Say much.');
    await chat.answers.last().getByText('Line 89').waitFor();
    await chat.untilIdle();
    await inside().locator('h1').waitFor({ state: 'attached' });
  });

  it('of a tool that is run by hand is shown in a tab, after the same question', async () => {
    // It has no parameters, so it is run as soon as it is chosen.
    await ToolRunner.choose(workbench().page, 'draw');
    await allow(await permissionQuestion(workbench(), /^Permission:.*“draw”.*Run Tool/), 'Allow once');
    const runner = await ToolRunner.of(workbench().page, 'draw');
    await runner.untilResult('drawn nothing');
    await runner.button('Show app').click();
    await allow(await permissionQuestion(workbench(), /^Permission: Show the app of “draw”/), 'Allow once');
    const tab = await webviewByTitle(workbench().page, 'App draw');
    const app = tab.frameLocator('main > iframe').frameLocator('iframe');
    await app.getByText('"what":"nothing"').first().waitFor();
    await tab.locator('body').screenshot({ path: path.join(pictures, 'run-tool.png') });
    assert.equal(await app.locator('#mode').innerText(), '"inline"');
  });

  it('sleeps when it was out of view for long, and is woken by a click without a new question', async () => {
    await card().getByText('Asleep, because it was out of view.').waitFor({ state: 'attached', timeout: awayMilliseconds });
    assert.equal(await card().locator('iframe').count(), 0, 'it runs no code');
    const place = card().locator('.app-asleep');
    await place.scrollIntoViewIfNeeded();
    await workbench().screenshot(path.join(pictures, 'asleep.png'));
    await place.click({ position: { x: 12, y: 12 } });
    await inside().getByText('"what":"a house"').first().waitFor();
    assert.equal(await question(/^Permission:/).count(), 0, 'it was allowed, if only once');
    await inside().getByRole('button', { name: 'Count' }).click();
    const asked = question(/^Permission: An app of the server “apps” wants to run “count”/);
    await asked.waitFor();
    await allow(asked, 'Allow once');
    await inside().getByText('counted 2').waitFor();
    await asked.waitFor({ state: 'detached' });
    await card().scrollIntoViewIfNeeded();
    await workbench().screenshot(path.join(pictures, 'woken.png'));
  });

  it('sleeps when it is closed and after a reload, and is woken by its button', async () => {
    await card().getByRole('button', { name: 'Close' }).click();
    await card().getByText('Asleep').waitFor();
    await workbench().reload();
    chat = await Chat.open(workbench());
    await card().getByText('Asleep').waitFor();
    await card().getByRole('button', { name: 'Wake' }).click();
    await showQuestion().or(card().getByText('not running')).first().waitFor();
  });
});

function colourOf(element: Element): string {
  return getComputedStyle(element).color;
}
