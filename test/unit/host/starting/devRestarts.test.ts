import assert from 'node:assert/strict';
import { toDisposable, type Disposable } from '../../../../src/base/lifecycle.ts';
import type { Log } from '../../../../src/base/log.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { DevRestarts } from '../../../../src/host/starting/devRestarts.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { createTestHost, scriptedServer, type TestHost } from '../support.ts';

const { signal } = new AbortController();

describe('A server whose files are watched', () => {
  let host: TestHost;
  let clock: FakeClock;
  let restarts: DevRestarts;
  let listening: Disposable;
  let id: string;
  /** How often it began to start. */
  let starts: number;
  let warned: string[];
  let watched: { readonly patterns: readonly string[]; readonly change: () => void }[];

  beforeEach(async () => {
    host = await createTestHost();
    await host.configure({ scripted: { command: 'node', args: [scriptedServer], dev: { watch: ['src/**', 'package.json'] } } });
    ({ id } = host.server('scripted'));
    clock = new FakeClock();
    [watched, warned, starts] = [[], [], 0];
    const log: Log = { ...silentLog, warn: (line) => void warned.push(line) };
    restarts = new DevRestarts({
      registry: host.registry,
      folders: () => [{ name: 'demo', path: '/demo' }],
      watch: (_, patterns, change) => {
        const entry = { patterns, change };
        watched.push(entry);
        return toDisposable(() => void watched.splice(watched.indexOf(entry), 1));
      },
      logFor: () => log,
      clock,
    });
    let last = '';
    listening = host.registry.onDidChange(() => {
      const kind = host.registry.servers().find((server) => server.id === id)?.state.kind ?? '';
      starts += kind === 'starting' && last !== 'starting' ? 1 : 0;
      last = kind;
    });
    await host.registry.start(id, { ask: host.ask, signal });
  });
  afterEach(async () => {
    restarts.dispose();
    listening.dispose();
    await host.close();
  });

  const untilStarts = (count: number): Promise<void> =>
    host.until(() => starts === count && host.server('scripted').state.kind === 'ready', `start ${count}`);
  const change = (): void => {
    watched[0]?.change();
    clock.advance(300);
  };

  it('is restarted once for many changes in a moment, and asks nobody', async () => {
    assert.deepEqual(watched[0]?.patterns, ['src/**', 'package.json']);
    const asked = host.asked.length;
    watched[0].change();
    watched[0].change();
    clock.advance(200);
    watched[0].change();
    clock.advance(299);
    assert.equal(starts, 1, 'the files have not come to rest');
    clock.advance(1);
    await untilStarts(2);
    assert.deepEqual([host.asked.length, watched.length], [asked, 1]);
  });

  it('is restarted once more for what changes while it restarts', async () => {
    change();
    change();
    await untilStarts(2);
    clock.advance(300);
    await untilStarts(3);
  });

  it('is left alone once the person has stopped it', async () => {
    const [first] = watched;
    await host.registry.stop(id);
    assert.equal(watched.length, 0);
    first?.change();
    clock.advance(1_000);
    assert.equal(starts, 1);
  });

  it('stays stopped when the person stops it while it restarts', async () => {
    change();
    await host.registry.stop(id);
    await host.until(() => watched.length === 0, 'the end of the restart');
    assert.deepEqual([starts, host.server('scripted').state], [1, { kind: 'stopped', reason: 'byUser' }]);
  });

  it('stays stopped when a file changes while it ends because the person stopped it', async () => {
    watched[0]?.change();
    const stopped = host.registry.stop(id);
    clock.advance(300);
    await stopped;
    await host.until(() => watched.length === 0, 'the end of the restart');
    assert.deepEqual([starts, host.server('scripted').state], [1, { kind: 'stopped', reason: 'byUser' }]);
  });

  it('restarts when the person wishes that while it restarts by itself', async () => {
    change();
    await host.registry.restart(id, { ask: host.ask, signal });
    assert.equal(host.server('scripted').state.kind, 'ready');
  });

  it('is not watched any more when its files change without end, and says so (release)', async () => {
    for (let count = 1; count <= 10; count += 1) {
      change();
      await untilStarts(count + 1);
    }
    change();
    assert.equal(watched.length, 0);
    assert.match(warned.join('\n'), /restarted 10 times within a minute/);
    assert.equal(starts, 11);
  });

  it('shows in the question which files, and asks again when they are others', async () => {
    const fields = (): readonly { readonly name: string; readonly value: string }[] => {
      const detail = host.asked.at(-1)?.detail;
      return detail?.kind === 'startServer' ? detail.fields.filter(({ name }) => name.startsWith('dev')) : [];
    };
    assert.deepEqual(
      fields().map(({ name, value }) => [name, value]),
      [
        ['dev.watch[0]', 'src/**'],
        ['dev.watch[1]', 'package.json'],
      ],
    );
    const asked = host.asked.length;
    await host.configure({ scripted: { command: 'node', args: [scriptedServer], dev: { watch: 'lib/**' } } });
    await host.registry.start(id, { ask: host.ask, signal });
    assert.equal(host.asked.length, asked + 1);
    assert.deepEqual(
      fields().map(({ value }) => value),
      ['lib/**'],
    );
    await host.until(() => watched[0]?.patterns[0] === 'lib/**', 'the new files');
  });

  it('is watched inside the workspace only', async () => {
    for (const watch of ['/etc/**', '../other/**', 'src/{..,lib}/**', 'C:\\Windows\\**', '\\\\host\\share', []]) {
      await host.configure({ scripted: { command: 'node', args: [scriptedServer], dev: { watch } } });
      assert.equal(
        host.registry.servers().some(({ label }) => label === 'scripted'),
        false,
        JSON.stringify(watch),
      );
      assert.equal(host.registry.problems().length, 1, JSON.stringify(watch));
    }
  });
});
