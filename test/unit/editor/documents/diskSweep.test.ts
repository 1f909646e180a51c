import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskSweep } from '../../../../src/editor/documents/diskSweep.ts';

describe('A look at what changed on the disk lately', () => {
  let folder: string;
  let ahead: number;
  let sweep: DiskSweep;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplex-sweep-'));
    ahead = 0;
    sweep = new DiskSweep(() => Date.now() + ahead);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const look = async (): Promise<string[]> => {
    const changes = await sweep.look([folder]);
    return [...new Set(changes.map(({ kind, path }) => `${kind} ${path.slice(folder.length + 1)}`))].sort();
  };

  it('sees a file that was written or came within the last seconds, and later sees it no more', async () => {
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src', 'one.ts'), '1');
    assert.deepEqual(await look(), ['changed src/one.ts']);
    ahead = 11_000;
    assert.deepEqual(await look(), []);
  });

  it('sees what went, also with its whole folder, and that a name is taken again', async () => {
    await mkdir(join(folder, 'src', 'deep'), { recursive: true });
    await writeFile(join(folder, 'src', 'one.ts'), '1');
    await writeFile(join(folder, 'src', 'deep', 'two.ts'), '2');
    await writeFile(join(folder, 'two.ts'), '2');
    await look();
    await rm(join(folder, 'two.ts'));
    await rename(join(folder, 'src'), join(folder, 'other'));
    const present = (name: string): string[] => [`changed ${name}`, `changed ${name}/deep/two.ts`, `changed ${name}/one.ts`];
    assert.deepEqual(await look(), [...present('other'), 'gone src', 'gone src/deep/two.ts', 'gone src/one.ts', 'gone two.ts']);
    await writeFile(join(folder, 'two.ts'), 'again');
    await rename(join(folder, 'other'), join(folder, 'src'));
    assert.deepEqual(
      (await look()).filter((change) => !change.includes('other')),
      [...present('src'), 'changed two.ts'],
    );
    ahead = 11_000;
    assert.deepEqual(await look(), []);
  });

  it('sees what went with its folder also when it looks there first', async () => {
    await mkdir(join(folder, 'src', 'deep'), { recursive: true });
    await mkdir(join(folder, 'src-other'));
    await writeFile(join(folder, 'src', 'deep', 'one.ts'), '1');
    await writeFile(join(folder, 'src-other', 'stays.ts'), '2');
    await look();
    await rm(join(folder, 'src'), { recursive: true });
    const changes = await sweep.look([folder], join(folder, 'src', 'deep'));
    const gone = changes.filter(({ kind }) => kind === 'gone').map(({ path }) => path.slice(folder.length + 1));
    assert.deepEqual(gone.sort(), ['src', 'src/deep/one.ts']);
  });

  it('knows since when something may be gone: it was there at the look before', async () => {
    await writeFile(join(folder, 'one.ts'), '1');
    const before = Date.now();
    await look();
    await rm(join(folder, 'one.ts'));
    const [gone] = await sweep.look([folder]);
    assert.ok(gone?.kind === 'gone' && gone.at >= before && gone.at <= Date.now());
  });

  it('does not look at what no language service reads: logs, libraries, hidden folders, folders without sources', async () => {
    await look();
    for (const name of ['node_modules', '.git', 'logs']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, name === 'logs' ? 'all.log' : 'index.js'), '');
    }
    assert.deepEqual(await look(), []);
  });

  it('looks near a file first, and nowhere outside of the workspace', async () => {
    await mkdir(join(folder, 'deep', 'deeper'), { recursive: true });
    await writeFile(join(folder, 'deep', 'deeper', 'near.ts'), '');
    await writeFile(join(folder, 'far.ts'), '');
    const names = async (near: string): Promise<string[]> =>
      (await sweep.look([folder], near)).map(({ path }) => path.slice(folder.length + 1));
    assert.deepEqual((await names(join(folder, 'deep', 'deeper')))[0], 'deep/deeper/near.ts');
    assert.deepEqual((await names(tmpdir()))[0], 'far.ts');
  });

  it('lets other work run between a few of many new files', async () => {
    const count = 300;
    await mkdir(join(folder, 'src'));
    await Promise.all(Array.from({ length: count }, (_, index) => writeFile(join(folder, 'src', `${index}.ts`), '')));
    const files: number[] = [0];
    sweep = new DiskSweep(() => {
      files[files.length - 1] = (files.at(-1) ?? 0) + 1; // once for each file and folder
      return Date.now();
    });
    const turns = setInterval(() => files.push(0), 0);
    const now = performance.now.bind(performance);
    let clock = now();
    performance.now = () => (clock += 0.5); // a clock that goes on with every look at it
    try {
      assert.equal((await sweep.look([folder])).length, count);
    } finally {
      performance.now = now;
      clearInterval(turns);
    }
    const most = Math.max(...files);
    assert.ok(most <= count / 4, `${most} in one turn`);
  });
});
