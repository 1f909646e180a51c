/**
 * `node src/build/pack.mjs [--built FOLDER] [--out FILE] [--repository URL] [--pre-release]`: packs what was built. What is the same becomes the
 * same file, byte by byte: when, where and by whom it was packed is not in it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { noticesOf } from './bundled.mjs';
import { packagedManifest, packagedPage, repositoryAddress } from './listing.mjs';
import { packagedExtension } from './steps.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    built: { type: 'string', default: path.join(root, 'dist') },
    out: { type: 'string', default: packagedExtension() },
    repository: { type: 'string' },
    'pre-release': { type: 'boolean', default: false },
  },
});
const repository = repositoryAddress(values.repository);
const out = path.resolve(values.out);
const stage = `${out}.files`;
/** What a reader of the page in a marketplace loads from the repository, and what only this program reads. */
const left = /(?:\.map|[\\/]bundled\.json|[\\/]media[\\/]screenshots)$/;

rmSync(stage, { recursive: true, force: true });
try {
  layOut();
  process.exitCode = packStage();
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** Puts together what belongs to the package. */
function layOut() {
  mkdirSync(stage, { recursive: true });
  const options = { recursive: true, filter: (/** @type {string} */ file) => !left.test(file) };
  for (const name of readdirSync(root).filter((each) => /^(?:package\.nls.*\.json|l10n|media|LICENSE|\.vscodeignore)$/.test(each))) {
    cpSync(path.join(root, name), path.join(stage, name), options);
  }
  cpSync(values.built, path.join(stage, 'dist'), options);
  const manifest = packagedManifest(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')), repository);
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest)}\n`);
  for (const page of ['README.md', 'CHANGELOG.md']) {
    writeFileSync(path.join(stage, page), packagedPage(readFileSync(path.join(root, page), 'utf8'), repository));
  }
  const bundled = JSON.parse(readFileSync(path.join(values.built, 'bundled.json'), 'utf8'));
  writeFileSync(path.join(stage, 'ThirdPartyNotices.txt'), noticesOf(bundled, root));
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())) {
    chmodSync(path.join(entry.parentPath, entry.name), 0o644);
  }
}

/** @returns {number} the exit code */
function packStage() {
  const vsce = path.join(root, 'node_modules', '@vscode/vsce/vsce');
  const { status } = spawnSync(
    process.execPath,
    [
      vsce,
      'package',
      '--no-dependencies', // everything is bundled
      '--no-rewrite-relative-links', // done above
      ...(repository === undefined ? ['--allow-missing-repository'] : []),
      ...(values['pre-release'] ? ['--pre-release'] : []),
      `--out=${out}`,
    ],
    // The archive has times in the local zone, and its files in the order of the locale.
    { cwd: stage, stdio: 'inherit', env: { ...process.env, SOURCE_DATE_EPOCH: '1767225600', TZ: 'UTC', LC_ALL: 'C' } },
  );
  return status ?? 1;
}
