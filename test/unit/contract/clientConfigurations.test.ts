import assert from 'node:assert/strict';
import { configurationText, knownHosts, offeredAddress } from '../../../src/contract/clientConfigurations.ts';

const bridge = { kind: 'bridge', command: '/projects/home/.duplex/bin/duplex-bridge', env: {} } as const;
const address = { kind: 'address', url: 'http://127.0.0.1:4100/mcp' } as const;
const env = { DUPLEX_CLIENT_TOKEN: 'secret' };
const headers = { Authorization: 'Bearer secret' };

const listening = { port: 4100, url: address.url };
const takers = knownHosts.filter((host) => offeredAddress(host, 4100, listening) !== undefined);

function parsed(...args: Parameters<typeof configurationText>): unknown {
  return JSON.parse(configurationText(...args));
}

describe('configurationText', () => {
  it('gives each host that launches commands the bridge in its own form', () => {
    const plain = { mcpServers: { duplex: { command: bridge.command, args: [], env } } };
    const typed = { mcpServers: { duplex: { type: 'stdio', command: bridge.command, args: [], env } } };
    assert.deepEqual(
      knownHosts.map((host) => [host, parsed(host, bridge, 'secret')]),
      [
        ['claudeDesktop', plain],
        ['claudeCode', typed],
        ['cursor', plain],
        ['vscode', { servers: typed.mcpServers }],
        ['inspector', typed],
        ['plain', plain],
      ],
    );
  });

  it('gives hosts that take an address the address with the token in a header', () => {
    assert.deepEqual(
      takers.map((host) => [host, parsed(host, address, 'secret')]),
      [
        ['claudeCode', { mcpServers: { duplex: { type: 'http', url: address.url, headers } } }],
        ['cursor', { mcpServers: { duplex: { url: address.url, headers } } }],
        ['vscode', { servers: { duplex: { type: 'http', url: address.url, headers } } }],
        ['inspector', { mcpServers: { duplex: { type: 'streamable-http', url: address.url, headers } } }],
        ['plain', { mcpServers: { duplex: { url: address.url, headers } } }],
      ],
    );
  });

  it('tells the bridge of a discovery folder that is not where it looks', () => {
    const text = configurationText('plain', { ...bridge, env: { DUPLEX_HOME: '/projects/elsewhere' } }, 'secret');
    assert.match(text, /"DUPLEX_HOME": "\/projects\/elsewhere"/);
  });
});

describe('offeredAddress', () => {
  it('is the address of a window that listens on the port the person chose, and no other', () => {
    assert.deepEqual([offeredAddress('plain', 4100, listening), offeredAddress('plain', 4200, listening)], [address.url, undefined]);
    assert.deepEqual([offeredAddress('plain', undefined, listening), offeredAddress('plain', 4100, undefined)], [undefined, undefined]);
  });

  it('is none for a host that only launches commands', () => {
    assert.equal(offeredAddress('claudeDesktop', 4100, listening), undefined);
  });
});
