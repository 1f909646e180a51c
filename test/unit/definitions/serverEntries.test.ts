import assert from 'node:assert/strict';
import { changeEntry, placeInFile, putEntryBack } from '../../../src/definitions/serverEntries.ts';

const one = { command: 'one', note: 'kept' };
const two = { url: 'https://example.com/' };

describe('The entry of a server in the settings', () => {
  it('is changed where it stands, and everything else stays as it is', () => {
    assert.deepEqual(
      changeEntry({ one, two }, 'one', (entry) => ({ ...entry, disabled: true })),
      { key: 'one', before: one, value: { one: { ...one, disabled: true }, two }, isInWrapper: false, preceding: [] },
    );
  });

  it('is taken away, and the setting with the last one', () => {
    assert.deepEqual(changeEntry({ one, two }, 'two', () => undefined)?.value, { one });
    assert.deepEqual(
      changeEntry({ one }, 'one', () => undefined),
      { key: 'one', before: one, value: undefined, isInWrapper: false, preceding: [] },
    );
  });

  it('is found under every spelling of its name, the last one as when it is read', () => {
    const other = { command: 'other' };
    assert.deepEqual(
      changeEntry({ one, ' ｏｎｅ ': other }, 'one', () => undefined),
      { key: ' ｏｎｅ ', before: other, value: { one }, isInWrapper: false, preceding: ['one'] },
    );
  });

  it('is found in a pasted wrapper, unless one of its name stands beside that', () => {
    assert.deepEqual(changeEntry({ mcpServers: { one }, two }, 'one', () => undefined)?.value, { mcpServers: {}, two });
    assert.deepEqual(changeEntry({ mcpServers: { one }, one: two }, 'one', () => undefined)?.value, { mcpServers: { one } });
  });

  it('is put back where it was: in its wrapper or beside it, and in its order', () => {
    const three = { command: 'three' };
    const values = [{ one }, { one, two, three }, { two, one }, { mcpServers: { one } }, { mcpServers: { two, one, three }, four: three }];
    for (const value of values) {
      const removed = changeEntry(value, 'one', () => undefined);
      assert.ok(removed);
      assert.equal(JSON.stringify(putEntryBack(removed.value, removed)), JSON.stringify(value));
    }
  });

  it('is put back among what has changed since it was taken away', () => {
    const removed = changeEntry({ mcpServers: { two, one } }, 'one', () => undefined);
    assert.ok(removed);
    assert.deepEqual(putEntryBack(undefined, removed), { mcpServers: { one } });
    assert.deepEqual(putEntryBack({ mcpServers: two }, removed), { one, mcpServers: two });
    assert.equal(
      JSON.stringify(putEntryBack({ mcpServers: { two, new: two } }, removed)),
      JSON.stringify({ mcpServers: { two, one, new: two } }),
    );
  });

  it('is none where there is none', () => {
    for (const value of [undefined, null, [], 'x', {}, { one: 'text' }, { two }]) {
      assert.equal(
        changeEntry(value, 'one', () => undefined),
        undefined,
      );
    }
  });
});

describe('The place of a definition in a file', () => {
  it('is that of its own entry, in settings and in other programs’ files', () => {
    for (const text of [
      '{ // mine\n "duplex.mcpServers": { "a": {}, "demo": {"command": "x"} } }',
      '{"settings": {"duplex.mcpServers": {"mcpServers": {"demo": {"command": "x"}}}}}',
      '{"servers": {"demo": {"command": "x"}}}',
    ]) {
      const place = placeInFile(text, 'demo');
      assert.equal(text.slice(place?.offset, (place?.offset ?? 0) + (place?.length ?? 0)), '"demo": {"command": "x"}');
    }
    assert.equal(placeInFile('{"servers": {}}', 'demo'), undefined);
    assert.deepEqual(placeInFile('{"servers": {" my\u00A0 demo": {}}}', 'my demo'), { offset: 13, length: 15 });
  });
});

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
