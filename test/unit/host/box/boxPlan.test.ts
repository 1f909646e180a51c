import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { planBox, type BoxSurroundings } from '../../../../src/host/box/boxPlan.ts';
import { bubblewrapOptions, boxedCommand, mountsOf } from '../../../../src/host/box/bubblewrap.ts';
import { npmSource, readNpx } from '../../../../src/host/box/fetchedPackages.ts';
import { readUvx, uvSource } from '../../../../src/host/box/uvPackages.ts';
import type { PreparedLaunch } from '../../../../src/definitions/prepareLaunch.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const plain = (value: string): PreparedLaunch['command'] => ({ value, shown: value, variables: [], inputs: [] });

function launchOf(more: Partial<PreparedLaunch> = {}, raw: object = {}): PreparedLaunch {
  const definition = { id: 'x', name: 'x', label: 'x', scope: 'user', folder: undefined, location: '', inputs: [], kind: 'stdio' };
  return {
    definition: { ...definition, raw: { command: 'node', ...raw } },
    command: plain('node'),
    executable: '/usr/bin/node',
    args: [],
    cwd: '/home/me/code',
    sandbox: undefined,
    env: {},
    ...more,
  } as unknown as PreparedLaunch;
}

const around: BoxSurroundings = {
  folders: ['/home/me/code'],
  userHome: '/home/me',
  realExecutable: '/usr/bin/node',
  isOfRepository: false,
  allowedHosts: [],
  runtimes: [],
};
const paths = (places: readonly { readonly path: string }[]): readonly string[] => places.map((place) => place.path);

describe('The plan of a box', () => {
  it('is the workspace and no network, for a program of the system', () => {
    assert.deepEqual(planBox(launchOf(), around), {
      read: [{ path: '/home/me/code', shown: '/home/me/code' }],
      write: [],
      hosts: [],
      notApplied: [],
      cwd: '/home/me/code',
      isFetched: false,
    });
  });

  it('has what the person’s own definition adds, with the names of variables', () => {
    const sandbox = {
      read: [plain('../shared'), { value: '/data/x', shown: '${env:DATA}', variables: ['DATA'], inputs: [] }],
      write: [plain('out')],
      network: [plain('API.example.com')],
    };
    const plan = planBox(launchOf({ sandbox }), { ...around, allowedHosts: ['b.example.com', 'api.example.com'] });
    assert.deepEqual(plan.read.slice(1), [
      { path: '/home/me/shared', shown: '/home/me/shared' },
      { path: '/data/x', shown: '${env:DATA}' },
    ]);
    assert.deepEqual(paths(plan.write), ['/home/me/code/out']);
    assert.deepEqual(plan.hosts, ['api.example.com', 'b.example.com']);
  });

  it('has nothing that a repository’s definition adds, but the hosts that the person allowed', () => {
    const sandbox = { read: [plain('/home/me')], write: [plain('.')], network: [plain('*')] };
    const plan = planBox(launchOf({ sandbox }), { ...around, isOfRepository: true, allowedHosts: ['ok.example'] });
    assert.deepEqual(paths(plan.read), ['/home/me/code']);
    assert.deepEqual([plan.write, plan.hosts], [[], ['ok.example']]);
    assert.deepEqual(plan.notApplied, ['read: /home/me', 'write: .', 'network: *']);
  });

  it('has the installation of a program that was found on the PATH, and never the home folder for it', () => {
    const found = (executable: string, real = executable): readonly string[] =>
      paths(planBox(launchOf({ executable }), { ...around, realExecutable: real }).read).slice(1);
    assert.deepEqual(found('/home/me/.nvm/versions/node/v22/bin/node'), ['/home/me/.nvm/versions/node/v22']);
    assert.deepEqual(found('/home/me/.local/bin/tool', '/home/me/.local/share/tool/bin/tool'), [
      '/home/me/.local/bin/tool',
      '/home/me/.local/share/tool',
    ]);
    assert.deepEqual(found('/home/me/bin/tool'), ['/home/me/bin/tool']);
    assert.deepEqual(found('/bin/tool', '/usr/bin/tool'), []);
  });

  it('has the program alone where a repository names it by a path', () => {
    const executable = '/home/me/other/bin/tool';
    const named = launchOf({ executable, command: plain(executable) });
    const read = (isOfRepository: boolean): readonly string[] =>
      paths(planBox(named, { ...around, realExecutable: executable, isOfRepository }).read).slice(1);
    assert.deepEqual([read(true), read(false)], [[executable], ['/home/me/other']]);
  });

  it('starts in its own folder where the working folder is not in the box', () => {
    assert.equal(planBox(launchOf({ cwd: '/home/me' }), around).cwd, '/box');
    assert.equal(planBox(launchOf({ cwd: '/home/me/x' }, { cwd: '/home/me/x' }), around).cwd, '/home/me/x');
    assert.equal(planBox(launchOf({ cwd: '/home/me/x' }, { cwd: '/home/me/x' }), { ...around, isOfRepository: true }).cwd, '/box');
  });
});

