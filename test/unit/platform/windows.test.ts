import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { findGit } from '../../../src/editor/workspace/git/gitProgram.ts';
import { findRipgrep } from '../../../src/editor/workspace/search/ripgrep.ts';
import { parseMatches } from '../../../src/editor/workspace/search/ripgrepOutput.ts';
import { ownFolder, readBounded } from '../../../src/platform/files/ownFiles.ts';
import { machineIdentity } from '../../../src/platform/machineIdentity.ts';
import { isOnAnotherMachine, linkedMachine } from '../../../src/platform/paths/pathReach.ts';
import { LoginShellPath } from '../../../src/platform/processes/loginShellPath.ts';
import { endTree, familyOf, killGroup, treeKiller, type TreeRoot } from '../../../src/platform/processes/processTree.ts';
import { referencePlaces } from '../../../src/views/chat/fileReferencePaths.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { onWindows } from './processes/support/onWindows.ts';
import { windowsDisk } from './processes/support/windowsDisk.ts';

const onPosix = process.platform === 'win32' ? it.skip : it;

describe('Where this program meets Windows', () => {
  const folder = createTemporaryFolder();

  onPosix('a process tree is ended by taskkill, once the process did not end with its input', async () => {
    // On this machine the path of Windows' program is one long name, which a stand-in on PATH can have.
    const bin = path.join(folder, 'bin');
    const told = path.join(folder, 'told.txt');
    await mkdir(bin);
    await writeFile(path.join(bin, treeKiller(0, {}).program), `#!/bin/sh\necho "$@" >> '${told}'\n`, { mode: 0o755 });
    const { PATH: own, SystemRoot: root } = process.env;
    process.env['PATH'] = `${bin}${path.delimiter}${own ?? ''}`;
    Reflect.deleteProperty(process.env, 'SystemRoot');
    try {
      let isClosed = false;
      const timing = { closeMs: 30, terminateMs: 0, killMs: 0 };
      const stubborn: TreeRoot = { pid: 4_711, marker: 'X=1', hasExited: false };
      assert.equal(await onWindows(() => endTree(stubborn, () => (isClosed = true), timing)), 0);
      assert.equal(isClosed, true);
      await onWindows(() => endTree({ ...stubborn, pid: 4_712, hasExited: true }, () => undefined, timing));
    } finally {
      process.env['PATH'] = own;
      if (root !== undefined) {
        process.env['SystemRoot'] = root;
      }
    }
    assert.equal(await readFile(told, 'utf8'), '/pid 4711 /T /F\n', 'a number that is free again is left alone');
  });

  it('no process group is signalled, and no list of processes is read', async () => {
    await onWindows(() => killGroup(process.pid));
    assert.deepEqual(await onWindows(() => familyOf({ pid: process.pid, marker: 'X=1', hasExited: false })), []);
  });

  it('PATH is the editor’s own: there is no login shell', async () => {
    const shell = new LoginShellPath({
      shell: '/bin/sh',
      home: folder,
      env: { Path: 'C:\\bin' },
      platform: 'win32',
      timeoutMs: 1_000,
      log: silentLog,
    });
    assert.equal(await shell.read(), 'C:\\bin');
  });

  it('Git is the one of PATH, never one of the repository', async () => {
    const at = (searchPath: string): Promise<string> =>
      findGit(
        { env: { Path: searchPath }, platform: 'win32' },
        windowsDisk({ 'C:\\git\\git.exe': '', 'C:\\bin\\git.cmd': '', 'C:\\git.exe': '' }),
      );
    assert.equal(await at('.;C:\\bin;C:\\git'), 'C:\\git\\git.exe');
    await assert.rejects(at('.;C:\\bin'), { code: 'git.missing' });
    assert.equal(await findGit({ env: {}, platform: 'linux' }), 'git');
  });

  it('ripgrep has an ending, and its paths have slashes', async () => {
    const bin = path.join(folder, 'node_modules', '@vscode', 'ripgrep', 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'rg.exe'), '', { mode: 0o755 });
    assert.equal(await onWindows(() => findRipgrep(folder)), path.join(bin, 'rg.exe'));
    assert.equal(findRipgrep(folder), process.platform === 'win32' ? path.join(bin, 'rg.exe') : undefined);
    const data = { path: { text: '.\\src\\a.ts' }, lines: { text: 'x\n' }, line_number: 1, absolute_offset: 0, submatches: [] };
    const output = Buffer.from(
      `${JSON.stringify({ type: 'match', data: { ...data, submatches: [{ match: { text: 'x' }, start: 0, end: 1 }] } })}\n`,
    );
    assert.deepEqual([...(await onWindows(() => parseMatches(output))).keys()], ['src/a.ts']);
  });

  onPosix('folders keep their rights, which Windows does not have', async () => {
    const open = path.join(folder, 'open');
    await mkdir(open);
    await chmod(open, 0o755);
    await onWindows(() => ownFolder(open));
    assert.equal((await stat(open)).mode & 0o777, 0o755);
    await ownFolder(open);
    assert.equal((await stat(open)).mode & 0o777, 0o700);
  });

  it('files are read without the flag that Windows does not have', async () => {
    const file = path.join(folder, 'a.txt');
    await writeFile(file, 'text');
    assert.equal((await onWindows(() => readBounded(file, 10)))?.toString(), 'text');
  });

  it('the machine is named without a word of this one’s system', async () => {
    assert.match(await machineIdentity('win32'), /^[\da-f]{32}$/);
    assert.notEqual(await machineIdentity('win32'), await machineIdentity('linux'));
  });

  it('a path with a drive leads to no file of the workspace', () => {
    const folders = [{ name: 'shop', path: '/projects/shop' }];
    for (const outside of ['C:\\Windows\\x', 'c:x', '\\Windows\\x', '\\\\evil\\share', 'a.ts:stream']) {
      assert.equal(referencePlaces(outside, folders), undefined, outside);
    }
    assert.equal(referencePlaces('src\\a.ts', folders)?.length, 1);
  });

  it('a share is another machine, however it is written', async () => {
    for (const share of ['\\\\evil\\share', '//evil/share', '\\\\?\\UNC\\evil\\share', '\\\\.\\pipe\\x']) {
      assert.equal(isOnAnotherMachine(share, [], 'windows'), true, share);
      assert.notEqual(await linkedMachine(share, new Set(), 'win32'), undefined, share);
    }
    assert.equal(isOnAnotherMachine('C:\\repo', [], 'windows'), false);
    assert.equal(isOnAnotherMachine('\\\\HOME\\x', ['\\\\home\\y'], 'windows'), false);
  });
});
