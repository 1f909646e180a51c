import assert from 'node:assert/strict';
import type * as ReadContext from '../../src/editor/context/readContext.ts';
import { importWithFakes } from '../support/build/importWithFakes.ts';

const { isReadWithheld, readOneFile, readShownFiles } = await importWithFakes<typeof ReadContext>(
  "export { isReadWithheld, readOneFile, readShownFiles } from './src/editor/context/readContext.ts';",
  { vscode: '' },
);

describe('A file that is attached through a link', () => {
  const { signal } = new AbortController();
  const isShown = (path: string): boolean => !path.includes('.env');
  /** The link `notes` was moved to a file that clients are not shown, after its name was looked at. */
  const realPaths: Readonly<Record<string, string>> = {
    'notes.txt': '/projects/shop/.env',
    'notes.png': '/projects/shop/.env.png',
    'plain.txt': '/projects/shop/plain.txt',
  };
  const documents = {
    read: (path: string) =>
      Promise.resolve({ path, uri: '', languageId: '', version: '', isDirty: false, text: `text of ${path}`, realPath: realPaths[path] }),
    readImage: (path: string) =>
      Promise.resolve({ path, mimeType: 'image/png', size: 1, base64: 'AA==', version: '', realPath: realPaths[path] }),
  } as unknown as Parameters<typeof readOneFile>[1]['documents'];

  it('does not go with a folder when what was opened is not shown', async () => {
    const contents = await readShownFiles(['plain.txt', 'notes.txt'], { documents, isShown }, signal);
    assert.deepEqual(contents, [{ kind: 'text', name: 'plain.txt', text: 'text of plain.txt' }]);
  });

  it('counts as withheld by what was opened, be it text or an image', async () => {
    const withheld = await Promise.all(
      ['notes.txt', 'notes.png', 'plain.txt'].map(async (path) => {
        const { realPath } = await readOneFile(path, { documents }, signal);
        return isReadWithheld(path, realPath, isShown);
      }),
    );
    assert.deepEqual(withheld, [true, true, false]);
  });
});