describe('The places of a box', () => {
  const home = createTemporaryFolder();
  const closed = { userHome: home, secret: [], env: {} };
  const make = (folder: string): string => {
    mkdirSync(path.join(home, folder), { recursive: true });
    return path.join(home, folder);
  };
  const plan = (read: readonly string[], write: readonly string[] = []): Parameters<typeof mountsOf>[0] => ({
    read: read.map((each) => ({ path: each, shown: each })),
    write: write.map((each) => ({ path: each, shown: each })),
    hosts: [],
    notApplied: [],
    cwd: '/',
    isFetched: false,
  });

  it('hide what is secret in the home folder and where links lead to it', async () => {
    make('.ssh');
    make('code');
    writeFileSync(path.join(home, '.netrc'), 'x');
    symlinkSync(path.join(home, '.ssh'), path.join(home, 'code/keys'));
    assert.deepEqual(await mountsOf(plan([home]), closed), [
      { kind: 'read', from: home, at: home },
      { kind: 'hiddenFolder', at: path.join(home, '.ssh') },
      { kind: 'hiddenFile', at: path.join(home, '.netrc') },
    ]);
    assert.deepEqual(await mountsOf(plan([path.join(home, 'code/keys'), path.join(home, '.ssh')]), closed), []);
  });

  it('leave out the root, the sockets of the system and what is not there', async () => {
    assert.deepEqual(await mountsOf(plan(['/', '/run', '/var', '/proc', '/tmp', path.join(home, 'missing')]), closed), []);
  });

  it('come with the wide ones first, so that a narrow one keeps its rights', async () => {
    const out = make('code/out');
    const code = path.join(home, 'code');
    assert.deepEqual(
      (await mountsOf(plan([code], [out]), closed)).map(({ kind, at }) => [kind, at]),
      [
        ['read', code],
        ['write', out],
      ],
    );
  });
});

