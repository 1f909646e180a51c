import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type FileHandle, mkdir, open, readdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { isAppError } from '../../../../src/base/errors.ts';
import { BundleStore, type StagedBundle } from '../../../../src/registry/bundles/bundleStore.ts';
import { installedOf } from '../../../../src/registry/installed.ts';
import { waysOf } from '../../../../src/registry/installWays.ts';
import { readEntry } from '../../../../src/registry/serverJson.ts';
import { type HttpFixture, listenLocally } from '../../../fixtures/authorizationServer/httpFixture.ts';
import { listed } from '../../../fixtures/registry/entries.ts';
import { zipOf } from '../../../fixtures/registry/zipFile.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const manifest = {
  manifest_version: '0.3',
  name: 'notes',
  version: '1.0.0',
  description: 'Notes.',
  author: { name: 'Somebody' },
  server: { type: 'node', entry_point: 'index.js', mcp_config: { command: 'node', args: ['${__dirname}/index.js'] } },
};
const archive = zipOf([
  { name: 'manifest.json', content: JSON.stringify(manifest) },
  { name: 'index.js', content: '// nothing' },
]);
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('BundleStore', () => {
  let root = '';
  let host: HttpFixture;
  let answer: (response: ServerResponse, path: string) => void;
  const seen: string[] = [];

  beforeEach(async () => {
    root = path.join(createTemporaryFolder(), 'bundles');
    seen.length = 0;
    answer = (response) => response.writeHead(200).end(archive);
    host = await listenLocally((request, response) => {
      seen.push(request.path);
      answer(response, request.path);
    });
  });
  afterEach(async () => {
    await host.close();
    await removeTemporaryFolder(path.dirname(root));
  });

  interface Wanted {
    readonly sha256?: string;
    readonly isLocal?: boolean;
    readonly maxBytes?: number;
    readonly signal?: AbortSignal;
    readonly onProgress?: (received: number, total: number | undefined) => void;
  }
  const stage = ({
    sha256 = sha256Of(archive),
    isLocal = true,
    signal = new AbortController().signal,
    ...more
  }: Wanted = {}): Promise<StagedBundle> =>
    new BundleStore(root).stage(
      { url: `${host.origin}/n.mcpb`, sha256, isLocal, name: 'io.example/notes', version: '1.0.0' },
      { signal, ...more },
    );
  const bundlesHere = async (): Promise<readonly string[]> => (await readdir(root)).filter((name) => name !== '.uses.json');
  /** Why it was refused, and what is left of it. */
  async function refusal(wanted: Wanted = {}): Promise<readonly unknown[]> {
    const code = await stage(wanted).then(
      () => 'taken',
      (error: unknown) => (isAppError(error) ? error.code : error instanceof Error && error.name),
    );
    return [code, ...(await readdir(root))];
  }

  it('puts a bundle into its place only when it is kept', async () => {
    const progress: (readonly [number, number | undefined])[] = [];
    const staged = await stage({ onProgress: (...each) => progress.push(each) });
    assert.deepEqual(progress.at(-1)?.[0], archive.length);
    assert.deepEqual([...staged.files], ['manifest.json', 'index.js']);
    assert.equal(staged.size, archive.length);
    assert.ok((await readdir(root)).every((name) => name.startsWith('.new-')));
    await staged.keep([]);
    assert.deepEqual(await bundlesHere(), [path.basename(staged.folder)]);
    assert.equal(await readFile(path.join(staged.folder, 'index.js'), 'utf8'), '// nothing');
    // A second time it is the same folder.
    const again = await stage();
    await again.keep([]);
    assert.deepEqual(await bundlesHere(), [path.basename(staged.folder)]);
    const other = await stage();
    await other.discard();
    assert.deepEqual(await bundlesHere(), [path.basename(staged.folder)]);
  });

  it('keeps nothing of what has another hash', async () => {
    assert.deepEqual(await refusal({ sha256: '0'.repeat(64) }), ['registry.wrongHash']);
  });

  it('keeps nothing of what is too large, whether it says so or not', async () => {
    assert.deepEqual(await refusal({ maxBytes: 100 }), ['registry.bundleTooLarge']);
    answer = (response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' });
      response.write(archive);
      response.end();
    };
    assert.deepEqual(await refusal({ maxBytes: 100 }), ['registry.bundleTooLarge']);
  });

  it('keeps nothing of what is cut off, refused, or stopped by the person', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': String(archive.length) });
      response.write(archive.subarray(0, 50), () => response.destroy());
    };
    assert.deepEqual(await refusal(), ['registry.bundleUnreachable']);
    answer = (response) => response.writeHead(404).end();
    assert.deepEqual(await refusal(), ['registry.bundleRefused']);
    const stopping = new AbortController();
    answer = (response) => {
      response.writeHead(200);
      response.write(archive.subarray(0, 50));
    };
    assert.deepEqual(await refusal({ signal: stopping.signal, onProgress: () => stopping.abort() }), ['AbortError']);
  });

  it('says that it was the disk when there is no room for a bundle', async () => {
    const probe = await open(process.execPath);
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const usual = Object.getOwnPropertyDescriptor(handles, 'appendFile') ?? {};
    handles.appendFile = () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
    try {
      await assert.rejects(stage(), {
        code: 'registry.bundleNotWritten',
        message: 'The bundle could not be written to the disk of this machine: ENOSPC: no space left on device, write',
      });
    } finally {
      Object.defineProperty(handles, 'appendFile', usual);
    }
    assert.deepEqual(await readdir(root), []);
  });

  it('keeps nothing without a manifest that can be read', async () => {
    const empty = zipOf([{ name: 'index.js', content: '' }]);
    answer = (response) => response.writeHead(200).end(empty);
    assert.deepEqual(await refusal({ sha256: sha256Of(empty) }), ['registry.badManifest']);
  });

  it('is led by a redirect to other hosts, but not from them into this machine', async () => {
    answer = (response, at) =>
      at === '/n.mcpb' ? response.writeHead(302, { location: '/other' }).end() : response.writeHead(200).end(archive);
    const staged = await stage();
    await staged.discard();
    assert.deepEqual(await refusal({ isLocal: false }), ['registry.redirected']);
    for (const location of ['https://192.168.0.1/x', 'https://169.254.169.254/', 'http://example.com/x', 'file:///etc/passwd']) {
      answer = (response) => response.writeHead(302, { location }).end();
      assert.deepEqual(await refusal(), ['registry.redirected'], location);
    }
    assert.deepEqual(new Set(seen), new Set(['/n.mcpb', '/other']));
  });

  it('removes what windows have left behind a day ago', async () => {
    const [old, young] = [path.join(root, '.new-old'), path.join(root, '.new-young')];
    await mkdir(old, { recursive: true });
    await mkdir(young);
    await utimes(old, 0, 0);
    const staged = await stage();
    await staged.discard();
    assert.deepEqual(await readdir(root), ['.new-young']);
  });

  it('is recognised by its folder, with its version', async () => {
    const staged = await stage();
    await staged.discard();
    const transport = { type: 'stdio' };
    const newer = { registryType: 'mcpb', identifier: 'https://x.example/n.mcpb', version: '2.0.0', fileSha256: 'b'.repeat(64), transport };
    const entry = readEntry(listed('io.example/notes', { packages: [newer] }));
    assert.ok(entry);
    const server = { id: 'user/n', label: 'n', command: 'node', args: [path.join(staged.folder, 'index.js')] };
    const other = { ...server, args: ['/home/notes@1/index.js'] };
    assert.deepEqual(
      installedOf(waysOf(entry), [server, other]).map(({ version }) => version),
      ['1.0.0'],
    );
  });
});
