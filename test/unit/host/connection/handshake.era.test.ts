import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { eraStorageIn, RememberedEras, type EraStorage } from '../../../../src/host/shared/eraCache.ts';
import { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { SupervisorClient } from '../../../../src/host/processes/supervisorClient.ts';
import { SupervisedStdioTransport } from '../../../../src/host/transports/supervisedStdio.ts';
import { checksInProcess } from '../../../support/checksInProcess.ts';
import { createTestHost, failureOf, repositoryRoot, supervisorLaunch } from '../support.ts';

/** Notes every message it is sent; `discover` says what it does with the first question of 2026-07-28. */
const program = (discover: string, notes: string): string => `
const { appendFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(notes)}, 'start\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  appendFileSync(${JSON.stringify(notes)}, method + '\\n');
  const answer = (more) => id !== undefined && console.log(JSON.stringify({ jsonrpc: '2.0', id, ...more }));
  if (method === 'server/discover') { ${discover} }
  else if (method === 'initialize') answer({ result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } } });
  else answer({ error: { code: -32601, message: 'no' } });
});`;

describe('The era of a local server', () => {
  let supervisor: SupervisorClient;
  let connection: ServerConnection;
  let notes: string;
  let eras: RememberedEras;
  beforeEach(async () => {
    supervisor = new SupervisorClient(await supervisorLaunch(), silentLog);
    connection = new ServerConnection(
      { clientVersion: '0', schemas: checksInProcess, timeoutMs: 8_000, filter: undefined, log: silentLog },
      { kind: 'stopped', reason: 'neverStarted' },
    );
    notes = path.join(mkdtempSync(path.join(tmpdir(), 'era-')), 'notes');
    writeFileSync(notes, '');
    eras = new RememberedEras();
  });
  afterEach(async () => {
    await connection.stop('byUser');
    connection.dispose();
    await supervisor.stop();
    supervisor.dispose();
  });

  const startScript = (script: string): ReturnType<ServerConnection['start']> =>
    connection.start(() => {
      const spec = { command: process.execPath, args: ['-e', script], env: {}, cwd: repositoryRoot };
      const transport = new SupervisedStdioTransport(supervisor, spec, silentLog);
      return Promise.resolve({
        transport,
        get end() {
          return transport.end;
        },
        lastWords: '',
        era: { cache: eras, key: 'k' },
      });
    });
  const noted = (): string[] => readFileSync(notes, 'utf8').trim().split('\n');

  it('is asked in the one process it has, and an old one is greeted at once from then on', async () => {
    const script = program("answer({ error: { code: -32601, message: 'no' } });", notes);
    const state = await startScript(script);
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2025-06-18');
    assert.equal(connection.session?.era, 'legacy');
    await connection.stop('byUser');
    await startScript(script);
    assert.deepEqual(
      noted().filter((each) => !each.startsWith('notifications/')),
      ['start', 'server/discover', 'initialize', 'start', 'initialize'],
    );
  });

  it('that ends at an unknown first question is started once more, and never asked it again', async () => {
    const script = program('process.exit(1);', notes);
    assert.equal((await startScript(script)).kind, 'ready');
    await connection.stop('byUser');
    assert.equal((await startScript(script)).kind, 'ready');
    assert.deepEqual(
      noted().filter((each) => each === 'start' || each === 'server/discover'),
      ['start', 'server/discover', 'start', 'start'],
    );
  });

  it('that ignores the first question is greeted in the older way after a while (release)', async () => {
    const state = await startScript(program('', notes));
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2025-06-18');
    assert.equal(eras.get('k'), 'legacy');
  });

  it('of 2026-07-28 is known by its answer, without a greeting', async () => {
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {},
      ttlMs: 0,
      cacheScope: 'private',
    };
    const state = await startScript(program(`answer({ result: ${JSON.stringify(result)} });`, notes));
    assert.equal(state.kind === 'ready' ? state.protocolVersion : failureOf(state).code, '2026-07-28');
    assert.equal(connection.session?.era, 'modern');
    assert.deepEqual(noted(), ['start', 'server/discover']);
  });
});

describe('Remembered eras', () => {
  it('outlive the window and are asked for again after a week', () => {
    let stored: unknown;
    const storage: EraStorage = { read: () => stored, write: (entries) => (stored = structuredClone(entries)) };
    let now = 0;
    new RememberedEras(storage, () => now).set('a', 'legacy');
    const later = new RememberedEras(storage, () => now);
    assert.equal(later.get('a'), 'legacy');
    now = 8 * 24 * 60 * 60 * 1_000;
    assert.equal(later.get('a'), undefined);
  });

  it('are kept in a store of the editor, and one that fails is no harm', async () => {
    const kept = new Map<string, unknown>();
    let isBroken = false;
    const memento = {
      get: (key: string): unknown => kept.get(key),
      update: async (key: string, value: unknown): Promise<void> => {
        if (isBroken) {
          throw new Error('The disk is full.');
        }
        kept.set(key, structuredClone(value));
      },
    };
    new RememberedEras(eraStorageIn(memento)).set('a', 'modern');
    const later = new RememberedEras(eraStorageIn(memento));
    isBroken = true;
    later.set('b', 'legacy');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([later.get('a'), later.get('b')], ['modern', 'legacy']);
    assert.equal(new RememberedEras(eraStorageIn(memento)).get('b'), undefined);
  });

  it('are used by the registry that is given a store, so that a later window greets an old server at once', async () => {
    const notes = path.join(mkdtempSync(path.join(tmpdir(), 'era-')), 'notes');
    const script = program("answer({ error: { code: -32601, message: 'no' } });", notes);
    let stored: unknown;
    const eraStorage: EraStorage = { read: () => stored, write: (entries) => (stored = structuredClone(entries)) };
    const folder = mkdtempSync(path.join(tmpdir(), 'era-'));
    for (let window = 0; window < 2; window += 1) {
      const host = await createTestHost({ folder, ports: { eraStorage } });
      await host.configure({ old: { command: 'node', args: ['-e', script] } });
      await host.registry.start(host.server('old').id, { ask: host.ask, signal: new AbortController().signal });
      await host.close();
    }
    assert.deepEqual(
      readFileSync(notes, 'utf8')
        .trim()
        .split('\n')
        .filter((each) => !each.startsWith('notifications/')),
      ['start', 'server/discover', 'initialize', 'start', 'initialize'],
    );
  });

  it('that are not what they should be are ignored', () => {
    const eras = new RememberedEras({ read: () => ({ a: 'x', b: { era: 'old', at: 1 } }), write: () => undefined });
    assert.deepEqual([eras.get('a'), eras.get('b')], [undefined, undefined]);
  });
});
