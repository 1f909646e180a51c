import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { openBox } from '../../../../src/host/box/boxTools.ts';
import { mountsOf, type Mount } from '../../../../src/host/box/bubblewrap.ts';
import { seatbeltEnvironment, seatbeltProfile, withOwnFolder } from '../../../../src/host/box/seatbelt.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { Profile, type Act } from './profileReader.ts';

const scratch = '/Users/me/Library/Application Support/Code/User/globalStorage/duplex/boxes/1';
const code = '/Users/me/code';
const read = (from: string, at = from): Mount => ({ kind: 'read', from, at });
const write = (from: string): Mount => ({ kind: 'write', from, at: from });
const profileOf = (...mounts: readonly Mount[]): Profile => new Profile(seatbeltProfile({ mounts, scratch, ports: [50123, 5432] }));

/** Which of the acts the profile allows. */
function allowed(profile: Profile, operation: string, ...paths: readonly string[]): readonly string[] {
  return paths.filter((place) => profile.allows({ operation, path: place }));
}

describe('The profile of a box on macOS', () => {
  it('denies whatever it does not name, and begins with that', () => {
    const profile = profileOf(read(code));
    assert.deepEqual(profile.rules.slice(0, 2), [
      ['version', '1'],
      ['deny', 'default'],
    ]);
    const others = ['mach-register', 'appleevent-send', 'lsopen', 'job-creation', 'iokit-open', 'network-bind', 'file-link', 'nvram-set'];
    assert.deepEqual(
      others.filter((operation) => profile.allows({ operation })),
      [],
    );
  });

  it('lets the places of the plan be read and run, its own folder be written, and nothing else of the person', () => {
    const profile = profileOf(read(code));
    const places = [`${code}/a`, `${scratch}/x`, '/usr/lib/libSystem.B.dylib', '/opt/homebrew/bin/node', '/private/etc/hosts'];
    for (const operation of ['file-read-data', 'file-read-metadata', 'process-exec', 'file-map-executable']) {
      assert.deepEqual(allowed(profile, operation, ...places), places, operation);
    }
    const closed = [
      '/Users/me/.ssh/id',
      '/Users/me/code2/x',
      '/Users/other/x',
      '/private/tmp/x',
      '/Volumes/disk/x',
      '/private/etc/sudoers',
    ];
    const elsewhere = [`${path.dirname(scratch)}/2/x`, `/System/Volumes/Data${code}/../.ssh/id`, '/usr/local/var/postgres/x', '/dev/disk0'];
    for (const operation of ['file-read-data', 'file-read-metadata', 'process-exec', 'file-write-create', 'file-write-data']) {
      assert.deepEqual(allowed(profile, operation, ...closed, ...elsewhere), [], operation);
    }
    assert.deepEqual(allowed(profile, 'file-write-create', ...places), [`${scratch}/x`]);
    assert.deepEqual(allowed(profile, 'file-write-setugid', `${scratch}/x`), []);
  });

  it('lets folders on the way be passed, and not be listed', () => {
    const profile = profileOf(read(code));
    const way = ['/Users', '/Users/me', path.dirname(scratch)];
    assert.deepEqual(allowed(profile, 'file-read-metadata', ...way), way);
    assert.deepEqual(allowed(profile, 'file-read-data', ...way), []);
  });

  it('hides what is secret in a place, also from being renamed, and keeps a narrow place in a wide one as it is', () => {
    const home = '/Users/me';
    const hidden: readonly Mount[] = [{ kind: 'hiddenFolder', at: `${home}/.config/gcloud` }];
    const profile = profileOf(write(home), read(`${home}/done`), ...hidden);
    assert.deepEqual(allowed(profile, 'file-read-data', `${home}/.config/gcloud/key`, `${home}/.config/x`), [`${home}/.config/x`]);
    assert.deepEqual(
      allowed(profile, 'file-write-unlink', `${home}/.config`, `${home}/.config/gcloud`, `${home}/done/x`, `${home}/notes`),
      [`${home}/notes`],
    );
    assert.deepEqual(allowed(profile, 'file-read-data', `${home}/done/x`), [`${home}/done/x`]);
    // The folder of boxes is secret, too, and the own one lies in it.
    const nested = profileOf(read(home), { kind: 'hiddenFolder', at: path.dirname(scratch) });
    assert.deepEqual(allowed(nested, 'file-write-create', `${scratch}/x`, `${path.dirname(scratch)}/2/x`), [`${scratch}/x`]);
  });

  it('reaches the proxy and the named ports of this machine, and no socket but its own', () => {
    const profile = profileOf(read(code));
    const out = (act: Omit<Act, 'operation'>): boolean => profile.allows({ operation: 'network-outbound', ...act });
    assert.deepEqual(
      ['localhost:50123', 'localhost:5432', 'localhost:22', '*:443', '169.254.169.254:80'].map((remote) => out({ remote })),
      [true, true, false, false, false],
    );
    const sockets = [`${scratch}/s`, `${code}/s`, '/private/var/run/docker.sock', '/private/tmp/com.apple.launchd.x/Listeners'];
    assert.deepEqual(
      sockets.map((socket) => out({ socket })),
      [true, false, false, false],
    );
    assert.equal(profile.allows({ operation: 'network-inbound', remote: 'localhost:50123' }), false);
  });

  it('asks one service of the system, about names of users, and learns nothing of other processes', () => {
    const profile = profileOf(read(code));
    const services = [
      'com.apple.system.opendirectoryd.libinfo',
      'com.apple.SecurityServer',
      'com.apple.securityd.xpc',
      'com.apple.pasteboard.1',
    ];
    assert.deepEqual(
      services.filter((name) => profile.allows({ operation: 'mach-lookup', name })),
      services.slice(0, 1),
    );
    const facts = ['hw.ncpu', 'kern.osrelease', 'kern.proc.all', 'kern.procargs2.1'];
    assert.deepEqual(
      facts.filter((name) => profile.allows({ operation: 'sysctl-read', name })),
      facts.slice(0, 2),
    );
  });

  it('takes a path as that text and nothing more, whatever characters it has', () => {
    const odd = [
      '/Users/me/a"))(allow default)(deny x (literal "',
      '/Users/me/b\\',
      '/Users/me/c\\"d',
      '/Users/me/(.*)',
      '/Users/me/e ; f',
      '/Users/me/ü',
    ];
    for (const place of odd) {
      const profile = profileOf(read(place));
      assert.deepEqual(allowed(profile, 'file-read-data', `${place}/x`, '/Users/me/x', '/Users/me/.ssh/id'), [`${place}/x`], place);
      assert.equal(profile.allows({ operation: 'mach-register' }), false);
    }
    assert.ok(!seatbeltProfile({ mounts: odd.map((each) => read(each)), scratch, ports: [] }).includes('regex'));
    for (const place of ['/Users/me/a\nb', '/Users/me/a\0b', '/Users/me/a\u007f']) {
      assert.throws(() => seatbeltProfile({ mounts: [read(place)], scratch, ports: [] }), /control characters/);
    }
  });

  it('has the real places where the plan names links, and the person’s disk by its usual name', () => {
    const profile = profileOf(read('/private/tmp/demo', '/tmp/demo'), read('/System/Volumes/Data/Users/me/x'));
    assert.deepEqual(allowed(profile, 'file-read-data', '/private/tmp/demo/a', '/Users/me/x/a', '/private/tmp/other'), [
      '/private/tmp/demo/a',
      '/Users/me/x/a',
    ]);
    assert.deepEqual(allowed(profile, 'file-read-metadata', '/tmp', '/private/tmp'), ['/tmp', '/private/tmp']);
  });
});

