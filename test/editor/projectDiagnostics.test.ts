import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { EditorDiagnostics } from '../../src/editor/language/editorDiagnostics.ts';
import { checkFiles } from '../../src/editor/language/fileCheck.ts';
import { typescriptFiles } from '../../src/editor/language/typescriptService.ts';
import { DiskNews, type ServiceFiles } from '../../src/editor/documents/diskNews.ts';
import { TextVersions } from '../../src/editor/documents/versions.ts';
import type { CheckAnswer, CheckQuery } from '../../src/server/seen/ports/editorPort.ts';
import { activateDuplex, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

interface Diagnosed {
  readonly diagnostics: readonly {
    readonly path: string;
    readonly code?: string;
    readonly range: { readonly start: { readonly line: number } };
  }[];
  readonly settled: boolean;
  readonly total: number;
  readonly note?: string;
  readonly nextCursor?: string;
}

const config = JSON.stringify({
  compilerOptions: { strict: true, noEmit: true, types: [], module: 'esnext', moduleResolution: 'bundler' },
  include: ['src'],
});

const project: Readonly<Record<string, string>> = {
  'tsconfig.json': config,
  '.gitignore': 'generated/\n',
  'src/cart.ts': "import { price } from './prices';\n\nexport const total: string = price;\n",
  'src/clean.ts': 'export const clean = 1;\n',
  'src/deep/lost.ts': "import { missing } from '../prices';\n\nexport const found = missing;\n",
  'src/prices.ts': "export const price: number = 'free';\n",
  'generated/bad.ts': "export const bad: number = 'generated';\n",
};

type StillHas = ServiceFiles['stillHas'];

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = workspacePath(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

describe('The diagnosis of a whole project', () => {
  let client: LookingClient;

  before(async () => {
    client = await LookingClient.connect(await activateDuplex());
    await write('checked', project);
  });

  after(async () => {
    await client.close();
    await rm(workspacePath('checked'), { recursive: true, force: true });
    await rm(workspacePath('many'), { recursive: true, force: true });
  });

  const errorsOf = async (args: Record<string, unknown>): Promise<string[]> => {
    const { diagnostics } = (await client.call('get_diagnostics', { severity: 'error', ...args })) as unknown as Diagnosed;
    return diagnostics
      .map(({ path: file, code, range }) => `${file}:${range.start.line} ${code}`)
      .filter((line) => line.startsWith('checked/'));
  };

  const errors = ['checked/src/cart.ts:3 2322', 'checked/src/deep/lost.ts:1 2305', 'checked/src/prices.ts:1 2322'];

  it('finds the errors of closed files in one call, by folder, by glob and of everything, and opens no tab', async () => {
    const answer = (await client.call('get_diagnostics', { path: 'checked', severity: 'error' })) as unknown as Diagnosed;
    assert.deepEqual([answer.settled, answer.total, answer.note], [true, 3, undefined]);
    assert.deepEqual(await errorsOf({ path: 'checked' }), errors);
    assert.deepEqual(await errorsOf({ path: workspacePath('checked/src') }), errors);
    assert.deepEqual(await errorsOf({ path: 'checked/**/*.ts' }), errors);
    assert.deepEqual(await errorsOf({ path: 'checked/src/deep/*.ts' }), errors.slice(1, 2));
    assert.deepEqual(await errorsOf({ scope: 'project' }), errors);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => input));
    const shown = tabs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri.fsPath] : []));
    assert.deepEqual(
      shown.filter((file) => file.startsWith(workspacePath('checked'))),
      [],
    );
  });

  it('says of a closed file what the question for that file alone says', async () => {
    const hints = await client.call('get_diagnostics', { path: 'checked/src/cart.ts' });
    const all = (await client.call('get_diagnostics', { path: 'checked/src' })) as unknown as Diagnosed;
    assert.deepEqual(
      all.diagnostics.filter(({ path: file }) => file === 'checked/src/cart.ts'),
      hints['diagnostics'],
    );
  });

  it('knows what changed on the disk a moment ago, and what came and went', async () => {
    await writeFile(workspacePath('checked/src/prices.ts'), 'export const price: number = 1;\nexport const missing = 2;\n');
    assert.deepEqual(await errorsOf({ path: 'checked' }), errors.slice(0, 1));
    await write('checked', { 'src/added.ts': "export const added: boolean = 'no';\n" });
    assert.deepEqual(await errorsOf({ path: 'checked' }), ['checked/src/added.ts:1 2322', ...errors.slice(0, 1)]);
    await rm(workspacePath('checked/src/added.ts'));
    await rm(workspacePath('checked/src/prices.ts'));
    assert.deepEqual(await errorsOf({ path: 'checked' }), ['checked/src/cart.ts:1 2307', 'checked/src/deep/lost.ts:1 2307']);
    await write('checked', project);
    assert.deepEqual(await errorsOf({ path: 'checked' }), errors);
  });

  /** A file that VS Code knew, and that is gone; `behind` names the files that a service may not know of within the time. */
  const withGoneFile = async (
    stillHas: StillHas,
    use: (behind: (waitMs: number) => Promise<readonly string[]>) => Promise<void>,
  ): Promise<void> => {
    const { signal } = new AbortController();
    const uri = vscode.Uri.file(workspacePath('checked/src/cart.ts')); // near it is looked first, however much else there is
    const disk = new DiskNews({ ...typescriptFiles, stillHas });
    const behind = async (waitMs: number): Promise<readonly string[]> => {
      const found = await disk.steadily({ uri, isTypescript: true }, waitMs, signal, () => Promise.resolve());
      return found.behind.map(({ fsPath }) => path.basename(fsPath));
    };
    try {
      await write('checked', { 'src/short.ts': 'export {};\n' });
      assert.deepEqual(await behind(20_000), []);
      await rm(workspacePath('checked/src/short.ts'));
      await use(behind);
    } finally {
      disk.dispose();
    }
  };

  it('waits until the language service too knows that a file is gone, and says so where it never does', async () => {
    assert.deepEqual(await errorsOf({ path: 'checked' }), errors); // from here on the service has the project
    assert.equal(await typescriptFiles.stillHas(vscode.Uri.file(workspacePath('checked/src/cart.ts'))), true);
    assert.equal(await typescriptFiles.stillHas(vscode.Uri.file(workspacePath('checked/src/never.ts'))), false);
    for (const [knowsAfter, waitMs] of [
      [2, 20_000],
      [Infinity, 500],
    ] as const) {
      const asked: string[] = [];
      const stillHas: StillHas = ({ fsPath }) => Promise.resolve(asked.push(path.basename(fsPath)) <= knowsAfter);
      await withGoneFile(stillHas, async (behind) => {
        assert.deepEqual(await behind(waitMs), knowsAfter === 2 ? [] : ['short.ts']);
        assert.ok(knowsAfter !== 2 || asked.join() === 'short.ts,short.ts,short.ts', asked.join());
      });
    }
    let answers = 0;
    const firstNever: StillHas = () => (answers++ === 0 ? new Promise<never>(() => undefined) : Promise.resolve(true));
    await withGoneFile(firstNever, async (behind) => {
      while (answers === 0) {
        await behind(1_000);
      }
      assert.deepEqual(await behind(1_000), ['short.ts']);
    });
  });

  it('names what to run for files of which no language service speaks (release)', async () => {
    await write('checked', { 'tools/build.py': 'print(1 +)\n' });
    const answer = (await client.call('get_diagnostics', { path: 'checked', severity: 'error' })) as unknown as Diagnosed;
    await rm(workspacePath('checked/tools'), { recursive: true });
    assert.deepEqual([answer.settled, answer.total], [false, 3]);
    assert.match(answer.note ?? '', /No language service reported.* 1 \.py\..*`python -m mypy \.`/);
  });

  it('says that there are no files to check', async () => {
    const answer = (await client.call('get_diagnostics', { path: 'checked/*.nothing' })) as unknown as Diagnosed;
    assert.match(answer.note ?? '', /No file matches "checked\/\*\.nothing"/);
    assert.match(await client.failure('get_diagnostics', { path: 'checked/none.ts' }), /There is no "checked\/none\.ts"/);
  });

  describe('with many files', () => {
    const count = 300;
    const names = Array.from({ length: count }, (_, index) => `src/part${index % 10}/file${String(index).padStart(3, '0')}.ts`);
    const listed = names.map((name) => `many/${name}`).sort();
    let disk: DiskNews;
    let diagnostics: EditorDiagnostics;

    before(async () => {
      const texts = names.map((name, index) => [name, `export const v${index}: number = ${index % 3 === 0 ? "'wrong'" : index};\n`]);
      await write('many', { 'tsconfig.json': config, ...(Object.fromEntries(texts) as Record<string, string>) });
      disk = new DiskNews(typescriptFiles);
      diagnostics = new EditorDiagnostics(new TextVersions('key'), disk);
    });

    after(() => {
      diagnostics.dispose();
      disk.dispose();
    });

    const check = (changes: Partial<CheckQuery>, signal: AbortSignal): Promise<CheckAnswer> => {
      const query: CheckQuery = { files: listed, severity: 'error', skip: 0, limit: 1_000, timeMs: 60_000, ...changes };
      return checkFiles(query, (one, stop) => diagnostics.get(one, stop), disk, signal);
    };

    it('counts all errors on the first page, and tells each once on the pages (release)', async () => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = (await client.call('get_diagnostics', { path: 'many', severity: 'error', limit: 40, cursor })) as unknown as Diagnosed;
        assert.deepEqual([page.total, page.settled], [100, true], page.note);
        found.push(...page.diagnostics.map(({ path: file }) => file));
        cursor = page.nextCursor;
      } while (cursor !== undefined && found.length <= count);
      assert.deepEqual(
        found,
        listed.filter((file) => Number(/(\d+)\.ts$/.exec(file)?.[1]) % 3 === 0),
      );
    });

    it('ends when the time is up, and says how far it came (release)', async () => {
      const { signal } = new AbortController();
      const whole = await check({}, signal);
      assert.deepEqual([whole.checked, whole.total], [count, 100]);
      const started = performance.now();
      const none = await check({ timeMs: 1 }, signal);
      assert.ok(none.checked < count, String(none.checked));
      assert.ok(performance.now() - started < 10_000);
    });

    it('calls no question off that is answered: the service would write a file for each, all in one go (release)', async () => {
      const written = mock.method(fs, 'writeFileSync');
      try {
        const whole = await check({}, new AbortController().signal);
        assert.equal(whole.checked, count);
        const calledOff = written.mock.calls.filter(({ arguments: [file] }) => String(file).includes('cancellation'));
        assert.equal(calledOff.length, 0);
      } finally {
        written.mock.restore();
      }
    });

    it('stops when the call is cancelled', async () => {
      const stop = new AbortController();
      const done: number[] = [];
      const onProgress = (checked: number): void => {
        done.push(checked);
        stop.abort(new Error('enough'));
      };
      await assert.rejects(check({ onProgress }, stop.signal), /enough/);
      assert.equal(done.length, 1);
    });
  });
});
