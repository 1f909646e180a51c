import path from 'node:path';
import type { Locator } from 'playwright-core';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { repositoryRoot } from '../../support/run/repository.mjs';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import type { LaunchOptions } from './launchOptions.ts';
import { useSharedWorkbench } from './useWorkbench.ts';
import type { Workbench } from './workbench.ts';

// The windows that several files share, one after the other in the order of their names; see test/README.md.

const fixture = (name: string): string => path.join(repositoryRoot, 'test/fixtures/servers', name);

/** Somebody who has just installed the extension; the demo server runs from the first file on. */
export const newcomerWindow: LaunchOptions = { version: 'ceiling' };

/** Programs outside, and the chat, act in the demo workspace. */
export const actingWindow: LaunchOptions = {
  version: 'ceiling',
  settings: { 'files.autoSave': 'off', 'diffEditor.renderSideBySide': true, 'diffEditor.useInlineViewWhenSpaceIsLimited': false },
};

/** Somebody who has a server of their own, and adds others. */
export const ownServersWindow: LaunchOptions = {
  version: 'ceiling',
  viewport: { width: 1280, height: 900 },
  settings: { 'duplex.mcpServers': { trains: { command: 'node', args: [fixture('byHandServer.mjs')] } } },
};

/** Somebody who works with servers by hand, with everything that VS Code brings itself: what shows pictures and Markdown, and what debugs. */
export const byHandWindow: LaunchOptions = {
  version: 'ceiling',
  workspace: 'demo',
  builtIns: 'all',
  viewport: { width: 1280, height: 900 },
  keybindings: [{ key: 'ctrl+alt+f9', command: 'duplex.runTool', args: { server: 'trains', tool: 'now', arguments: {}, show: true } }],
  settings: {
    'terminal.integrated.gpuAcceleration': 'off', // else its text is a picture
    'duplex.mcpServers': {
      notes: { command: 'node', args: [fixture('notesServer.mjs'), '${workspaceFolder}/README.md'] },
      mine: { command: 'node', args: ['${workspaceFolder}/mine.mjs'], dev: { watch: 'mine.mjs', debug: 'node' } },
      trains: { command: 'node', args: [fixture('byHandServer.mjs')] },
    },
  },
};

let model: AnthropicServer | undefined;

const modelWindow: LaunchOptions = {
  version: 'ceiling',
  viewport: { width: 1280, height: 900 },
  // Read when the window opens: the address is not known before.
  get settings() {
    return {
      'duplex.anthropic.baseUrl': model?.url,
      'duplex.mcpServers': {
        reviewer: { command: 'node', args: [path.join(repositoryRoot, 'test/fixtures/servers/featuresServer.mjs')] },
        asking: { command: 'node', args: [fixture('askingServer.mjs')] },
      },
    };
  },
  get env() {
    return { ANTHROPIC_API_KEY: model?.apiKey ?? '' };
  },
};

/**
 * The demo workspace with three servers that run, and a model: a local stand-in that speaks the real wire format, the same one
 * for all files.
 */
export function useModelWorkbench(): { readonly workbench: () => Workbench; readonly api: () => AnthropicServer } {
  before(async () => {
    model ??= await AnthropicServer.start();
  });
  afterEach(() => model?.gate.release());
  const api = (): AnthropicServer => {
    if (model === undefined) {
      throw new Error('The model exists only while tests run.');
    }
    return model;
  };
  const workbench = useSharedWorkbench(modelWindow);
  before(async () => {
    await workbench().openView('Duplex');
    const row = (text: RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text }).first();
    await row(/editor.*tools/).waitFor(); // a row that is drawn anew loses what is pressed on it
    for (const server of ['reviewer', 'asking', 'demo']) {
      await row(new RegExp(`${server}.*(?:needs permission|tools)`)).waitFor();
      if ((await row(new RegExp(`${server}.*needs permission`)).count()) > 0) {
        await workbench().views.press(row(new RegExp(server)), /Start Server/);
        await allow(await permissionQuestion(workbench(), new RegExp(`^Permission:.*start.*${server}`, 'i')), 'Allow');
      }
      await row(new RegExp(`${server}.*tools`)).waitFor();
    }
  });
  return { workbench, api };
}

after(() => model?.close());
