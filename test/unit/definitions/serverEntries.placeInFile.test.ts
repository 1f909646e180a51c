import assert from 'node:assert/strict';
import { placeInFile } from '../../../src/definitions/serverEntries.ts';

describe('A definition in its file', () => {
  const forms: readonly [name: string, text: string][] = [
    ['settings', '{\n  // mine\n  "duplex.mcpServers": { "other": {}, "shop": { "command": "node" }, },\n}'],
    ['a pasted wrapper', '{"duplex.mcpServers": {"mcpServers": {"shop": {"command": "node"}}}}'],
    ['a workspace file', '{"folders": [], "settings": {"duplex.mcpServers": {"shop": {"command": "node"}}}}'],
    ['.vscode/mcp.json', '{"inputs": [], "servers": {"shop": {"command": "node"}}}'],
    ['.mcp.json', '{"mcpServers": {"shop": {"command": "node"}}}'],
  ];
  for (const [name, text] of forms) {
    it(`is found in ${name}`, () => {
      const place = placeInFile(text, 'shop');
      assert.ok(place);
      assert.match(text.slice(place.offset, place.offset + place.length), /^"shop": ?\{ ?"command": "node" ?\}$/);
    });
  }

  it('is not found where there is none', () => {
    assert.equal(placeInFile('{"duplex.mcpServers": {"other": {}}}', 'shop'), undefined);
    assert.equal(placeInFile('no json', 'shop'), undefined);
  });
});
