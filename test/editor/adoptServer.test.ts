import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { ServerSnapshot } from '../../src/host/shared/serverState.ts';
import { activateDuplex, answerNext, until, workspacePath } from './support/duplex.ts';

const setting = 'duplex.mcpServers';

describe('Servers of other programs', () => {
  let access: TestAccess;
  let serversBefore: object | undefined;
  const containerFile = (): string => workspacePath('.devcontainer/devcontainer.json');
  const userFile = (): string => path.join(path.dirname(process.env['DUPLEX_HOME'] ?? ''), 'vscode', 'data', 'User', 'mcp.json');
  const script = (): string => workspacePath('tools/demoServer.mjs');
  const serverOf = (name: string, scope: ServerSnapshot['scope']): ServerSnapshot | undefined =>
    access.servers().find((server) => server.name === name && server.scope === scope);

  before(async () => {
    access = await activateDuplex();
    const kinds = ['vscode', 'vscodeUser', 'mcpJson', 'devcontainer'];
    await vscode.workspace.getConfiguration('duplex').update('discovery', kinds, vscode.ConfigurationTarget.Global);
    serversBefore = vscode.workspace.getConfiguration().inspect<object>(setting)?.workspaceValue;
    const servers = { 'in-container': { type: 'stdio', command: 'node', args: ['${containerWorkspaceFolder}/tools/demoServer.mjs'] } };
    mkdirSync(path.dirname(containerFile()), { recursive: true });
    writeFileSync(containerFile(), `// of the container\n${JSON.stringify({ customizations: { vscode: { mcp: { servers } } } })}`);
    mkdirSync(path.dirname(userFile()), { recursive: true });
    writeFileSync(userFile(), JSON.stringify({ servers: { 'of-user': { command: 'node', args: [script()] } } }));
  });

  after(async () => {
    rmSync(path.dirname(containerFile()), { recursive: true, force: true });
    rmSync(userFile(), { force: true });
    await vscode.workspace.getConfiguration().update(setting, serversBefore, vscode.ConfigurationTarget.Workspace);
    await vscode.workspace.getConfiguration('duplex').update('discovery', undefined, vscode.ConfigurationTarget.Global);
    await until('the settings as they were', () => (serverOf('in-container', 'workspace') === undefined ? true : undefined));
  });

  it('are found in the container’s file and in the user’s own, and start only when they are allowed', async () => {
    for (const name of ['in-container', 'of-user']) {
      const found = await until(`the server ${name}`, () => serverOf(name, 'discovered'));
      assert.deepEqual(found.state, { kind: 'stopped', reason: 'neverStarted' });
    }
    assert.deepEqual(
      access.questions.list().filter(({ detail }) => detail.kind === 'startServer'),
      [],
    );
  });

  it('are copied into our settings, and asked about like any other (release)', async () => {
    const found = await until('the server', () => serverOf('in-container', 'discovered'));
    const adopting = vscode.commands.executeCommand('duplex.adoptServer', { server: found });
    const written = await until('the entry', async () => {
      // The first line is the place: the settings of the workspace, where the file stands.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const value = vscode.workspace.getConfiguration().inspect<Record<string, object>>(setting)?.workspaceValue;
      return value?.['in-container'];
    });
    assert.deepEqual(written, { command: 'node', args: ['${workspaceFolder}/tools/demoServer.mjs'] });
    const { detail } = await answerNext(access, 'startServer', 'allowSession');
    assert.ok(detail.kind === 'startServer');
    assert.equal(detail.server, 'in-container');
    await adopting;
    await until('the running server', () => (serverOf('in-container', 'workspace')?.state.kind === 'ready' ? true : undefined));
    assert.deepEqual(
      serverOf('in-container', 'discovered')?.state,
      { kind: 'stopped', reason: 'neverStarted' },
      'the other stays as it was',
    );
  });

  it('are brought together, whichever of their files are read otherwise, and each program gets one entry in their place (release)', async () => {
    const duplex = vscode.workspace.getConfiguration('duplex');
    await duplex.update('discovery', [], vscode.ConfigurationTarget.Global);
    await until('no other programs', () => (serverOf('of-user', 'discovered') === undefined ? true : undefined));
    const cursorFile = workspacePath('.cursor/mcp.json');
    mkdirSync(path.dirname(cursorFile), { recursive: true });
    const before = JSON.stringify({ mcpServers: { 'of-cursor': { command: 'node', args: [script()] } } });
    writeFileSync(cursorFile, before);
    rmSync(path.dirname(containerFile()), { recursive: true, force: true });
    await vscode.env.clipboard.writeText('nothing');
    try {
      let isOver = false;
      const begin = async (): Promise<void> => {
        isOver = false;
        await vscode.commands.executeCommand('duplex.bringServersTogether');
        isOver = true;
      };
      let done = begin();
      const accept = (): Thenable<unknown> => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const written = await until('the entry', async () => {
        await accept();
        const entry = vscode.workspace.getConfiguration().inspect<Record<string, object>>(setting)?.globalValue;
        if (entry === undefined && isOver) {
          done = begin(); // VS Code closes a list whose window loses the focus
        }
        return entry;
      });
      assert.deepEqual(written, { 'of-user': { command: 'node', args: [script()] } }, 'the two are one server');
      await answerNext(access, 'startServer', 'allowSession');
      await until('the offer', () => {
        const offered = vscode.workspace.getConfiguration('duplex').get<readonly string[]>('server.offeredServers');
        return offered?.includes('of-user') === true ? true : undefined;
      });
      const copied = await until('the copied entry', async () => {
        await accept();
        const text = await vscode.env.clipboard.readText();
        return text === 'nothing' ? undefined : text;
      });
      assert.match(copied, /duplex-bridge/);
      await until('the end', async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        return Promise.race([done.then(() => true), new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 100))]);
      });
      assert.equal(readFileSync(cursorFile, 'utf8'), before, 'no file of another program is written');
    } finally {
      rmSync(path.dirname(cursorFile), { recursive: true, force: true });
      await vscode.workspace.getConfiguration().update(setting, undefined, vscode.ConfigurationTarget.Global);
      await duplex.update('server.offeredServers', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
