import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';

/** The file of a window, in order but for what a test says. */
export function discoveryContent(different: Partial<DiscoveryFile>): DiscoveryFile {
  return {
    version: 1,
    pid: 100,
    startedAt: '2026-01-01T00:00:00.000Z',
    machine: 'here',
    host: '127.0.0.1',
    port: 4000,
    token: 'the-token',
    urls: { mcp: 'http://127.0.0.1:4000/mcp', sse: 'http://127.0.0.1:4000/sse', ws: 'ws://127.0.0.1:4000/ws' },
    workspaceFolders: [],
    name: 'window',
    ...different,
  };
}
