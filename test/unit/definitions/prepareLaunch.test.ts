import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppError } from '../../../src/base/errors.ts';
import { childEnvironment, isDangerousVariable } from '../../../src/definitions/childEnvironment.ts';
import { prepareLaunch, type LaunchContext, type PreparedLaunch } from '../../../src/definitions/prepareLaunch.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

const folder = createTemporaryFolder();
const other = createTemporaryFolder();
const context: LaunchContext = {
  folders: [
    { name: 'shop', path: folder },
    { name: 'other', path: other },
  ],
  userHome: '/home/me',
  env: { HOME: '/home/me', LANG: 'C', SECRET: 's3cret', GITHUB_TOKEN: 'ghp_x', EMPTY: '' },
  platform: process.platform,
  path: path.dirname(process.execPath),
  isPathFinal: true,
};

async function prepare(definition: object, changes: Partial<LaunchContext> = {}): Promise<PreparedLaunch> {
  const [read] = readDefinitions([{ scope: 'user', value: { demo: definition }, location: 'user settings' }]).definitions;
  assert.ok(read?.kind === 'stdio');
  return prepareLaunch(read, { ...context, ...changes });
}

async function failure(definition: object, changes: Partial<LaunchContext> = {}): Promise<AppError> {
  return prepare(definition, changes).then(
    () => assert.fail('It should fail.'),
    (error: unknown) => error as AppError,
  );
}