describe('What is started in a box on macOS', () => {
  it('has its own folder for what other systems call /box, a home and a proxy, and no variable that reaches outside', () => {
    assert.deepEqual(
      ['/box', '/box/memory.json', '--out=/box/o', '/boxes', 'x/box/y', '/mnt/box'].map((text) => withOwnFolder(text, '/own')),
      ['/own', '/own/memory.json', '--out=/own/o', '/boxes', 'x/box/y', '/mnt/box'],
    );
    const given = { HOME: '/Users/me', FILE: '/box/a', DYLD_INSERT_LIBRARIES: 'x', MallocLogFile: 'x', TOKEN: 't', CF_API_TOKEN: 'c' };
    const env = seatbeltEnvironment(given, { scratch: '/own', proxy: 'http://duplex:p@127.0.0.1:1' });
    const { HOME, FILE, TMPDIR, TOKEN, CF_API_TOKEN, HTTPS_PROXY, DYLD_INSERT_LIBRARIES, MallocLogFile } = env as Record<string, string>;
    assert.deepEqual(
      [HOME, FILE, TMPDIR, TOKEN, CF_API_TOKEN, HTTPS_PROXY, DYLD_INSERT_LIBRARIES, MallocLogFile],
      ['/own', '/own/a', '/own/tmp', 't', 'c', 'http://duplex:p@127.0.0.1:1', undefined, undefined],
    );
  });

  it('is the program with its arguments, behind a profile of real paths, and a proxy that wants its password', async () => {
    const home = createTemporaryFolder();
    mkdirSync(path.join(home, 'real/code'), { recursive: true });
    mkdirSync(path.join(home, 'own'));
    symlinkSync(path.join(home, 'real'), path.join(home, 'link'));
    const place = path.join(home, 'link/code');
    const plan = { read: [{ path: place, shown: place }], write: [], hosts: [], notApplied: [], cwd: '/box', isFetched: false };
    const content = {
      mounts: await mountsOf(plan, { userHome: home, secret: [], env: {} }),
      scratch: path.join(home, 'own'),
      command: '/usr/bin/node',
      args: ['$(x)', '/box/a'],
    };
    const refused: string[] = [];
    const run = { ...content, env: { A: 'b' }, cwd: '/box', hosts: ['localhost:5432'], onRefused: (host: string) => refused.push(host) };
    const box = await openBox(run, { kind: 'seatbelt', sandbox: '/usr/bin/sandbox-exec' });
    try {
      const { command, args, cwd, env } = box.spec;
      assert.deepEqual([command, args[0], ...args.slice(2)], ['/usr/bin/sandbox-exec', '-p', '/usr/bin/node', '$(x)', `${home}/own/a`]);
      const profile = new Profile(args[1] ?? '');
      assert.deepEqual(allowed(profile, 'file-read-data', `${home}/real/code/x`, `${home}/real/x`), [`${home}/real/code/x`]);
      const ports = ['localhost:5432', `localhost:${box.proxy.port}`];
      assert.deepEqual(
        ports.filter((remote) => profile.allows({ operation: 'network-outbound', remote })),
        ports,
      );
      assert.equal(cwd, path.join(home, 'own'));
      const ask = async (authorization?: string): Promise<number> => {
        const { request } = await import('node:http');
        const headers = authorization === undefined ? {} : { 'proxy-authorization': authorization };
        return new Promise((resolve, reject) => {
          const where = { host: '127.0.0.1', port: box.proxy.port, path: 'http://wanted.example/', headers, agent: false };
          request(where, (answer) => resolve(answer.resume().statusCode ?? 0))
            .on('error', reject)
            .end();
        });
      };
      const { username, password } = new URL(env['HTTP_PROXY'] ?? '');
      const right = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      assert.deepEqual([await ask(), await ask('Basic eDp5'), await ask(right), refused], [407, 407, 403, ['wanted.example']]);
    } finally {
      box.close();
    }
  });
});
