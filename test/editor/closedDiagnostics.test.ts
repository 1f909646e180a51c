import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

interface Diagnosed {
  readonly diagnostics: readonly { readonly code?: string; readonly message: string }[];
}

describe('A subscription to the diagnostics of a closed file', function () {
  this.timeout(120_000);
  let client: LookingClient;

  before(async () => {
    client = await LookingClient.connect(await activateDuplex());
    await mkdir(workspacePath('told'), { recursive: true });
  });
  after(async () => {
    await client.close();
    await rm(workspacePath('told'), { recursive: true, force: true });
  });

  const timesTold = (uri: string): number => client.updates.filter((told) => told === uri).length;

  /** Writes each text, waits until that is told, and reads what is said of it, as a client does. */
  async function readEach(name: string, texts: readonly string[]): Promise<{ readonly told: number; readonly read: readonly Diagnosed[] }> {
    const uri = `diagnostics://file/told/${name}`;
    await client.subscribe(uri);
    const read: Diagnosed[] = [];
    for (const [index, text] of texts.entries()) {
      await writeFile(workspacePath('told', name), text);
      await until(`the news of change ${index + 1}`, () => (timesTold(uri) > index ? true : undefined));
      read.push((await client.readJson(uri)) as unknown as Diagnosed);
    }
    return { told: timesTold(uri), read };
  }

  it('fires once for each change on the disk, of a language that VS Code reports only with a tab', async () => {
    await writeFile(workspacePath('told/closed.ts'), 'export const right = 1;\n');
    const texts = ['export const wrong: number = "x";\n', 'export const right = 2;\n', 'export const again: number = "y";\n'];
    const { told, read } = await readEach('closed.ts', texts);
    assert.deepEqual(
      read.map(({ diagnostics }) => diagnostics.map(({ code }) => code)),
      [['2322'], [], ['2322']],
    );
    assert.equal(told, texts.length);
    assert.deepEqual((await client.call('list_open_editors')).editors, []);
  });

  it('fires once for each change, of a language whose service speaks in several steps', async () => {
    await writeFile(workspacePath('told/closed.ini'), 'a');
    const collection = vscode.languages.createDiagnosticCollection('ini');
    const say = ({ uri }: vscode.TextDocument): void => {
      if (uri.path.endsWith('/closed.ini')) {
        collection.delete(uri);
        void vscode.workspace.openTextDocument(uri).then((document) => {
          collection.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), document.getText())]);
        });
      }
    };
    const services = [
      vscode.workspace.onDidOpenTextDocument(say),
      vscode.workspace.onDidChangeTextDocument(({ document }) => say(document)),
    ];
    try {
      const { told, read } = await readEach('closed.ini', ['b', 'c', 'd']);
      assert.deepEqual(
        read.map(({ diagnostics }) => diagnostics.map(({ message }) => message)),
        [['b'], ['c'], ['d']],
      );
      assert.equal(told, 3);
    } finally {
      services.forEach((service) => void service.dispose());
      collection.dispose();
    }
  });
});
