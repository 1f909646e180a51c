import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { duplexHome, findWindows, type Surroundings } from '../../../src/bridge/findWindows.ts';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { DiscoveryPublisher } from '../../../src/server/window/discovery.ts';
import { discoveryContent } from './discoveryContent.ts';

const us: Surroundings = { machine: 'here', uid: process.getuid?.(), isAlive: (pid) => pid === 100 };
const onPosix = process.platform === 'win32' ? it.skip : it;

describe('Finding windows', () => {
  let home: string;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex-bridge-')));
    await mkdir(path.join(home, 'windows'), { mode: 0o700 });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function write(name: string, content: unknown, mode = 0o600): Promise<string> {
    const file = path.join(home, 'windows', name);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content), { mode });
    await chmod(file, mode);
    return file;
  }

  /** The reason each file is refused for, or "used". */
  async function outcomes(surroundings: Surroundings = us): Promise<Record<string, string>> {
    const { windows, refused } = await findWindows(home, surroundings);
    return Object.fromEntries([
      ...windows.map(({ file }) => [path.basename(file), 'used']),
      ...refused.map(({ file, why }) => [path.basename(file), why]),
    ]) as Record<string, string>;
  }

  it('reads what the server wrote', async () => {
    const publisher = new DiscoveryPublisher(home, silentLog);
    const content: DiscoveryFile = discoveryContent({ workspaceFolders: [{ name: 'home', path: home, uri: `file://${home}` }] });
    await publisher.publish(content);
    const expected = { windows: [{ file: publisher.path, content, roots: [home] }], refused: [] };
    assert.deepEqual(await findWindows(home, us), expected);
    publisher.removeSync();
    assert.deepEqual(await findWindows(home, us), { windows: [], refused: [] });
  });

  it('finds none where there is no folder', async () => {
    assert.deepEqual(await findWindows(path.join(home, 'nowhere'), us), { windows: [], refused: [] });
  });

  it('leaves out files of a dead window, of another machine and malformed ones', async () => {
    await write('good.json', discoveryContent({}));
    await write('dead.json', discoveryContent({ pid: 101 }));
    await write('far.json', discoveryContent({ machine: 'elsewhere' }));
    await write('half.json', '{ "version": 1,');
    await write('newer.json', { ...discoveryContent({}), version: 2 });
    await write('group.json', discoveryContent({ pid: -100 }));
    await write('huge.json', ' '.repeat(1_048_577));
    await write('.1234.tmp', 'being written');
    assert.deepEqual(await outcomes(), {
      'good.json': 'used',
      'dead.json': 'deadProcess',
      'far.json': 'otherMachine',
      'group.json': 'malformed',
      'half.json': 'malformed',
      'huge.json': 'tooLarge',
      'newer.json': 'malformed',
    });
  });

  it('refuses a file whose addresses lead elsewhere than its listener', async () => {
    const { urls } = discoveryContent({});
    await write('host.json', discoveryContent({ urls: { ...urls, mcp: 'http://a.example:4000/mcp' } }));
    await write('port.json', discoveryContent({ urls: { ...urls, ws: 'ws://127.0.0.1:4001/ws' } }));
    await write('user.json', discoveryContent({ urls: { ...urls, sse: 'http://127.0.0.1:4000@a.example/sse' } }));
    assert.deepEqual(await outcomes(), { 'host.json': 'malformed', 'port.json': 'malformed', 'user.json': 'malformed' });
  });

  onPosix('refuses links, folders, other owners and files that others may read', async () => {
    const outside = path.join(home, 'outside.json');
    await writeFile(outside, JSON.stringify(discoveryContent({})), { mode: 0o600 });
    await symlink(outside, path.join(home, 'windows', 'link.json'));
    await mkdir(path.join(home, 'windows', 'folder.json'), { mode: 0o700 });
    await write('shared.json', discoveryContent({}), 0o640);
    assert.deepEqual(await outcomes(), { 'link.json': 'symbolicLink', 'folder.json': 'notAFile', 'shared.json': 'widerMode' });
    assert.deepEqual(await outcomes({ ...us, uid: (us.uid ?? 0) + 1 }), { windows: 'otherOwner' });
  });

  onPosix('refuses a folder that is a link or that others may change', async () => {
    const folder = path.join(home, 'windows');
    await write('good.json', discoveryContent({}));
    await chmod(folder, 0o770);
    assert.deepEqual(await outcomes(), { windows: 'widerMode' });
    await chmod(folder, 0o700);
    const other = path.join(home, 'other');
    await mkdir(other);
    await symlink(folder, path.join(other, 'windows'));
    assert.deepEqual(await findWindows(other, us), { windows: [], refused: [{ file: path.join(other, 'windows'), why: 'symbolicLink' }] });
  });

  onPosix('knows a workspace folder also by its real path', async () => {
    const link = path.join(home, 'link');
    await symlink(path.join(home, 'windows'), link);
    await write('good.json', discoveryContent({ workspaceFolders: [{ name: 'link', path: link, uri: `file://${link}` }] }));
    const { windows } = await findWindows(home, us);
    assert.deepEqual(windows[0]?.roots, [link, path.join(home, 'windows')]);
  });
});

describe('The folder of Duplex', () => {
  it('is the variable if that is an absolute path, else in the home folder', () => {
    const standard = path.join('/home/me', '.duplex');
    assert.equal(duplexHome(undefined, '/home/me'), standard);
    assert.equal(duplexHome('', '/home/me'), standard);
    assert.equal(duplexHome('relative/place', '/home/me'), standard);
    assert.equal(duplexHome('/other/place', '/home/me'), path.resolve('/other/place'));
  });
});
