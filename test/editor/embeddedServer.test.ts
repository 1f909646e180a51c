import assert from 'node:assert/strict';
import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import { tools as published } from '../../src/server/offer/tools/toolTable.ts';
import { faultsOf } from '../support/strictSchemas.ts';
import { activateDuplex, answerNext, discovery, until, workspacePath } from './support/duplex.ts';

const brokenFile = 'src/broken.ts';

describe('The editor as an MCP server', () => {
  let access: TestAccess;
  let window: DiscoveryFile;
  const clients: Client[] = [];

  before(async () => {
    access = await activateDuplex();
    window = await discovery();
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const overMcp = (): Transport => new StreamableHTTPClientTransport(new URL(window.urls.mcp), { requestInit: { headers: bearer() } });
  const overSse = (): Transport => new SSEClientTransport(new URL(window.urls.sse), { requestInit: { headers: bearer() } });

  function bearer(): Record<string, string> {
    return { authorization: `Bearer ${window.token}` };
  }

  async function connect(open: () => Transport): Promise<Client> {
    const client = new Client({ name: 'editor-test', version: '1.0.0' });
    clients.push(client);
    await client.connect(open());
    return client;
  }

  it('writes where it listens, for this window', () => {
    assert.deepEqual(
      { pid: window.pid, host: window.host, folders: window.workspaceFolders.map((folder) => folder.path) },
      { pid: process.pid, host: '127.0.0.1', folders: [workspacePath()] },
    );
  });

  it('writes what its title begins with, so that windows with one folder can be told apart', async () => {
    for (const name of ['src/titled.ts', 'titled.md']) {
      const uri = vscode.Uri.file(workspacePath(name));
      await vscode.workspace.fs.writeFile(uri, new Uint8Array());
      await vscode.window.showTextDocument(uri);
      const { title = '', lastUsedAt } = await until('the title', async () => {
        const file = await discovery();
        return file.title?.startsWith('titled') === true && file.title.includes(name.split('/').at(-1) ?? '') ? file : undefined;
      });
      assert.match(title, /^titled\.\w+ - demo/);
      assert.equal(lastUsedAt === undefined || !Number.isNaN(Date.parse(lastUsedAt)), true);
      await vscode.workspace.fs.delete(uri);
    }
  });

  for (const [name, open] of [
    ['/mcp', overMcp],
    ['/sse', overSse],
  ] as const) {
    it(`lists its tools over ${name} at once, and answers calls after the person allowed the client`, async () => {
      const client = await connect(open);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        published.map((tool) => tool.name),
      );
      assert.deepEqual(
        tools.flatMap((tool) => faultsOf(tool.inputSchema as JsonObject, tool.name)),
        [],
        'what the strictest client would refuse',
      );
      assert.deepEqual(access.questions.list(), [], 'a list asks nothing');
      const call = client.callTool({ name: 'list_workspace_folders', arguments: {} });
      const question = await answerNext(access, 'connectClient', 'allowSession');
      assert.deepEqual(question.choices, ['deny', 'allowSession']);
      assert.deepEqual((await call).structuredContent, {
        folders: [
          { name: window.workspaceFolders[0]?.name, path: workspacePath(), uri: vscode.Uri.file(workspacePath()).toString(), index: 0 },
        ],
      });
    });
  }

  it('gives nothing to a client that was denied', async () => {
    const client = await connect(overMcp);
    const call = client.callTool({ name: 'list_open_editors', arguments: {} });
    await answerNext(access, 'connectClient', 'deny');
    assert.equal((await call).isError, true);
    // The next question about a token that was denied waits; a new token is a new client.
    await vscode.commands.executeCommand('duplex.rotateServerToken');
    window = await discovery();
  });

  it('shows open editors with paths relative to the workspace', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(workspacePath('README.md')), { preview: false });
    const client = await connect(overMcp);
    const call = client.callTool({ name: 'list_open_editors', arguments: {} });
    await answerNext(access, 'connectClient', 'allowSession');
    const { editors } = (await call).structuredContent as { editors: { path: string }[] };
    assert.deepEqual(
      editors.find((editor) => editor.path === 'README.md'),
      {
        path: 'README.md',
        uri: vscode.Uri.file(workspacePath('README.md')).toString(),
        languageId: 'markdown',
        kind: 'text',
        isActive: true,
        isDirty: false,
        isPinned: false,
        group: 1,
      },
    );
  });

  it('finds files by a glob, which the built search thread matches', async () => {
    const client = await connect(overMcp);
    const call = client.callTool({ name: 'find_files', arguments: { pattern: 'src/{cart,prices}.js' } });
    await answerNext(access, 'connectClient', 'allowSession');
    assert.deepEqual((await call).structuredContent, { files: ['src/cart.js', 'src/prices.js'] });
  });

  it('tells a subscribed client when a file with a type error is opened, and shows the error', async () => {
    const updates: string[] = [];
    const client = await connect(overMcp);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    const subscription = client.subscribeResource({ uri: 'diagnostics://workspace' });
    await answerNext(access, 'connectClient', 'allowSession');
    await subscription;
    await vscode.workspace.fs.writeFile(
      vscode.Uri.file(workspacePath(brokenFile)),
      Buffer.from('const count: number = "three";\nvoid count;\n'),
    );
    await vscode.window.showTextDocument(vscode.Uri.file(workspacePath(brokenFile)));
    const found = await until('the type error', async () => {
      if (!updates.includes('diagnostics://workspace')) {
        return undefined;
      }
      const answer = await client.callTool({ name: 'get_diagnostics', arguments: { path: brokenFile, severity: 'error' } });
      const { diagnostics } = answer.structuredContent as { diagnostics: { code: string }[] };
      return diagnostics.find((diagnostic) => diagnostic.code === '2322');
    });
    assert.deepEqual(found, {
      path: brokenFile,
      range: { start: { line: 1, character: 7 }, end: { line: 1, character: 12 } },
      severity: 'error',
      message: "Type 'string' is not assignable to type 'number'.",
      source: 'ts',
      code: '2322',
    });
  });

  it('answers a wrong token and a foreign Origin with nothing but a refusal', async () => {
    const post = (headers: Record<string, string>): Promise<Response> =>
      fetch(window.urls.mcp, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
    assert.equal((await post({ authorization: 'Bearer wrong' })).status, 401);
    assert.equal((await post({ ...bearer(), origin: 'https://example.com' })).status, 403);
  });
});
