import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { bridgeLauncherPath, installBridgeLauncher, launcherText } from '../../../../src/server/window/bridgeLauncher.ts';

const onPosix = process.platform === 'win32' ? it.skip : it;

interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

describe('The launcher of the bridge', () => {
  let folder: string;
  let home: string;

  beforeEach(async () => {
    // Whoever quotes carelessly fails here.
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex \'quoted\' "place" $HOME `x` ')));
    home = path.join(folder, 'home');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A stand-in for the extension's bridge that says who it is. */
  async function installation(version: string): Promise<{ version: string; script: string; runtime: string; place: string }> {
    const place = path.join(folder, `duplex-${version}`);
    await mkdir(place);
    const script = path.join(place, 'stdioBridge.mjs');
    const said = `console.log(JSON.stringify({ version: ${JSON.stringify(version)}, args: process.argv.slice(2), home: process.env.DUPLEX_HOME, electron: process.env.ELECTRON_RUN_AS_NODE }));`;
    await writeFile(script, said);
    return { version, script, runtime: process.execPath, place };
  }

  function launch(...args: string[]): Promise<Run> {
    return new Promise((resolve) => {
      execFile(bridgeLauncherPath(home), args, (error, out, complaint) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: complaint });
      });
    });
  }

  async function versionLaunched(): Promise<unknown> {
    const { out } = await launch();
    return (JSON.parse(out) as { version: string }).version;
  }

  onPosix('runs the bridge with the runtime of the editor and passes everything on', async () => {
    await installBridgeLauncher(home, await installation('0.1.0'));
    const { code, out, error } = await launch('--workspace', '/projects/a b', "it's", '$x');
    assert.deepEqual([code, error], [0, '']);
    assert.deepEqual(JSON.parse(out), {
      version: '0.1.0',
      args: ['--workspace', '/projects/a b', "it's", '$x'],
      home,
      electron: '1',
    });
  });

  onPosix('takes the newest version that is still there, whoever wrote last', async () => {
    const newest = await installation('0.10.0');
    await installBridgeLauncher(home, newest);
    await installBridgeLauncher(home, await installation('0.2.0'));
    const middle = await installation('0.9.9');
    await installBridgeLauncher(home, middle);
    assert.equal(await versionLaunched(), '0.10.0');
    await rm(newest.place, { recursive: true });
    assert.equal(await versionLaunched(), '0.9.9');
    await installBridgeLauncher(home, { ...middle, version: '0.11.0', runtime: path.join(folder, 'gone') });
    assert.equal(await versionLaunched(), '0.9.9');
  });

  onPosix('says what to do when nothing is left', async () => {
    const only = await installation('0.1.0');
    await installBridgeLauncher(home, only);
    await rm(only.place, { recursive: true });
    const { code, out, error } = await launch();
    assert.deepEqual([code, out], [1, '']);
    assert.match(error, /Open VS Code with the Duplex extension/);
  });

  onPosix('is for its user only, and written again only when it changed', async () => {
    const one = await installation('0.1.0');
    await installBridgeLauncher(home, one);
    const launcher = bridgeLauncherPath(home);
    const modes = await Promise.all([home, path.join(home, 'bin'), launcher].map(async (place) => (await stat(place)).mode & 0o777));
    assert.deepEqual(modes, [0o700, 0o700, 0o700]);
    const before = await stat(launcher);
    await installBridgeLauncher(home, one);
    assert.equal((await stat(launcher)).ino, before.ino);
    assert.deepEqual((await readdir(path.join(home, 'bin'))).sort(), ['duplex-bridge', 'installations']);
    assert.equal((await readdir(path.join(home, 'bin', 'installations'))).length, 1);
  });

  onPosix('of a newer kind is left alone, one of an older kind or a damaged one replaced', async () => {
    const one = await installation('0.1.0');
    await installBridgeLauncher(home, one);
    const launcher = bridgeLauncherPath(home);
    const own = await readFile(launcher, 'utf8');
    const newer = own.replace(/format \d+/, 'format 99');
    await writeFile(launcher, newer);
    await installBridgeLauncher(home, one);
    assert.equal(await readFile(launcher, 'utf8'), newer);
    await writeFile(launcher, 'damaged');
    await installBridgeLauncher(home, one);
    assert.equal(await readFile(launcher, 'utf8'), own);
  });

  onPosix('is not written where others could change it, nor through a link', async () => {
    const elsewhere = path.join(folder, 'elsewhere');
    await mkdir(elsewhere);
    await mkdir(home, { mode: 0o700 });
    await symlink(elsewhere, path.join(home, 'bin'));
    await assert.rejects(installBridgeLauncher(home, await installation('0.1.0')), { code: 'server.discovery.unsafeFolder' });
    assert.deepEqual(await readdir(elsewhere), []);
    await rm(path.join(home, 'bin'));
    await mkdir(path.join(home, 'bin'));
    await chmod(path.join(home, 'bin'), 0o777);
    await installBridgeLauncher(home, await installation('0.2.0'));
    assert.equal((await stat(path.join(home, 'bin'))).mode & 0o777, 0o700);
  });

  it('is what a copied configuration names', () => {
    assert.equal(path.basename(bridgeLauncherPath('/projects/home', 'linux')), 'duplex-bridge');
    assert.equal(path.basename(bridgeLauncherPath('/projects/home', 'win32')), 'duplex-bridge.cmd');
  });

  it('for Windows has its line ends and doubles percent signs', () => {
    const text = launcherText('C:\\a 100%\\installations', 'C:\\a 100%', 'win32');
    assert.ok(text.startsWith('@echo off\r\n'));
    assert.ok(text.includes('set "notes=C:\\a 100%%\\installations"\r\n'));
    assert.doesNotMatch(text, /[^\r]\n/);
  });
});
