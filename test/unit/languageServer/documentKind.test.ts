import assert from 'node:assert/strict';
import { documentKind } from '../../../src/languageServer/documentKind.ts';

describe('A document', () => {
  it('is known by its file name, whatever its scheme', () => {
    const kinds = {
      'vscode-userdata:/User/settings.json': 'settings',
      'file:///work/a%20b/.vscode/settings.json': 'settings',
      'vscode-remote://ssh-remote%2Bhost/work/my.code-workspace': 'workspaceFile',
      'file:///work/.vscode/mcp.json': 'vscodeMcp',
      'file:///work/%2Evscode/mcp.json?x#y': 'vscodeMcp',
      'file:///work/.mcp.json': 'mcpJson',
      'file:///home/me/.config/Claude/claude_desktop_config.json': 'claudeDesktop',
      'file:///work/mcp.json': undefined,
      'file:///work/package.json': undefined,
      'file:///work/settings.json.bak': undefined,
      'file:///work/%': undefined,
    };
    for (const [uri, kind] of Object.entries(kinds)) {
      assert.equal(documentKind(uri), kind, uri);
    }
  });
});
