import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { RotatingLines } from '../../../../src/platform/files/rotatingLines.ts';
import { repositoryRoot } from '../../../support/run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

describe('A file of lines that several windows append to', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = createTemporaryFolder();
    file = path.join(folder, 'audit.jsonl');
  });
  afterEach(() => removeTemporaryFolder(folder));

  const textOf = (name: string): Promise<string> => fs.readFile(path.join(folder, name), 'utf8');

  it('gives each writer the last line there is', async () => {
    const lines = new RotatingLines(file, { maxBytes: 1_000, maxParts: 3 });
    const seen: unknown[] = [];
    for (const line of ['one', 'two', 'drei ü']) {
      await lines.append((last) => {
        seen.push(last);
        return { lines: [line], seal: line };
      });
    }
    await lines.append((last) => ({ lines: [`after ${last ?? ''}`, 'end'], seal: 'end' }));
    assert.deepEqual(seen, [undefined, 'one', 'two']);
    assert.equal(await textOf('audit.jsonl'), 'one\ntwo\ndrei ü\nafter drei ü\nend\n');
    const parts = [{ name: 'audit.jsonl', lines: ['one', 'two', 'drei ü', 'after drei ü', 'end'] }];
    assert.deepEqual(await lines.read(), { parts, seal: 'end', hasAll: true });
  });

  it('puts a full file aside, carries the last line on, and keeps so many parts', async () => {
    const lines = new RotatingLines(file, { maxBytes: 10, maxParts: 3 });
    for (let number = 1; number <= 9; number += 1) {
      await lines.append((last) => ({ lines: [`${last?.slice(-1) ?? '-'}>${number}`], seal: String(number) }));
    }
    const names = (await lines.parts()).map((part) => path.basename(part));
    assert.deepEqual(names, ['audit.2.jsonl', 'audit.1.jsonl', 'audit.jsonl']);
    const texts = await Promise.all(names.map(textOf));
    assert.deepEqual(texts.join('').split('\n').slice(-4), ['6>7', '7>8', '8>9', '']);
  });

  it('takes away what a killed window left of a line', async () => {
    const lines = new RotatingLines(file, { maxBytes: 1_000, maxParts: 3 });
    await lines.append(() => ({ lines: ['whole'], seal: '' }));
    await fs.appendFile(file, '{"half');
    await lines.append((last) => ({ lines: [`after ${last ?? ''}`], seal: '' }));
    assert.equal(await textOf('audit.jsonl'), 'whole\nafter whole\n');
  });

  it('loses and tears no line of processes that write at the same time (release)', async () => {
    const module = path.join(repositoryRoot, 'src/platform/files/rotatingLines.ts');
    const program = `
      import { RotatingLines } from ${JSON.stringify(module)};
      const lines = new RotatingLines(${JSON.stringify(file)}, { maxBytes: 2_000, maxParts: 20 });
      for (let number = 0; number < 25; number += 1) {
        await lines.append((last) => ({ lines: [String(Number(last ?? 0) + 1)], seal: '' }));
      }`;
    const children = [1, 2].map(() =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { cwd: repositoryRoot, stdio: 'inherit' }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    assert.deepEqual(codes, [0, 0]);
    const written = (await textOf('audit.jsonl')).trimEnd().split('\n');
    assert.deepEqual(
      written,
      Array.from({ length: 50 }, (_, index) => String(index + 1)),
    );
  });
});
