import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { PassThrough } from 'node:stream';
import { machineIdentity } from '../../../src/platform/machineIdentity.ts';
import { HostPipe } from '../../../src/bridge/hostPipe.ts';
import { runBridge } from '../../../src/bridge/runBridge.ts';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { discoveryContent } from './discoveryContent.ts';
import { buildBridge } from './support/bridgePeer.ts';

interface Run {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
}

describe('The bridge', function () {
  this.timeout(20_000);
  let home: string;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex-bridge-')));
    await mkdir(path.join(home, 'windows'), { mode: 0o700 });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function publish(different: Partial<DiscoveryFile>): Promise<void> {
    const content = discoveryContent(different);
    await writeFile(path.join(home, 'windows', `${content.name}.json`), JSON.stringify(content), { mode: 0o600 });
  }

  async function run(...args: string[]): Promise<Run> {
    let printed = '';
    let complained = '';
    const code = await runBridge({
      args,
      cwd: home,
      duplexHome: home,
      homeFolder: '/nowhere',
      clientToken: undefined,
      surroundings: { machine: 'here', uid: process.getuid?.(), isAlive: (pid) => pid === 100 },
      host: new HostPipe(new PassThrough().end(), new PassThrough()),
      readOfflineAnswers: () => Promise.reject(new Error('not written')),
      onStop: () => undefined,
      print: (text) => (printed += text),
      complain: (text) => (complained += text),
    });
    return { code, printed, complained };
  }

  it('lists the windows without their tokens, and says why it leaves files out', async () => {
    await publish({ name: 'one', workspaceFolders: [{ name: 'a', path: '/projects/a\u001b[2J', uri: 'file:///projects/a' }] });
    await publish({ name: 'two', pid: 5 });
    const printed = [
      'one (process 100)',
      '  folder /projects/a⟨U+001B⟩[2J',
      '  mcp http://127.0.0.1:4000/mcp',
      '  sse http://127.0.0.1:4000/sse',
      '  ws ws://127.0.0.1:4000/ws',
      '',
    ].join('\n');
    const complained = `Not used: ${path.join(home, 'windows', 'two.json')}: its window is gone.\n`;
    assert.deepEqual(await run('--list'), { code: 0, printed, complained });
  });

  it('lists windows with one name and one folder by what tells them apart', async () => {
    const workspaceFolders = [{ name: 'a', path: '/projects/a', uri: 'file:///projects/a' }];
    const content = discoveryContent({ name: 'a', workspaceFolders, title: 'cart.ts\u200B - a', lastUsedAt: '2026-01-03T10:00:00.000Z' });
    await writeFile(path.join(home, 'windows', '1.json'), JSON.stringify(content), { mode: 0o600 });
    await writeFile(path.join(home, 'windows', '2.json'), JSON.stringify({ ...content, title: 'a', lastUsedAt: undefined }), {
      mode: 0o600,
    });
    const { printed } = await run('--list');
    assert.deepEqual(
      printed.split('\n').filter((line) => /^(?:a|  title|  last)/.test(line)),
      ['a (process 100)', '  title cart.ts⟨U+200B⟩ - a', '  last used 2026-01-03T10:00:00.000Z', 'a (process 100)', '  title a'],
    );
  });

  it('says that no window is open', async () => {
    assert.deepEqual(await run('--list'), { code: 0, printed: 'No VS Code window with Duplex is open.\n', complained: '' });
  });

  it('explains its arguments', async () => {
    assert.match((await run('--help')).printed, /^Usage: duplex-bridge/);
    for (const [args, complaint] of [
      [['--wrong'], /--wrong.*\nUsage: duplex-bridge/s],
      [['--cert', 'a.pem'], /^--cert and --key belong together/],
      [['--cert', 'a.pem', '--key', 'b.pem'], /^ENOENT.*[ab]\.pem/],
    ] as const) {
      const wrong = await run(...args);
      assert.deepEqual([wrong.code, wrong.printed], [2, '']);
      assert.match(wrong.complained, complaint);
    }
  });

  it('relays without its recorded answers, and says that they are missing', async () => {
    const { code, printed, complained } = await run();
    assert.deepEqual([code, printed], [0, '']);
    assert.match(complained, /Nothing can be answered without a window: not written\n/);
  });

  it('runs as a bundle of its own and finds a living window of this machine', async () => {
    const bundle = await buildBridge();
    await publish({ name: 'living', pid: process.pid, machine: await machineIdentity() });
    await publish({ name: 'other', pid: process.pid });
    const started = { cwd: home, env: { ...process.env, DUPLEX_HOME: home } };
    const result = await new Promise<Run>((resolve) => {
      execFile(process.execPath, [bundle.script, '--list'], started, (error, printed, complained) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, printed, complained });
      });
    });
    await bundle.remove();
    assert.equal(result.code, 0);
    assert.match(result.printed, new RegExp(`^living \\(process ${process.pid}\\)\n`));
    assert.match(result.complained, /other\.json: it belongs to another machine/);
  });
});
