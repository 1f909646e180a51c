import assert from 'node:assert/strict';
import { linksOf, outlineOf } from '../../../src/languageServer/outline.ts';

describe('The outline of a configuration file', () => {
  it('lists the servers with what they run or where they are, and no argument', () => {
    const text = JSON.stringify({
      servers: { a: { command: 'npx', args: ['--token', 'secret'] }, b: { url: 'https://user:pass@b.example/mcp?key=1' }, c: 1 },
    });
    assert.deepEqual(
      outlineOf(text, 'vscodeMcp').map(({ name, detail, isRemote, nameRange: { start, end } }) => [
        name,
        detail,
        isRemote,
        text.slice(start, end),
      ]),
      [
        ['a', 'npx', false, '"a"'],
        ['b', 'b.example', true, '"b"'],
        ['c', '', false, '"c"'],
      ],
    );
    assert.deepEqual(outlineOf('{', 'vscodeMcp'), []);
  });

  it('leaves settings to VS Code, whose outline has all of them', () => {
    const text = JSON.stringify({ 'duplex.mcpServers': { a: { command: 'npx' } } });
    assert.deepEqual(outlineOf(text, 'settings'), []);
  });
});

describe('The links of a configuration file', () => {
  it('lead to files of this machine and to the inputs of the file', () => {
    const text = JSON.stringify({
      servers: {
        a: {
          command: '/usr/bin/node',
          envFile: '${workspaceFolder}/.env',
          cwd: '//evil.example/share',
          env: { A: '${input:key}', B: '${input:no}' },
        },
      },
      inputs: [{ id: 'key', type: 'promptString' }],
    });
    assert.deepEqual(
      linksOf(text, 'vscodeMcp').map((link) => [
        text.slice(link.start, link.end),
        'file' in link ? link.file : text.slice(link.offset, link.offset + 5),
      ]),
      [
        ['/usr/bin/node', 'file:///usr/bin/node'],
        ['${input:key}', '"key"'],
      ],
    );
  });
});
