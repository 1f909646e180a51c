import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Keybinding {
  readonly command: string;
  readonly key: string;
}

describe('The keys that Duplex brings', () => {
  const { contributes } = (vscode.extensions.getExtension('duplex-mcp.duplex')?.packageJSON ?? {}) as {
    readonly contributes: { readonly keybindings: readonly Keybinding[] };
  };

  it('are nobody else’s by default', async () => {
    const defaults = await vscode.workspace.openTextDocument(vscode.Uri.parse('vscode://defaultsettings/keybindings.json'));
    const used = [...defaults.getText().matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)];
    assert.ok(used.length > 100, 'the list is there');
    for (const { key, command } of contributes.keybindings) {
      const others = used.filter(([, other, by]) => other === key && by !== command);
      assert.deepEqual(
        others.map(([, , by]) => by),
        [],
        key,
      );
    }
  });

  it('are not what AltGr types: Ctrl and Alt together are AltGr', () => {
    for (const { key } of contributes.keybindings) {
      assert.ok(!(key.includes('ctrl') && key.includes('alt')), key);
    }
  });
});
