import assert from 'node:assert/strict';
import type { KnownTool } from '../../../../src/host/byHand/knownTools.ts';
import type { ServerSnapshot, ServerState } from '../../../../src/host/shared/serverState.ts';
import { toolChoices } from '../../../../src/views/runner/toolChoices.ts';
import { snapshotOf } from '../../host/snapshots.ts';

const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: [] };
const server = (id: string, state: ServerState, ...tools: string[]): ServerSnapshot => ({
  ...snapshotOf(id, state),
  tools: tools.map((name) => ({
    name,
    title: undefined,
    description: '',
    inputSchema: {},
    outputSchema: undefined,
    annotations: undefined,
  })),
});
const known: Readonly<Record<string, readonly KnownTool[]>> = { resting: [{ name: 'sleep', description: '', claims: [] }] };

const rows = (servers: readonly ServerSnapshot[], recent: readonly (readonly [string, string])[] = []): string[] =>
  toolChoices(
    servers,
    (id) => known[id] ?? [],
    recent.map(([serverId, tool]) => ({ serverId, tool })),
  ).map((choice) => {
    if (choice.kind === 'tool') {
      return `${choice.server.id} ${choice.tool.name}`;
    }
    return choice.kind === 'heading' ? `-- ${choice.server?.id ?? 'recent'}` : `start ${choice.server.id}`;
  });

describe('The list of Run Tool', () => {
  const servers = [
    { ...server('editor', ready, 'see'), scope: 'builtIn' as const },
    server('resting', { kind: 'stopped', reason: 'byUser' }),
    server('unknown', { kind: 'stopped', reason: 'needsConsent' }),
    server('running', ready, 'echo', 'add'),
    server('off', { kind: 'stopped', reason: 'disabled' }),
    server('loop', { kind: 'stopped', reason: 'thisEditor' }),
    server('empty', ready),
  ];

  it('has the tools of those that run, of stopped ones as last known, and offers to start what is not known', () => {
    assert.deepEqual(rows(servers), [
      '-- running',
      'running echo',
      'running add',
      '-- editor',
      'editor see',
      '-- resting',
      'resting sleep',
      '-- unknown',
      'start unknown',
    ]);
  });

  it('begins with what was used last, once, and without what is not there any more', () => {
    const recent = [
      ['resting', 'sleep'],
      ['running', 'gone'],
      ['nowhere', 'echo'],
      ['running', 'add'],
    ] as const;
    assert.deepEqual(rows(servers, recent), [
      '-- recent',
      'resting sleep',
      'running add',
      '-- running',
      'running echo',
      '-- editor',
      'editor see',
      '-- unknown',
      'start unknown',
    ]);
  });
});
