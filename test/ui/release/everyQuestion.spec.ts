import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Locator } from 'playwright-core';
import type { QuestionDetail } from '../../../src/contract/questions/questions.ts';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../fixtures/anthropic/turns.ts';
import { ProtectedServer } from '../../fixtures/authorizationServer/protectedServer.ts';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { appQuestions, type Asked } from '../pages/appQuestions.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { Dresses } from '../pages/dresses.ts';
import { answerByKeyboard } from '../pages/keyboardAnswer.ts';
import { connectOutside } from '../pages/outsideProgram.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const askingServer = path.join(repositoryRoot, 'test/fixtures/servers/featuresServer.mjs');
const appServer = path.join(repositoryRoot, 'test/fixtures/servers/appServer.mjs');
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAwCAIAAABhdOiYAAAAXUlEQVR42u3QMREAMAgEMHS+kiqpiGpCTB0wM+QuClLnNYNSIEiQIEGCBAkShCBBggQJEiRIEIIECRK0JCg3DAQJEiRIkCBBggQhSJAgQYIECRKEIEGCBAkSJEgQ+alMArR77IUVAAAAAElFTkSuQmCC';
const maxCalls = 10;
const pictures = path.join(outFolder, 'looks', 'every-question');

const themes: readonly [theme: string, bodyClass: string][] = [
  ['Default Dark Modern', 'vscode-dark'],
  ['Default High Contrast', 'vscode-high-contrast'],
  ['Default Light Modern', 'vscode-light'],
];

/** Whoever is told that the person takes their time asks the same again. */
async function callUntilAnswered(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  for (let calls = 1; ; calls += 1) {
    const answer = JSON.stringify(await client.callTool({ name, arguments: args }));
    if (calls === maxCalls || !answer.includes('repeat this identical call')) {
      return answer;
    }
  }
}

type Kind = Exclude<QuestionDetail['kind'], 'elicitation'> | 'elicitation of a form' | 'elicitation of a link';

