import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from '../../src/base/lifecycle.ts';
import { DiskNews } from '../../src/editor/documents/diskNews.ts';
import { typescriptFiles } from '../../src/editor/language/typescriptService.ts';
import { createEditorLanguage } from '../../src/editor/language/editorLanguage.ts';
import type { LanguagePort } from '../../src/server/seen/ports/languagePort.ts';
import { workspacePath } from './support/duplex.ts';

const { signal } = new AbortController();

describe('The search for symbols', () => {
  let disk: DiskNews;
  let language: LanguagePort & Disposable;

  before(() => {
    disk = new DiskNews(typescriptFiles);
    language = createEditorLanguage(disk);
  });

  after(async () => {
    language.dispose();
    disk.dispose();
    await rm(workspacePath('sleeping'), { recursive: true, force: true });
  });

  const writeProject = async (name: string, text: string): Promise<void> => {
    const folder = workspacePath('sleeping', name);
    await mkdir(path.join(folder, 'src'), { recursive: true });
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { types: [] }, include: ['src'] }));
    await writeFile(path.join(folder, 'src/index.ts'), text);
  };

  const namesOf = async (query: string): Promise<string[]> =>
    (await language.searchSymbols(query, signal)).map(({ name, path: file }) => `${name.replace(/\(.*/, '')} ${file}`);

  it('finds those of a project of which nobody has opened a file', async () => {
    await writeProject('first', 'export function wakeThisProject(): number {\n  return 1;\n}\n');
    assert.deepEqual(await namesOf('wakeThisProject'), ['wakeThisProject sleeping/first/src/index.ts']);
  });

  it('finds those of a project that came since, also while others are awake', async () => {
    await writeProject('second', 'export class WokenLaterThanOthers {}\n');
    assert.deepEqual(await namesOf('WokenLaterThanOthers'), ['WokenLaterThanOthers sleeping/second/src/index.ts']);
    assert.deepEqual(await namesOf('formatPrice'), ['formatPrice src/prices.js']);
  });
});
