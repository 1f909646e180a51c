import assert from 'node:assert/strict';
import { documentKind } from '../../../src/languageServer/documents.ts';
import { helpedPath } from '../../../src/languageServer/helpedFiles.ts';

describe('A document', () => {
  it('is known by its file name, whatever its scheme', () => {
    const kinds = {
      'vscode-userdata:/User/settings.json': 'settings',
      'file:///projects/a%20b/.vscode/settings.json': 'settings',
      'vscode-remote://ssh-remote%2Bhost/work/my.code-workspace': 'workspaceFile',
      'file:///projects/.vscode/mcp.json': 'vscodeMcp',
      'file:///projects/%2Evscode/mcp.json?x#y': 'vscodeMcp',
      'vscode-userdata:/User/mcp.json': 'vscodeMcp',
      'file:///projects/.cursor/mcp.json': 'cursor',
      'file:///projects/.mcp.json': 'mcpJson',
      'file:///home/me/.config/Claude/claude_desktop_config.json': 'claudeDesktop',
      'file:///projects/mcp.json': undefined,
      'file:///projects/package.json': undefined,
      'file:///projects/settings.json.bak': undefined,
      'file:///projects/%': undefined,
    };
    for (const [uri, kind] of Object.entries(kinds)) {
      assert.equal(documentKind(uri), kind, uri);
      assert.equal(helpedPath.test(pathOf(uri)), kind !== undefined, uri);
    }
  });
});

/** The path as an editor has it: decoded, without a query. */
function pathOf(uri: string): string {
  const path = uri.replace(/^[\w-]+:(?:\/\/[^/]*)?/, '').replace(/[?#].*$/, '');
  return path.endsWith('%') ? path : decodeURIComponent(path);
}
