import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import type { BundledPackage } from '../../../src/build/bundled.mjs';
import { type Archived, readArchive } from '../../support/build/archive.ts';
import { repositoryRoot } from '../../support/run/repository.mjs';
import { runProcess } from '../../support/run/runProcess.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

/** What may be in the package; a file that none of these knows does not belong there, or belongs here. */
const mayBeIn: readonly RegExp[] = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(?:package\.json|package\.nls(?:\.[a-z-]+)?\.json|readme\.md|changelog\.md|LICENSE\.txt|ThirdPartyNotices\.txt)$/,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^extension\/media\/(?:\w+\.css|icon\.png|duplex\.svg)$/,
  /^extension\/media\/walkthrough\/\w+-(?:light|dark)\.png$/,
  /^extension\/dist\/(?:extension|languageServer|stdioBridge|supervisor|workThread)\.js$/,
  /^extension\/dist\/offlineAnswers\.json$/,
  /^extension\/dist\/chunks\/\w+-[A-Z\d]{8}\.m?js$/,
  /^extension\/dist\/chunks\/start\.mjs$/,
  /^extension\/dist\/webview\/(?:\w+\.js|codicon\.(?:css|ttf))$/,
  /^extension\/dist\/webview\/parts\/\w+-[A-Z\d]{8}\.js$/,
];

const minutes = 60_000;

describe('The package', function () {
  this.timeout(6 * minutes);
  let folder = '';
  let files: readonly Archived[] = [];
  let output = '';
  const textOf = (name: string): string => files.find((file) => file.name === `extension/${name}`)?.text() ?? '';

  before(async () => {
    folder = createTemporaryFolder();
    await build('first');
    output = await pack('first', 'first.vsix');
    files = readArchive(path.join(folder, 'first.vsix'));
  });
  after(() => removeTemporaryFolder(folder));

  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const done = await runProcess(process.execPath, args, {
      cwd: repositoryRoot,
      env,
      timeoutMilliseconds: 3 * minutes,
      output: 'capture',
    });
    assert.equal(done.exitCode, 0, done.output);
    return done.output;
  };
  const build = (to: string): Promise<string> => run(['esbuild.mjs', '--production', '--out', path.join(folder, to)]);
  const pack = (from: string, to: string, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<string> =>
    run(['src/build/pack.mjs', '--built', path.join(folder, from), '--out', path.join(folder, to), ...more], env);

  it('has the files that it should have, and no other', () => {
    const names = files.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !mayBeIn.some((pattern) => pattern.test(name))),
      [],
    );
    assert.deepEqual(
      mayBeIn.map(String).filter((_, index) => !names.some((name) => mayBeIn[index]?.test(name))),
      [],
    );
  });

  it('is made without a warning', () => {
    assert.doesNotMatch(output, /warn/i);
    assert.match(output, /Packaged/);
  });

  it('runs nothing where it is installed, and brings no package that could', () => {
    const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;
    const names = ['scripts', 'dependencies', 'devDependencies', 'optionalDependencies', 'bundledDependencies', 'extensionDependencies'];
    assert.deepEqual(
      names.filter((name) => name in manifest),
      [],
    );
    assert.equal(manifest['main'], './dist/extension.js');
  });

  it('names everybody whose work is in it, with the licence', () => {
    const notices = textOf('ThirdPartyNotices.txt');
    const bundled = JSON.parse(readFileSync(path.join(folder, 'first', 'bundled.json'), 'utf8')) as readonly BundledPackage[];
    const names = bundled.map(({ name }) => name);
    // Of the extension, of a page, of a page's thread, of the language server, and what is copied.
    for (const expected of ['zod', 'preact', 'marked', 'highlight.js', 'ws', 'vscode-languageserver', '@vscode/codicons']) {
      assert.ok(names.includes(expected), expected);
    }
    assert.deepEqual(
      bundled.filter(({ name, version, license }) => !notices.includes(`\n${name} ${version} (${license})\n`)),
      [],
    );
  });

  it('shows no picture that cannot load, and no link to a file that is not there', () => {
    const relative = /\]\((?!https:|#)/;
    assert.doesNotMatch(textOf('readme.md'), relative);
    assert.doesNotMatch(textOf('changelog.md'), relative);
  });

  it('is the same file, byte by byte, when it is built again, elsewhere, in another time zone and language', async () => {
    await build('second/deeper');
    await pack('second/deeper', 'second.vsix', [], { TZ: 'Asia/Tokyo', LC_ALL: 'sv_SE.UTF-8', SOURCE_DATE_EPOCH: '1' });
    assert.equal(hashOf('second.vsix'), hashOf('first.vsix'));
  });

  it('leads to its repository where it is told of one', async () => {
    const packed = await pack('first', 'third.vsix', ['--repository', 'https://github.com/owner/name']);
    assert.doesNotMatch(packed, /warn/i);
    files = readArchive(path.join(folder, 'third.vsix'));
    assert.match(textOf('readme.md'), /!\[[^\]]+\]\(https:\/\/github\.com\/owner\/name\/raw\/HEAD\/media\/screenshots\/[\w-]+\.png\)/);
    assert.deepEqual((JSON.parse(textOf('package.json')) as { bugs?: unknown }).bugs, { url: 'https://github.com/owner/name/issues' });
  });

  function hashOf(name: string): string {
    return createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
  }
});
