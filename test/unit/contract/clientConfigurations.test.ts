import assert from 'node:assert/strict';
import { configurationText, knownHosts, takesAddresses } from '../../../src/contract/clientConfigurations.ts';

const bridge = { kind: 'bridge', command: '/projects/home/.duplex/bin/duplex-bridge', env: {} } as const;
const address = { kind: 'address', url: 'http://127.0.0.1:4100/mcp' } as const;
const env = { DUPLEX_CLIENT_TOKEN: 'secret' };
const headers = { Authorization: 'Bearer secret' };

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
      knownHosts.filter(takesAddresses).map((host) => [host, parsed(host, address, 'secret')]),
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