describe('The options of bubblewrap', () => {
  const run = {
    mounts: [
      { kind: 'read' as const, from: '/real/code', at: '/code' },
      { kind: 'write' as const, from: '/out', at: '/out' },
      { kind: 'hiddenFolder' as const, at: '/code/.ssh' },
      { kind: 'hiddenFile' as const, at: '/code/.netrc' },
    ],
    scratch: '/data/boxes/1',
    sockets: '/tmp/duplex-box-1',
    ports: [5432],
    socat: '/usr/bin/socat',
    command: '/usr/bin/node',
    args: ['$(touch x)', '--flag'],
    env: { TOKEN: 'secret', HOME: '/home/me', LD_PRELOAD: '/x.so' },
    cwd: '/code',
  };

  it('unshare everything, drop every right and end with the window', () => {
    const options = bubblewrapOptions(run);
    assert.deepEqual(options.slice(0, 5), ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL']);
    assert.ok(!options.includes('--share-net'));
  });

  it('bind the places in their order, hide the secret ones last and close the root', () => {
    const text = bubblewrapOptions(run).join(' ');
    const order = [
      '--ro-bind-try /usr /usr',
      '--tmpfs /tmp',
      '--bind /data/boxes/1 /box',
      '--ro-bind /tmp/duplex-box-1 /run/duplex',
      '--ro-bind /real/code /code --bind /out /out',
      '--tmpfs /code/.ssh --remount-ro /code/.ssh',
      '--ro-bind /dev/null /code/.netrc',
      '--remount-ro / --clearenv --setenv TOKEN secret --setenv HOME /box',
      '--chdir /code',
    ].map((part) => text.indexOf(part));
    assert.deepEqual(
      order,
      [...order].sort((one, other) => one - other),
    );
    assert.ok(!order.includes(-1), JSON.stringify(order));
    assert.ok(!/ \/(?:etc|home|root|var|run) /.test(text.replace(/--ro-bind \/tmp\/duplex-box-1 \/run\/duplex/, '')));
  });

  it('have no text of the definition in the line of the shell', () => {
    const [shell, flag, line = '', ...rest] = boxedCommand(run);
    assert.deepEqual([shell, flag, ...rest], ['/bin/sh', '-c', '/usr/bin/node', '$(touch x)', '--flag']);
    assert.ok(line.endsWith('exec "$0" "$@"'));
    assert.ok(line.includes('TCP4-LISTEN:5432,bind=127.0.0.1') && !line.includes('touch'));
  });
});

describe('What npx runs', () => {
  it('is read out of its arguments, or not at all', () => {
    assert.deepEqual(readNpx(['-y', '@scope/server@1.2.3', '--flag'])?.packages, ['@scope/server@1.2.3']);
    assert.deepEqual(readNpx(['--package=a', '-p', 'b@^2', '--', 'run'])?.packages, ['a', 'b@^2']);
    const others = [
      ['--call', 'x'],
      ['./folder'],
      ['git+https://x.example/y'],
      ['https://x.example/y.tgz'],
      ['-y'],
      ['--userconfig=x', 'a'],
      ['../a'],
    ];
    assert.deepEqual(
      others.map((args) => readNpx(args)),
      others.map(() => undefined),
    );
  });

  it('is fetched without running it, and once where its version is exact', () => {
    assert.deepEqual(readNpx(['a@1.0.0'])?.args, ['--yes', '--package=a@1.0.0', '--', 'node', '--version']);
    assert.deepEqual(
      ['a@1.0.0', 'a', 'a@latest', 'a@^1.0.0', '@a/b@1.0.0-rc.1'].map((name) => readNpx([name])?.isExact),
      [true, false, false, false, true],
    );
  });

  it('comes from the person’s registry, of whose file only the address is read', async () => {
    const home = createTemporaryFolder();
    const usual = await npmSource({}, home);
    writeFileSync(path.join(home, '.npmrc'), '//npm.example/:_authToken=secret\nregistry=https://me:pass@npm.example:8443/x/\n');
    const own = await npmSource({}, home);
    assert.deepEqual([usual.hosts, own.url, own.hosts], [['registry.npmjs.org:443'], 'https://npm.example:8443/x/', ['npm.example:8443']]);
  });
});

describe('What uvx fetches', () => {
  it('is read out of its arguments, or not at all', () => {
    const packages = (...args: readonly string[]): unknown => readUvx(args)?.packages;
    assert.deepEqual(
      [
        packages('mcp-server-git', '--repository', '/x'),
        packages('-q', 'tool@1.2', '--from', 'other'),
        packages('--from', 'tool[cli]>=1,<2', '--with=extra==3.*', 'run'),
        packages('--python', '3.12', 'tool'),
      ],
      [['mcp-server-git'], ['tool==1.2'], ['tool[cli]>=1,<2', 'extra==3.*'], ['tool']],
    );
    const others = [
      ['--index', 'https://x.example', 'tool'],
      ['--from', 'git+https://x.example/y', 'tool'],
      ['--from', './folder', 'tool'],
      ['tool@latest'],
      ['tool@git+https://x.example/y'],
      ['script.py'],
      ['--python', '/home/me/python', 'tool'],
      ['--from', 'tool'],
      [],
    ];
    assert.deepEqual(
      others.map((args) => readUvx(args)),
      others.map(() => undefined),
    );
  });

  it('is fetched without running it, and once where its version is exact', () => {
    assert.deepEqual(readUvx(['--with', 'extra', '-p', '3.12', 'tool@1.2', '--stdio'])?.args, [
      ...['--python', '3.12', '--with', 'extra', '--from', 'tool==1.2', 'python', '--version'],
    ]);
    assert.deepEqual(
      ['tool@1.2', 'tool==1.2.post1', 'tool', 'tool>=1', 'tool==1.*'].map((name) => readUvx([name])?.isExact),
      [true, true, false, false, false],
    );
  });

  it('comes from the person’s index, and then from the cache alone', () => {
    const usual = uvSource({}, []);
    const own = uvSource({ UV_DEFAULT_INDEX: 'https://me:pass@pypi.example/simple' }, ['/home/me/.local/share/uv/python']);
    assert.deepEqual([usual.hosts, own.hosts], [['pypi.org:443', 'files.pythonhosted.org:443'], ['pypi.example:443']]);
    assert.deepEqual(own.variables(true), {
      UV_CACHE_DIR: '/box/uv',
      UV_TOOL_DIR: '/box/uv-tools',
      UV_NO_CONFIG: '1',
      UV_DEFAULT_INDEX: 'https://pypi.example/simple',
      UV_PYTHON_DOWNLOADS: 'never',
      UV_PYTHON_INSTALL_DIR: '/home/me/.local/share/uv/python',
      UV_OFFLINE: '1',
    });
    assert.equal(usual.variables(false)['UV_OFFLINE'], undefined);
  });

  it('is run with the program beside uvx, and with the interpreters that uv installed', () => {
    const executable = '/home/me/.local/bin/uvx';
    const runtimes = ['/home/me/.local/share/uv/python'];
    const plan = planBox(launchOf({ executable, command: plain('uvx') }), { ...around, realExecutable: executable, runtimes });
    assert.deepEqual(paths(plan.read).slice(1), [executable, '/home/me/.local/bin/uv', ...runtimes]);
    assert.equal(plan.isFetched, true);
    const named = launchOf({ executable, command: plain(executable) });
    assert.deepEqual(paths(planBox(named, { ...around, realExecutable: executable, isOfRepository: true }).read).slice(1), [executable]);
  });
});
