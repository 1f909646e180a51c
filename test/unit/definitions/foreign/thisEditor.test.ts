import assert from 'node:assert/strict';
import { isThisEditor } from '../../../../src/definitions/foreign/thisEditor.ts';
import type { ServerDefinition } from '../../../../src/definitions/serverDefinition.ts';

const common = { id: 'user:x', name: 'x', label: 'x', scope: 'user', folder: undefined, location: 'user settings', inputs: [] } as const;
const remote = (url: string): ServerDefinition => ({ ...common, kind: 'remote', raw: { url } });
const local = (command: string, ...args: string[]): ServerDefinition => ({ ...common, kind: 'stdio', raw: { command, args } });
const own = { port: 4100, folders: ['/projects/demo'] };

describe('isThisEditor', () => {
  const cases: readonly (readonly [string, ServerDefinition, boolean])[] = [
    ['its own address', remote('http://127.0.0.1:4100/mcp'), true],
    ['its own address by name', remote('http://localhost:4100/sse'), true],
    ['its own WebSocket', remote('ws://127.0.0.1:4100/ws'), true],
    ['its own address with a final dot', remote('http://localhost.:4100/mcp'), true],
    ['a name that looks like its address', remote('http://127.evil.com:4100/mcp'), false],
    ['another port', remote('http://127.0.0.1:4101/mcp'), false],
    ['another machine', remote('http://example.com:4100/mcp'), false],
    ['an address with a variable', remote('${input:url}'), false],
    ['the bridge', local('/projects/home/.duplex/bin/duplex-bridge'), true],
    ['the bridge on Windows', local('C:\\Users\\a\\.duplex\\bin\\duplex-bridge.cmd'), true],
    ['the bridge with a variable', local('${userHome}/.duplex/bin/duplex-bridge'), true],
    ['the bridge for this workspace', local('duplex-bridge', '--workspace', '/projects/demo/src'), true],
    ['the bridge for another workspace', local('duplex-bridge', '--workspace', '/projects/other'), false],
    ['the bridge for another workspace, in one word', local('duplex-bridge', '--workspace=/projects/other'), false],
    ['another program', local('npx', '-y', 'some-bridge'), false],
  ];
  for (const [name, definition, expected] of cases) {
    it(`${name} is ${expected ? 'this' : 'not this'} editor`, () => {
      assert.equal(isThisEditor(definition, own), expected);
    });
  }

  it('no address is its own while it does not listen', () => {
    assert.equal(isThisEditor(remote('http://127.0.0.1:4100/mcp'), { ...own, port: undefined }), false);
  });
});
