import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { activateDuplex, answerNext, until, workspacePath } from './support/duplex.ts';

const secret = 'ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX';
const server = { command: 'node', args: ['${workspaceFolder}/tools/demoServer.mjs'] };

describe('Help in configuration files', () => {
  let access: TestAccess;
  const file = workspacePath('.vscode', 'mcp.json');
  const uri = vscode.Uri.file(file);

  before(async () => {
    access = await activateDuplex();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(file, { force: true });
    await until('the server to be gone', () => (found('pasted') === undefined ? true : undefined));
  });

  const found = (name: string): ReturnType<TestAccess['servers']>[number] | undefined =>
    access.servers().find((each) => each.name === name);
  const codes = (): string[] =>
    vscode.languages.getDiagnostics(uri).flatMap(({ source, code }) => (source === 'Duplex' && typeof code === 'string' ? [code] : []));

  async function open(content: unknown): Promise<vscode.TextEditor> {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(content, undefined, 2));
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.window.showTextDocument(document);
  }

  async function actions(title: string): Promise<vscode.CodeAction> {
    return until(title, async () => {
      const all = new vscode.Range(0, 0, 1_000, 0);
      const offered = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, all);
      return offered.find((each) => each.title === title);
    });
  }

  async function lensTitles(): Promise<string[]> {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
    return lenses.flatMap(({ command }) => (command !== undefined && isOurs(command) ? [command.title] : []));
  }

  async function apply({ edit, command }: vscode.CodeAction): Promise<void> {
    if (edit !== undefined) {
      assert.equal(await vscode.workspace.applyEdit(edit), true);
    }
    if (command !== undefined) {
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    }
  }

  it('converts a pasted snippet, moves its secret to the secret storage, and starts the server from its lens', async () => {
    const editor = await open({ mcpServers: { pasted: { ...server, env: { SHOP_TOKEN: secret } } } });
    await until('the warnings', () => (codes().includes('secretInPlainText') && codes().includes('wrongSection') ? true : undefined));
    await apply(await actions('Convert to the form of this file'));
    await editor.document.save();
    await until('the server', () => found('pasted'));

    await apply(await actions('Move “SHOP_TOKEN” to the secret storage'));
    const written = await until('the file without it', async () => {
      const text = await readFile(file, 'utf8');
      return text.includes(secret) ? undefined : text;
    });
    assert.deepEqual(JSON.parse(written), {
      inputs: [{ id: 'pasted-SHOP_TOKEN', type: 'promptString', description: 'SHOP_TOKEN', password: true }],
      servers: { pasted: { ...server, env: { SHOP_TOKEN: '${input:pasted-SHOP_TOKEN}' } } },
    });
    await until('no warning', () => (codes().includes('secretInPlainText') ? undefined : true));

    await until('the server with its input', () => (found('pasted')?.hasInputs === true ? true : undefined));
    const start = await until('the lens', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
      return lenses.find(({ command }) => command?.title === 'Duplex: Start')?.command;
    });
    const started = vscode.commands.executeCommand(start.command, ...((start.arguments ?? []) as unknown[]));
    await answerNext(access, 'startServer', 'allow');
    await started;
    // Nobody was asked for the value: it was in the storage.
    assert.equal(found('pasted')?.state.kind, 'ready', JSON.stringify(found('pasted')?.state));
    const titles = await until('the lenses of a running server', async () => {
      const now = await lensTitles();
      return now.includes('Stop') ? now : undefined;
    });
    assert.match(titles[0] ?? '', /^Duplex: \d+ tools/);
    assert.deepEqual(titles.slice(1), ['Stop', 'Restart', 'Log']);
    await vscode.commands.executeCommand('duplex.stopServer', { server: found('pasted') });
    await until('the lens of a stopped one', async () => ((await lensTitles()).includes('Duplex: Start') ? true : undefined));
  });

  it('shows where a program was found, what a variable becomes and how the server is, and no secret', async () => {
    const { document } = await open({ servers: { pasted: { ...server, env: { A: '${env:DUPLEX_NOT_SET}', TOKEN: secret } } } });
    await until('the server', () => found('pasted'));
    const hoverAt = async (text: string): Promise<string> => {
      const at = document.positionAt(document.getText().indexOf(text) + 2);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
      return hovers
        .flatMap(({ contents }) => contents)
        .map((content) => (typeof content === 'string' ? content : content.value).replaceAll('\\', ''))
        .join('\n');
    };
    const says = (at: string, text: RegExp | string): Promise<true> =>
      until(`${String(text)} at ${at}`, async () => {
        const said = await hoverAt(at);
        return (typeof text === 'string' ? said.includes(text) : text.test(said)) || undefined;
      });
    await says('"pasted"', /Not running: nothing has started it yet/);
    await says('"node"', /Found at \/.*node/);
    await says('{workspaceFolder}', `Becomes ${workspacePath('tools', 'demoServer.mjs')}`);
    await says('{env:DUPLEX_NOT_SET}', /DUPLEX_NOT_SET is not set/);
    assert.ok(!(await hoverAt(secret)).includes(secret));
  });

  it('lists the servers in the outline', async () => {
    await open({ servers: { pasted: server } });
    const names = await until('the outline', async () => {
      const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
        'vscode.executeDocumentSymbolProvider',
        uri,
      );
      return symbols?.find(({ name, detail }) => name === 'pasted' && detail === 'node');
    });
    assert.equal(names.kind, vscode.SymbolKind.Module);
  });

  it('is no second time in a schema, which has a say only where the language server is off', async () => {
    const schema = await vscode.workspace.openTextDocument(vscode.Uri.parse('duplex-schema:/servers.json'));
    assert.equal(schema.getText(), '{}');
  });

  it('is started again when its process ends', async () => {
    const { document } = await open({ servers: { pasted: { command: 'node', ulr: 1 } } });
    await until('the first diagnostics', () => (codes().includes('foreignKey') ? true : undefined));
    const before = await languageServers();
    assert.equal(before.length, 1);
    process.kill(before[0] ?? Number.NaN, 'SIGKILL');
    await until('another process', async () => ((await languageServers()).some((pid) => pid !== before[0]) ? true : undefined));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), JSON.stringify({ servers: { pasted: { url: 'nowhere' } } }));
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    await until('diagnostics again', () => (codes().includes('badUrl') ? true : undefined));
  });
});

/** VS Code has lenses of its own in this file. */
function isOurs({ title, command }: vscode.Command): boolean {
  return command.startsWith('duplex.') || title.startsWith('Duplex: ');
}

/** The processes of the language server that this window has started. */
async function languageServers(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(' ').includes('languageServer.js'))
    .map(([pid]) => Number(pid));
}