/** All kinds there are, one after the other in one window: the compiler names the one that is missing. */
describe('Every kind of question', function () {
  this.timeout(180_000);
  let api: AnthropicServer;
  let guarded: ProtectedServer;
  let outsider: Client | undefined;
  let chat: Chat;
  before(async () => {
    api = await AnthropicServer.start();
    guarded = await ProtectedServer.start();
  });
  after(async () => {
    await outsider?.close();
    await Promise.all([api.close(), guarded.close()]);
  });
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    viewport: { width: 1280, height: 1400 },
    get settings() {
      return {
        'duplex.anthropic.baseUrl': api.url,
        'duplex.tests.command': 'node --version',
        'duplex.mcpServers': {
          asking: { command: 'node', args: [askingServer] },
          drawing: { command: 'node', args: [appServer] },
          guarded: { type: 'http', url: guarded.url.href, auth: { clientId: 'editor', clientSecret: '${env:NOTES_SECRET}' } },
        },
      };
    },
    env: { NOTES_SECRET: 'a-secret-of-the-person' },
  });
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text }).first();
  const inPanel = (name: RegExp): Promise<Locator> => permissionQuestion(workbench(), name);
  const result = async (text: string | RegExp): Promise<void> => runner?.untilResult(text);

  async function pressStart(server: string): Promise<void> {
    await workbench().views.press(row(server), /Start Server/);
  }

  const inChat = async (text: string): Promise<Locator> => {
    chat = await Chat.open(workbench());
    const before = await chat.answers.count();
    await chat.ask(text);
    await chat.answers.nth(before).waitFor();
    await chat.question().waitFor();
    return chat.question();
  };
  const said = async (words: RegExp): Promise<void> => {
    await chat.answers.last().getByText(words).first().waitFor();
    await chat.untilIdle();
  };

  /** The server asks while one of its tools runs, which the person runs by hand. */
  async function letServerAsk(method: string, params: object): Promise<void> {
    if (runner !== undefined) {
      await workbench()
        .page.getByRole('tab', { name: /^Run ask/ })
        .click();
      await runner.run({ method, params });
      return;
    }
    await workbench().runCommand('View: Close All Editors');
    runner = await ToolRunner.open(workbench().page, { name: 'ask' });
    await runner.run({ method, params });
  }
  async function reloadWindow(): Promise<void> {
    await workbench().reload();
    runner = undefined;
    await workbench().openView('Duplex');
    await row(/asking.*tools/).waitFor();
  }
  const letServerSample = (): Promise<void> =>
    letServerAsk('sampling/createMessage', {
      systemPrompt: 'You are a helpful server.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Summarise the notes. The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789.' } },
        { role: 'user', content: { type: 'image', data: picture, mimeType: 'image/png' } },
      ],
      maxTokens: 20_000,
      temperature: 1.8,
      stopSequences: ['END'],
      metadata: { ticket: 4711 },
      tools: [{ name: 'look_closer', description: 'Shows a part of the picture.', inputSchema: { type: 'object' } }],
    });

  async function callFromOutside(name: string, tool: string): Promise<void> {
    await outsider?.close();
    outsider = await connectOutside(await readDiscovery(workbench().folders.home), name);
    outcome = callUntilAnswered(outsider, tool).catch(String);
  }
  let outcome = Promise.resolve('');
  let browserPage: Promise<unknown> = Promise.resolve();
  let outsiders = 0;
  let isRootsRefused = false;
  let runner: ToolRunner | undefined;
  const dresses = new Dresses();

  const cases: Readonly<Record<Kind, Asked>> = {
    startServer: {
      open: async () => {
        await workbench().openView('Duplex');
        await pressStart('asking');
        return inPanel(/^Permission: Start the server “asking”/);
      },
      refusal: 'Deny',
      refused: () => row(/asking.*needs permission/).waitFor(),
      consent: 'Allow',
      allowed: () => row(/asking.*tools/).waitFor(),
    },
    signIn: {
      open: async () => {
        if (await row(/guarded.*needs permission/).isVisible()) {
          await pressStart('guarded');
          await allow(await inPanel(/^Permission: Start the server “guarded”/), 'Allow');
        }
        const toast = await workbench().notifications.waitFor(/“guarded” wants you to sign in|“guarded” failed/);
        await toast.getByRole('button', { name: /Sign In|Try Again/ }).click();
        return inPanel(/^Permission: Sign in to the server “guarded”/);
      },
      refusal: 'Deny',
      refused: async () => {
        await workbench().notifications.waitFor(/“guarded” failed.*was not allowed/);
        assert.equal(guarded.authorization.requests('/authorize').length, 0);
      },
      consent: 'Allow',
      fillIn: async () => {
        browserPage = workbench()
          .page.context()
          .waitForEvent('page')
          .then((page) => page.close());
      },
      allowed: async () => {
        await browserPage;
        await workbench().runCommand('Notifications: Clear All Notifications');
      },
    },
    callTool: {
      open: () => inChat('run received'),
      refusal: 'Deny',
      refused: () => said(/did not run/),
      consent: 'Allow once',
      allowed: () => said(/ran and answered/),
    },
    seeEditor: {
      open: () => inChat('run list_workspace_folders'),
      refusal: 'Deny',
      refused: () => said(/did not run/),
      consent: 'Allow once',
      allowed: () => said(/ran and answered/),
    },
    ownAct: {
      open: () => inChat('run run_tests with {"wait": false}'),
      refusal: 'Deny',
      refused: () => said(/did not run/),
      consent: 'Allow once',
      allowed: () => said(/ran and answered/),
    },
    sendContent: {
      open: () => inChat('read test://first'),
      refusal: 'Deny',
      refused: () => said(/was not sent/),
      consent: 'Allow once',
      allowed: () => said(/is part of this conversation now/),
    },
    ...appQuestions(
      () => chat,
      async () => {
        if (!(await row(/drawing.*tools/).isVisible())) {
          await pressStart('drawing');
          await allow(await inPanel(/^Permission: Start the server “drawing”/), 'Allow');
          await row(/drawing.*tools/).waitFor();
        }
        await allow(await inChat('run draw'), 'Allow once');
      },
    ),
    'elicitation of a form': {
      open: async () => {
        const name = { type: 'string', title: 'Name', description: 'As it shall stand on the badge.', minLength: 2 };
        const size = { type: 'string', title: 'Size', enum: ['S', 'M', 'L'] };
        const requestedSchema = { type: 'object', properties: { name, size, vegetarian: { type: 'boolean' } }, required: ['name'] };
        await letServerAsk('elicitation/create', { message: 'Who are you?', requestedSchema });
        return inPanel(/^Permission: The server “asking” asks you for information/);
      },
      refusal: 'Decline',
      refused: () => result('"decline"'),
      consent: 'Submit',
      fillIn: async (question) => {
        await question.getByRole('textbox', { name: /^Name/ }).focus();
        await workbench().page.keyboard.type('Ada');
      },
      allowed: () => result(/"accept".*"Ada"/),
    },
    'elicitation of a link': {
      open: async () => {
        await letServerAsk('elicitation/create', { mode: 'url', message: 'Pay here.', url: `${api.url}/pay`, elicitationId: 'pay-1' });
        return inPanel(/^Permission: The server “asking” asks you to open a link/);
      },
      refusal: 'Decline',
      refused: () => result('"decline"'),
      consent: 'Open link',
      fillIn: async () => {
        browserPage = workbench()
          .page.context()
          .waitForEvent('page')
          .then((page) => page.close());
      },
      allowed: async () => {
        await browserPage;
        await result('"accept"');
      },
    },
    connectClient: {
      open: async () => {
        outsiders += 1;
        await callFromOutside(`outsider ${outsiders}`, 'list_workspace_folders');
        return inPanel(new RegExp(`^Permission: A program that calls itself “outsider ${outsiders} .*wants to see this editor`));
      },
      refusal: 'Deny',
      refused: async () => assert.match(await outcome, /denied|refused|not allowed/i),
      consent: 'Allow for this session',
      allowed: async () => assert.match(await outcome, /plain/),
    },
    clientAct: {
      open: async () => {
        outcome = outsider === undefined ? outcome : callUntilAnswered(outsider, 'get_terminal_output', { limit: 5 });
        return inPanel(/^Permission: A program that calls itself “outsider.*wants to use “get_terminal_output”/);
      },
      refusal: 'Deny',
      refused: async () => assert.match(await outcome, /denied by the person in VS Code/),
      consent: 'Allow once',
      allowed: async () => assert.doesNotMatch(await outcome, /denied/),
    },
    sendConversation: {
      open: async () => {
        if (api.messageBodies.length === 0 && !(await chat.frame.getByText('Claude').first().isVisible())) {
          await workbench().palette.run('Duplex: Set API Key');
          await workbench().palette.answer(api.apiKey);
          await chat.frame.getByText('Claude').first().waitFor();
        }
        await chat.ask('Who are you?');
        await chat.question().waitFor();
        return chat.question();
      },
      refusal: 'Deny',
      refused: async () => {
        await chat.question().waitFor({ state: 'detached' });
        await chat.untilIdle();
        assert.deepEqual(api.messageBodies, []);
      },
      consent: 'Allow once',
      fillIn: async () => api.script([say('Hello, newcomer.')]),
      allowed: () => said(/Hello, newcomer/),
    },
    sampling: {
      open: async () => {
        await letServerSample();
        return inPanel(/^Permission: The server “asking” wants to use your language model/);
      },
      refusal: 'Deny',
      refused: () => result('User rejected sampling request'),
      consent: 'Send request',
      fillIn: async () => api.script([say('The notes say little.')]),
      allowed: async () => {
        const returned = await inPanel(/^Permission: Return the model’s answer/);
        await returned.getByRole('button', { name: 'Deny', exact: true }).click();
        await result('User rejected sampling request');
      },
    },
    samplingResponse: {
      open: async () => {
        api.script([say('The notes say little.')]);
        await letServerSample();
        await allow(await inPanel(/^Permission: The server “asking” wants to use your language model/), 'Send request');
        return inPanel(/^Permission: Return the model’s answer/);
      },
      refusal: 'Deny',
      refused: () => result('User rejected sampling request'),
      consent: 'Return response',
      allowed: () => result('The notes say little.'),
    },
    roots: {
      open: async () => {
        if (isRootsRefused) {
          await reloadWindow(); // a no holds as long as the window
        }
        await letServerAsk('roots/list', {});
        await result(/"roots":\s?\[\]/); // what it is told until the person has answered
        await workbench()
          .page.getByRole('tab', { name: /^Permission/ })
          .click();
        return inPanel(/^Permission: The server “asking” wants to know the folders/);
      },
      refusal: 'Deny',
      refused: async () => {
        isRootsRefused = true;
        await letServerAsk('roots/list', {});
        await result(/"roots":\s?\[\]/);
      },
      consent: 'Allow in this workspace',
      allowed: async () => {
        await letServerAsk('roots/list', {});
        await result(/"uri":\s?"file:/);
      },
    },
  };

  // What one kind left open does not fail the next.
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await reloadWindow().catch(() => undefined); // the failure is told already
    }
  });

  for (const [kind, asked] of Object.entries(cases)) {
    it(`is refused and allowed by keyboard alone, and is accessible in every theme: ${kind}`, async () => {
      const refusing = await asked.open();
      await lookInEveryTheme(kind, refusing);
      await answerByKeyboard(refusing, asked.refusal);
      await asked.refused();
      const allowing = await asked.open();
      await asked.fillIn?.(allowing);
      await answerByKeyboard(allowing, asked.consent);
      await asked.allowed();
    });
  }

  async function lookInEveryTheme(kind: string, question: Locator): Promise<void> {
    for (const [theme, bodyClass] of themes) {
      await dresses.show(theme, question, async () => {
        await setTheme(theme);
        await question.locator(`xpath=ancestor::body[contains(concat(" ", @class, " "), " ${bodyClass} ")]`).waitFor();
      });
      await question.screenshot({ path: path.join(pictures, `${kind.replaceAll(' ', '-')}-${bodyClass}.png`) });
      await assertAccessible(question, `${kind} in ${theme}`);
    }
  }

  /** Through the settings of the folder: the focus stays where it is. */
  async function setTheme(theme: string): Promise<void> {
    const folder = path.join(workbench().folders.workspace ?? '', '.vscode');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme }));
  }
});
