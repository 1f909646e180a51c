import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { filesIn, noticesOf, packagesOf } from '../../../src/build/bundled.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

describe('What is bundled', () => {
  let root = '';
  beforeEach(() => {
    root = createTemporaryFolder();
    writeFileSync(path.join(root, 'LICENSE'), 'MIT License\n\nCopyright (c) us\n\nPermission is granted.\n');
  });
  afterEach(() => removeTemporaryFolder(root));

  const add = (folder: string, license: string, files: Readonly<Record<string, string>>): string => {
    mkdirSync(path.join(root, folder), { recursive: true });
    const manifest = JSON.stringify({ name: folder.split('node_modules/').at(-1), version: '1.0.0', license });
    Object.entries({ ...files, 'package.json': manifest }).forEach(([name, text]) => writeFileSync(path.join(root, folder, name), text));
    return `${folder}/lib/index.js`;
  };

  it('is what is left of it in a bundle', () => {
    const inputs = { 'src/a.ts': { bytesInOutput: 5 }, 'node_modules/b/index.js': { bytesInOutput: 0 } };
    assert.deepEqual([...filesIn([{ outputs: { 'dist/a.js': { inputs } } }])], ['src/a.ts']);
  });

  it('is named with its licence, one text for all that share it', () => {
    const files = [
      'src/extension.ts',
      add('node_modules/second', 'ISC', { 'license.md': 'ISC text' }),
      add('node_modules/@scope/first', 'ISC', { LICENSE: 'ISC text\r\n' }),
      add('node_modules/second/node_modules/third', 'Apache-2.0', { 'LICENSE.txt': 'Apache text', NOTICE: 'A notice' }),
    ];
    const packages = packagesOf(files, root);
    assert.deepEqual(
      packages.map(({ name }) => name),
      ['@scope/first', 'second', 'third'],
    );
    const notices = noticesOf(packages, root);
    assert.match(notices, /@scope\/first 1\.0\.0 \(ISC\)\nsecond 1\.0\.0 \(ISC\)\n=+\n\nISC text\n/);
    assert.match(notices, /third 1\.0\.0 \(Apache-2\.0\)\n=+\n\nApache text\n\nA notice\n/);
  });

  it('gets the text of MIT where a package only names it, and is refused where nobody knows the text', () => {
    const mit = packagesOf([add('node_modules/named', 'MIT', {})], root);
    assert.match(noticesOf(mit, root), /Copyright \(c\) the authors of named\n\nPermission is granted/);
    const unknown = packagesOf([add('node_modules/unknown', 'Custom', {})], root);
    assert.throws(() => noticesOf(unknown, root), /unknown has no file with its licence/);
  });
});