describe('A launch', () => {
  it('has every variable expanded, and the values of the environment kept from sight', async () => {
    const launch = await prepare({
      command: 'node',
      args: ['${workspaceFolder}/a', '${workspaceFolder:other}/b', '${userHome}', '--key=${env:SECRET}', '${env:UNSET}'],
      env: { TOKEN: '${env:SECRET}', COUNT: 3, GONE: null },
    });
    assert.deepEqual(
      launch.args.map((each) => each.value),
      [`${folder}/a`, `${other}/b`, '/home/me', '--key=s3cret', ''],
    );
    assert.deepEqual(
      launch.args.map((each) => each.shown),
      [`${folder}/a`, `${other}/b`, '/home/me', '--key=${env:SECRET}', '${env:UNSET}'],
    );
    assert.equal(launch.configuredEnv['TOKEN']?.shown, '${env:SECRET}');
    assert.equal(launch.executable, path.join(path.dirname(process.execPath), 'node'));
    assert.equal(launch.cwd, folder);
    assert.deepEqual(launch.env, { HOME: '/home/me', LANG: 'C', PATH: context.path, TOKEN: 's3cret', COUNT: '3' });
  });

  it('never expands what a variable expanded to', async () => {
    const launch = await prepare({ command: 'node', args: ['${env:TRICK}'] }, { env: { TRICK: '${env:SECRET}$(id)`id`', SECRET: 'x' } });
    assert.equal(launch.args[0]?.value, '${env:SECRET}$(id)`id`');
  });

  it('fails with a code for what it cannot expand', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ command: 'node', args: ['${file}'] }, 'definitions.unknownVariable'],
      [{ command: 'node', args: ['${workspaceFolder:nope}'] }, 'definitions.unknownFolder'],
      [{ command: 'node', cwd: 'nope' }, 'definitions.noWorkingFolder'],
      [{ command: 'node', envFile: 'nope.env' }, 'definitions.envFileUnreadable'],
      [{ command: 'node', env: { 'A=B': 'x' } }, 'definitions.badVariableName'],
      [{ command: 'node', args: ['a\0b'] }, 'definitions.zeroByte'],
      [{ command: 'no-such-program' }, 'definitions.commandNotFound'],
      [{ command: './no-such-program' }, 'definitions.fileNotFound'],
    ];
    const codes = await Promise.all(cases.map(async ([definition]) => (await failure(definition)).code));
    assert.deepEqual(
      codes,
      cases.map(([, code]) => code),
    );
    assert.equal(
      (await failure({ command: 'node', args: ['${workspaceFolder}'] }, { folders: [], userHome: folder })).code,
      'definitions.noFolder',
    );
  });

  it('looks at nothing on another machine for what is not in the person’s own settings', async () => {
    const inWorkspace = (definition: object, changes: Partial<LaunchContext>): Promise<string> => {
      const source = { scope: 'workspace', workspace: folder, value: { demo: definition }, location: 'workspace settings' } as const;
      const [read] = readDefinitions([source]).definitions;
      assert.ok(read?.kind === 'stdio');
      return prepareLaunch(read, { ...context, ...changes }).then(
        () => 'prepared',
        (error: unknown) => (error as AppError).code,
      );
    };
    const share = String.raw`\\evil.example\share`;
    for (const definition of [
      { command: `${share}\\tool.exe` },
      { command: '//evil.example/share/tool.exe' },
      { command: String.raw`\\?\UNC\evil.example\share\tool.exe` },
      { command: 'node', cwd: share },
      { command: 'node', envFile: `${share}\\.env` },
      { command: 'node', env: { Path: `C:\\tools;${share}` } },
    ]) {
      assert.equal(await inWorkspace(definition, { platform: 'win32' }), 'definitions.otherMachine', JSON.stringify(definition));
      assert.notEqual((await failure(definition, { platform: 'win32' })).code, 'definitions.otherMachine', 'people may');
    }
    const homes = [{ name: 'shop', path: `${share}\\shop` }];
    assert.notEqual(
      await inWorkspace({ command: `${share}\\tool.exe` }, { platform: 'win32', folders: homes }),
      'definitions.otherMachine',
    );
    for (const definition of [{ command: '/net/evil.example/tool' }, { command: 'node', cwd: '/net/evil.example' }]) {
      assert.equal(await inWorkspace(definition, { platform: 'linux' }), 'definitions.otherMachine');
    }
  });

  it('looks at nothing on another machine that a way up, a link or an envFile leads to', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await mkdir(path.join(folder, 'linkedBin'), { recursive: true });
    await symlink('/net/evil.example/x', path.join(folder, 'link'));
    await symlink('link/deeper', path.join(folder, 'linkToLink'));
    await symlink('/net/evil.example/tool', path.join(folder, 'linkedBin', 'tool'));
    await symlink('ring', path.join(folder, 'ring'));
    await writeFile(path.join(folder, 'path.env'), 'PATH=/net/evil.example/bin\n');
    const up = path.relative(folder, '/net/evil.example/x');
    const codeOf = (definition: object, changes: Partial<LaunchContext> = {}): Promise<string> => {
      const source = { scope: 'workspace', workspace: folder, value: { demo: definition }, location: 'workspace settings' } as const;
      const [read] = readDefinitions([source]).definitions;
      assert.ok(read?.kind === 'stdio');
      return prepareLaunch(read, { ...context, ...changes }).then(
        () => 'prepared',
        (error: unknown) => (error as AppError).code,
      );
    };
    for (const definition of [
      { command: 'node', cwd: up },
      { command: 'node', cwd: '/tmp/../net/evil.example/x' },
      { command: 'node', cwd: 'link' },
      { command: `./${up}` },
      { command: './linkToLink/tool' },
      { command: 'node', envFile: './link' },
      { command: 'node', envFile: 'linkToLink' },
      { command: 'node', envFile: 'path.env' },
      { command: 'tool', env: { PATH: '${workspaceFolder}/linkedBin' } },
      { command: 'node', env: { PATH: '/usr/../net/evil.example' } },
    ]) {
      assert.equal(await codeOf(definition), 'definitions.otherMachine', JSON.stringify(definition));
      assert.notEqual((await failure(definition).catch(() => undefined))?.code, 'definitions.otherMachine', 'people may');
    }
    assert.equal(await codeOf({ command: 'node', envFile: 'ring' }), 'definitions.envFileUnreadable');
    const homes = [{ name: 'far', path: path.join(folder, 'link') }];
    assert.notEqual(
      await codeOf({ command: 'node', envFile: 'link' }, { folders: [...context.folders, ...homes] }),
      'definitions.otherMachine',
    );
  });

  it('that fails tells no value of the environment', async () => {
    const definitions = [
      { command: '${env:SECRET}' },
      { command: '${env:SECRET}/x' },
      { command: 'node', cwd: '${env:SECRET}' },
      { command: 'node', envFile: '${env:SECRET}' },
    ];
    for (const definition of definitions) {
      const error = await failure(definition);
      assert.ok(
        !`${error.message} ${JSON.stringify(error.args)} ${String(error.detail)} ${String(error.cause)}`.includes('s3cret'),
        error.message,
      );
    }
  });

  it('takes variables from the envFile, below the configured ones', async () => {
    await writeFile(path.join(folder, 'my.env'), '# comment\nA=from file\nB="two\nlines"\nexport C=3\n');
    const launch = await prepare({ command: 'node', envFile: '${workspaceFolder}/my.env', env: { A: 'configured' } });
    assert.deepEqual([launch.env['A'], launch.env['B'], launch.env['C']], ['configured', 'two\nlines', '3']);
    assert.match(launch.envFile?.hash ?? '', /^[\w-]{43}$/);
  });

  it('reads an envFile with a mark at its beginning, with tabs and with lines that are none', async () => {
    const text = '\uFEFFFIRST=1\n# comment\n\tTABBED=2\nheading\nTOKEN=x\nexport\tEXPORTED=3\n';
    await writeFile(path.join(folder, 'odd.env'), text);
    const launch = await prepare({ command: 'node', envFile: 'odd.env' });
    assert.deepEqual(launch.envFile?.variables, { FIRST: '1', TABBED: '2', TOKEN: 'x', EXPORTED: '3' });
    assert.deepEqual([launch.env['FIRST'], launch.env['TABBED'], launch.env['TOKEN'], launch.env['EXPORTED']], ['1', '2', 'x', '3']);
    for (const name of ['TWO WORDS', 'NODE\u200B_OPTIONS', 'A\u0007B', '\u202EHTAP']) {
      await writeFile(path.join(folder, 'odd.env'), `${name}=1\n`);
      assert.equal((await failure({ command: 'node', envFile: 'odd.env' })).code, 'definitions.badVariableName', JSON.stringify(name));
    }
  });

  it('leaves out the indented comments of an envFile, wherever they stand', async () => {
    const comments = '  # OLD KEY = xyz\n  #KEY=old\n\t# OTHER = "old"\n';
    await writeFile(path.join(folder, 'commented.env'), `TOKEN="abc"\n${comments}EMPTY=\n${comments}B=2\n\n${comments}C=3\n`);
    const launch = await prepare({ command: 'node', envFile: 'commented.env' });
    assert.deepEqual(launch.envFile?.variables, { TOKEN: 'abc', EMPTY: '', B: '2', C: '3' });
  });

  it('may wait for the login shell to know where its program is', async () => {
    assert.equal((await prepare({ command: 'no-such-program' }, { isPathFinal: false })).executable, undefined);
  });

  it('finds its program on a PATH of its own', async () => {
    const bin = path.join(folder, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'tool'), '#!/bin/sh\n');
    await chmod(path.join(bin, 'tool'), 0o755);
    const launch = await prepare({ command: 'tool', env: { PATH: '${workspaceFolder}/bin' } });
    assert.equal(launch.executable, path.join(bin, 'tool'));
  });
});

