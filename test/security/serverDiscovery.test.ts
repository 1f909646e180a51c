import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import { DiscoveryPublisher } from '../../src/server/window/discovery.ts';

const content: DiscoveryFile = {
  version: 1,
  pid: process.pid,
  startedAt: '2026-01-01T00:00:00.000Z',
  machine: 'here',
  host: '127.0.0.1',
  port: 1,
  token: 'secret',
  urls: { mcp: '', sse: '', ws: '' },
  workspaceFolders: [],
  name: '',
};

describe('the discovery file', () => {
  let folder: string;
  let home: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplex-discovery-'));
    home = join(folder, 'home');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const modeOf = async (path: string): Promise<string> => ((await lstat(path)).mode & 0o777).toString(8);

  it('can be read by its user only, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const publisher = new DiscoveryPublisher(home, silentLog);
      await publisher.publish(content);
      assert.deepEqual([await modeOf(home), await modeOf(join(home, 'windows')), await modeOf(publisher.path)], ['700', '700', '600']);
    } finally {
      process.umask(before);
    }
  });

  it('narrows a folder of ours that stood open', async () => {
    await mkdir(join(home, 'windows'), { recursive: true });
    await chmod(home, 0o777);
    await chmod(join(home, 'windows'), 0o755);
    await new DiscoveryPublisher(home, silentLog).publish(content);
    assert.deepEqual([await modeOf(home), await modeOf(join(home, 'windows'))], ['700', '700']);
  });

  for (const planted of ['home', 'windows']) {
    it(`is not written through a symbolic link planted for ${planted}`, async () => {
      const elsewhere = join(folder, 'elsewhere');
      await mkdir(elsewhere);
      if (planted === 'home') {
        await symlink(elsewhere, home);
      } else {
        await mkdir(home);
        await symlink(elsewhere, join(home, 'windows'));
      }
      await assert.rejects(new DiscoveryPublisher(home, silentLog).publish(content), { code: 'server.discovery.unsafeFolder' });
      assert.deepEqual(
        (await readdir(elsewhere, { recursive: true })).filter((name) => name.endsWith('.json')),
        [],
      );
    });
  }

  it('replaces a planted symbolic link instead of following it', async () => {
    const publisher = new DiscoveryPublisher(home, silentLog);
    const victim = join(folder, 'victim');
    await writeFile(victim, 'untouched');
    await mkdir(join(home, 'windows'), { recursive: true });
    await symlink(victim, publisher.path);
    await publisher.publish(content);
    assert.deepEqual([await readFile(victim, 'utf8'), (await lstat(publisher.path)).isFile()], ['untouched', true]);
  });

  it('leaves nothing behind but itself, and nothing once removed', async () => {
    const publisher = new DiscoveryPublisher(home, silentLog);
    await Promise.all([publisher.publish(content), publisher.publish({ ...content, name: 'last' })]);
    const windows = join(home, 'windows');
    assert.deepEqual(
      (await readdir(windows)).map((name) => join(windows, name)),
      [publisher.path],
    );
    assert.equal((JSON.parse(await readFile(publisher.path, 'utf8')) as DiscoveryFile).name, 'last');
    const late = publisher.publish(content);
    publisher.removeSync();
    await late;
    assert.deepEqual(await readdir(windows), []);
  });

  it('files of dead windows of this machine are cleaned, all others left alone', async () => {
    const publisher = new DiscoveryPublisher(home, silentLog);
    await publisher.publish(content);
    const windows = join(home, 'windows');
    const { pid: deadPid } = spawnSync(process.execPath, ['-e', '']);
    const files: Record<string, string> = {
      'dead.json': JSON.stringify({ ...content, pid: deadPid }),
      'living.json': JSON.stringify(content),
      'elsewhere.json': JSON.stringify({ ...content, pid: deadPid, machine: 'there' }),
      'broken.json': '{',
      'other.txt': '',
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(windows, name), text);
    }
    await symlink(join(windows, 'dead.json'), join(windows, 'link.json'));
    await publisher.cleanUp('here');
    const left = (await readdir(windows)).filter((name) => join(windows, name) !== publisher.path).sort();
    assert.deepEqual(left, ['broken.json', 'elsewhere.json', 'link.json', 'living.json', 'other.txt']);
  });
});
