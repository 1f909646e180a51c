import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { activateDuplex, until } from './support/duplex.ts';

const servers = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('duplex');

describe('Duplex: Doctor', () => {
  let access: TestAccess;

  before(async () => {
    access = await activateDuplex();
    await until('the listener', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });

  after(async () => {
    await servers().update('mcpServers', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function report(): Promise<string> {
    await vscode.commands.executeCommand('duplex.doctor');
    const { document } = await until('the report', () =>
      vscode.window.activeTextEditor?.document.uri.scheme === 'duplex-document' ? vscode.window.activeTextEditor : undefined,
    );
    assert.equal(document.languageId, 'markdown');
    return document.getText();
  }

  it('tells versions, trust, PATH, the own server and each server with its reason, in a document nobody can edit', async () => {
    const text = await report();
    assert.match(text, /# Duplex Doctor/);
    assert.match(text, /- `demo`: /);
    assert.match(text, new RegExp(`VS Code ${vscode.version.replace(/\./g, '\\.')}`));
    assert.match(text, /The workspace is trusted/);
    assert.match(text, /editor's own PATH/);
    assert.match(text, /Listening on 127\.0\.0\.1, port \d+/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('duplex-document') ?? false, false);
  });

  it('names what is wrong and what to do, and shows no value of a variable', async () => {
    process.env['HTTPS_PROXY'] = 'http://user:secret@proxy.invalid';
    try {
      await servers().update('mcpServers', { broken: { args: [] } }, vscode.ConfigurationTarget.Global);
      const text = await until('the mistake', async () => {
        const now = await report();
        return now.includes('`broken`') ? now : undefined;
      });
      assert.match(text, /Definitions with a mistake: 1/);
      assert.match(text, /`HTTPS_PROXY`/);
      assert.doesNotMatch(text, /secret/);
    } finally {
      delete process.env['HTTPS_PROXY'];
    }
  });
});