describe('The environment of a server', () => {
  it('is a short safe list, the PATH and what is configured', () => {
    const inherited = { HOME: '/h', AWS_SECRET_ACCESS_KEY: 'x', SHELL: '() { evil; }', npm_config_x: '1', HTTP_PROXY: 'http://u:p@h' };
    const env = childEnvironment({
      inherited,
      path: '/bin',
      fromFile: { A: 'f', B: 'f' },
      configured: { A: 'c', HOME: null },
      platform: 'linux',
    });
    assert.deepEqual(env, { PATH: '/bin', A: 'c', B: 'f' });
  });

  it('on Windows holds each variable once, whatever its case', () => {
    const env = childEnvironment({
      inherited: { SystemRoot: 'C:', Path: 'x' },
      path: 'P',
      fromFile: {},
      configured: { Path: 'Q' },
      platform: 'win32',
    });
    assert.deepEqual(env, { SystemRoot: 'C:', Path: 'Q' });
  });

  it('marks what lets foreign code in', () => {
    const dangerous = [
      'PATH',
      'Path',
      'NODE_OPTIONS',
      'NODE_PATH',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'PYTHONPATH',
      'BASH_ENV',
      'https_proxy',
    ];
    assert.deepEqual(
      dangerous.filter((name) => !isDangerousVariable(name)),
      [],
    );
    assert.deepEqual(['API_KEY', 'DEBUG', 'PATHS', 'NODE'].filter(isDangerousVariable), []);
  });
});
