import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import esbuild from 'esbuild';
import { machineIdentity } from '../../../src/discovery/machineIdentity.ts';
import { runBridge } from '../../../src/bridge/runBridge.ts';
import type { DiscoveryFile } from '../../../src/contract/discoveryFile.ts';
import { discoveryContent } from './discoveryContent.ts';

interface Run {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
}

const notAvailable = /^Relaying over stdio is not available in this version of Duplex; connect to the URLs/;

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
      surroundings: { machine: 'here', uid: process.getuid?.(), isAlive: (pid) => pid === 100 },
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

  it('says that no window is open', async () => {
    assert.deepEqual(await run('--list'), { code: 0, printed: 'No VS Code window with Duplex is open.\n', complained: '' });
  });

  it('says on standard error that it cannot relay yet, and which window it would take', async () => {
    await publish({ name: 'elsewhere', workspaceFolders: [{ name: 'a', path: '/projects/a', uri: 'file:///projects/a' }] });
    await publish({ name: 'here', workspaceFolders: [{ name: 'home', path: home, uri: `file://${home}` }] });
    const byPlace = await run();
    assert.equal(byPlace.code, 1);
    assert.equal(byPlace.printed, '');
    assert.match(byPlace.complained, notAvailable);
    assert.match(byPlace.complained, /\nhere \(process 100\)\n/);
    assert.doesNotMatch(byPlace.complained, /the-token|elsewhere/);
    const asked = await run('--workspace', '/projects/a');
    assert.match(asked.complained, /\nelsewhere \(process 100\)\n/);
    const wrong = await run('--workspace', '/projects/b');
    assert.match(wrong.complained, /\nNo VS Code window has \/projects\/b open\. These windows are open:\nelsewhere .*here /s);
  });

  it('explains its arguments', async () => {
    assert.match((await run('--help')).printed, /^Usage: duplex-bridge/);
    const wrong = await run('--wrong');
    assert.equal(wrong.code, 2);
    assert.match(wrong.complained, /--wrong.*\nUsage: duplex-bridge/s);
  });

  it('runs as a bundle of its own and finds a living window of this machine', async () => {
    const bundle = path.join(home, 'stdioBridge.mjs');
    await esbuild.build({
      entryPoints: [path.resolve(import.meta.dirname, '../../../src/bridge/main.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'silent',
    });
    await publish({ name: 'living', pid: process.pid, machine: await machineIdentity() });
    await publish({ name: 'other', pid: process.pid });
    const started = { cwd: home, env: { ...process.env, DUPLEX_HOME: home } };
    const result = await new Promise<Run>((resolve) => {
      execFile(process.execPath, [bundle, '--list'], started, (error, printed, complained) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, printed, complained });
      });
    });
    assert.equal(result.code, 0);
    assert.match(result.printed, new RegExp(`^living \\(process ${process.pid}\\)\n`));
    assert.match(result.complained, /other\.json: it belongs to another machine/);
  });
});
