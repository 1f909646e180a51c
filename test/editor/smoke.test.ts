import assert from 'node:assert/strict';
import process from 'node:process';

import * as vscode from 'vscode';

describe('a window for editor tests', () => {
  it('opens one trusted copy of a workspace', () => {
    assert.deepEqual([vscode.workspace.workspaceFolders?.length, vscode.workspace.isTrusted], [1, true]);
  });

  it('gives the extension a home of its own', () => {
    assert.notEqual(process.env['DUPLEX_HOME'] ?? '', '');
  });

  it('activates the extension under test', async () => {
    const extension = vscode.extensions.getExtension('duplex-mcp.duplex');
    await extension?.activate();
    assert.equal(extension?.isActive, true);
  });
});
