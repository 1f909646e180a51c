import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAppError } from '../../../../src/base/errors.ts';
import { unpackBundle, type UnpackLimits } from '../../../../src/registry/bundles/unpackBundle.ts';
import { type ZipEntry, zipOf } from '../../../fixtures/registry/zipFile.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const small: UnpackLimits = { maxEntries: 20, maxBytes: 200_000, maxRatio: 10, maxFreeBytes: 50_000 };

describe('unpackBundle', () => {
  let folder = '';
  beforeEach(() => (folder = createTemporaryFolder()));
  afterEach(() => removeTemporaryFolder(folder));

  async function unpack(archive: Buffer, limits: UnpackLimits = small): Promise<ReadonlySet<string>> {
    const file = path.join(folder, 'bundle.mcpb');
    await writeFile(file, archive);
    return unpackBundle(file, path.join(folder, 'out'), new AbortController().signal, limits);
  }

  /** The code with which an archive is refused, and what of it is on the disk then. */
  async function refusal(archive: Buffer, limits?: UnpackLimits): Promise<string> {
    const code = await unpack(archive, limits).then(
      () => 'unpacked',
      (error: unknown) => (isAppError(error) ? error.code : String(error)),
    );
    const written = await readdir(folder);
    return written.includes('out') ? `${code}, written` : code;
  }

  const alone = (entry: ZipEntry): Promise<string> => refusal(zipOf([{ name: 'a.txt', content: 'first' }, entry]));

  it('writes plain files in their folders, for this person alone, and programs as programs', async () => {
    const files = await unpack(
      zipOf([
        { name: 'manifest.json', content: '{}' },
        { name: 'server/' },
        { name: 'server/run', content: '#!/bin/sh', mode: 0o104_755 },
        { name: 'server/lib/ä b.js', content: 'x'.repeat(1_000) },
      ]),
    );
    assert.deepEqual([...files], ['manifest.json', 'server/run', 'server/lib/ä b.js']);
    const modes = await Promise.all([...files].map(async (file) => (await stat(path.join(folder, 'out', file))).mode & 0o7777));
    assert.deepEqual(modes, [0o600, 0o700, 0o600]);
    assert.equal(await readFile(path.join(folder, 'out/server/lib/ä b.js'), 'utf8'), 'x'.repeat(1_000));
  });

  it('refuses names that would lead elsewhere on any system, before anything is written', async () => {
    const names = ['../x', 'a/../../x', '/etc/x', 'C:/x', 'C:x', 'a\\..\\x', '..\\x', './x', 'a//x', 'a/..', 'x\u0000y', 'x:stream'];
    for (const name of names) {
      const code = await alone({ name });
      assert.ok(['registry.bundlePath', 'registry.brokenBundle'].includes(code), `${JSON.stringify(name)}: ${code}`);
    }
    for (const name of ['nul', 'lib/CON.js', 'com1.txt', 'x. ', 'x.', 'a /x', `${'d/'.repeat(50)}x`, 'n'.repeat(500)]) {
      assert.equal(await alone({ name }), 'registry.bundlePath', name);
    }
  });

  it('refuses links and devices', async () => {
    for (const mode of [0o120_777, 0o020_666, 0o060_666, 0o010_666, 0o140_777, 0o040_755]) {
      assert.equal(await alone({ name: 'link', content: '/etc/passwd', mode }), 'registry.bundleLink', mode.toString(8));
    }
  });

  it('refuses two entries that are one file somewhere', async () => {
    for (const [one, other] of [
      ['b.js', 'b.js'],
      ['b.js', 'B.JS'],
      ['lib/b.js', 'Lib/c.js'],
      ['b', 'b/c'],
      ['b/c', 'b'],
      ['\u00e4', 'a\u0308'],
    ] as const) {
      assert.equal(await refusal(zipOf([{ name: one }, { name: other }])), 'registry.bundleTwice', `${one} ${other}`);
    }
  });

  it('refuses a bomb by its entries, its bytes and its ratio', async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `f${index}` }));
    assert.equal(await refusal(zipOf(many)), 'registry.bundleBomb');
    assert.equal(await refusal(zipOf([{ name: 'a', content: Buffer.alloc(60_000) }])), 'registry.bundleBomb');
    const noise = Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * index * 31 + (index >> 3)) % 251));
    assert.equal(
      await refusal(zipOf([{ name: 'a', content: noise }]), { ...small, maxRatio: 1_000, maxBytes: 50_000 }),
      'registry.bundleBomb',
    );
  });

  it('refuses a bomb that lies about its size: no more is unpacked than it said', async () => {
    const code = await refusal(zipOf([{ name: 'a', content: Buffer.alloc(5_000_000), claimedSize: 10 }]));
    assert.equal(code, 'registry.brokenBundle, written');
    assert.ok((await stat(path.join(folder, 'out/a'))).size <= 100_000);
  });

  it('refuses what is cut off, and what is no archive', async () => {
    const whole = zipOf([{ name: 'a.txt', content: 'hello' }]);
    assert.equal(await refusal(whole.subarray(0, whole.length - 30)), 'registry.brokenBundle');
    assert.equal(await refusal(Buffer.from('<html>not found</html>')), 'registry.brokenBundle');
    assert.equal(await refusal(Buffer.alloc(0)), 'registry.brokenBundle');
  });
});
