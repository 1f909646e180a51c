import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { activateDuplex, answerNext, until, workspacePath } from './support/duplex.ts';

interface ToolResult {
  readonly isError: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

const runTool = (call: unknown): Promise<ToolResult> => Promise.resolve(vscode.commands.executeCommand<ToolResult>('duplex.runTool', call));

const runTabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label.startsWith('Run '));

describe('duplex.runTool, called with a server, a tool and arguments,', () => {
  let access: TestAccess;

  before(async () => {
    access = await activateDuplex();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });

  afterEach(() => assert.deepEqual(access.questions.list(), [], 'no question is left open'));

  it('asks for permission and resolves to the result', async () => {
    const result = runTool({ server: 'editor', tool: 'list_workspace_folders', arguments: {} });
    const question = await answerNext(access, 'callTool', 'allowOnce');
    assert.equal((question.detail as { tool: string }).tool, 'list_workspace_folders');
    const { isError, content } = await result;
    assert.equal(isError, false);
    assert.match(content[0]?.text ?? '', /^0 demo: /);
    assert.deepEqual(runTabs(), [], 'the result is only returned');
  });

  it('shows the result in the tab of the tool when it is asked to', async () => {
    const result = runTool({ server: 'editor', tool: 'list_workspace_folders', arguments: {}, show: true });
    await answerNext(access, 'callTool', 'allowOnce');
    assert.equal((await result).isError, false);
    const tab = await until('the tab', () => runTabs().find(({ label }) => label === 'Run list_workspace_folders'));
    await vscode.window.tabGroups.close(tab);
  });

  it('resolves also to a result that is an error', async () => {
    const result = runTool({ server: 'editor', tool: 'get_diagnostics', arguments: { severity: 'nonsense' } });
    await answerNext(access, 'callTool', 'allowOnce');
    assert.equal((await result).isError, true);
  });

  it('rejects when the person denies it', async () => {
    const result = runTool({ server: 'editor', tool: 'list_open_editors' });
    const refused = assert.rejects(result, /was not allowed/);
    await answerNext(access, 'callTool', 'deny');
    await refused;
  });

  it('rejects for a server or a tool that is not there, and for an argument that makes no sense', async () => {
    await assert.rejects(runTool({ server: 'nobody', tool: 'x' }), /no server “nobody”/);
    await assert.rejects(runTool({ server: 'editor', tool: 'nothing' }), /no tool “nothing”/);
    await assert.rejects(runTool({ server: 'editor' }), /takes \{server, tool, arguments\}/);
  });

  describe('for a server that does not run yet,', () => {
    const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('duplex');
    const call = { server: 'second', tool: 'roll_dice', arguments: { sides: 6, count: 2 } };

    before(async () => {
      const second = { command: 'node', args: [workspacePath('tools', 'demoServer.mjs')] };
      await settings().update('mcpServers', { second }, vscode.ConfigurationTarget.Global);
      await until('the server', () => access.servers().find(({ name }) => name === 'second'));
    });

    after(() => settings().update('mcpServers', undefined, vscode.ConfigurationTarget.Global));

    it('rejects when the person does not let it start', async () => {
      const refused = assert.rejects(runTool(call), /not allowed to start/);
      await answerNext(access, 'startServer', 'deny');
      await refused;
    });

    it('starts it after its own question', async () => {
      const result = runTool(call);
      await answerNext(access, 'startServer', 'allow');
      await answerNext(access, 'callTool', 'allowOnce');
      assert.equal((await result).isError, false);
    });

    it('leaves it stopped if the person stopped it', async () => {
      await vscode.commands.executeCommand('duplex.stopServer', { server: access.servers().find(({ name }) => name === 'second') });
      await assert.rejects(runTool(call), /not running/);
    });
  });
});
