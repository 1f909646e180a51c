import assert from 'node:assert/strict';
import { takeFrom, takeFromPaste, type TakenThings } from '../../../../../src/webview/chat/composer/droppedThings.ts';

type Data = Parameters<typeof takeFrom>[0];

function data(texts: Readonly<Record<string, string>>, ...files: readonly { readonly name: string; readonly type: string }[]): Data {
  return { files: files as unknown as FileList, getData: (type) => texts[type] ?? '' };
}

const picture = { name: 'image.png', type: 'image/png' };
const names = ({ images }: TakenThings): readonly string[] => images.map(({ name }) => name);

describe('What is pasted', () => {
  it('is the text where there is text beside a picture of it, as spreadsheets have it', () => {
    const cells = data({ 'text/plain': 'a\tb\n1\t2', 'text/html': '<table></table>' }, picture);
    assert.deepEqual(takeFromPaste(cells), { images: [], uris: [], others: 0 });
    assert.deepEqual(names(takeFrom(cells)), ['image.png'], 'a drop is another thing');
  });

  it('is the picture where there is no text, or the text is nothing but the names of the files', () => {
    assert.deepEqual(names(takeFromPaste(data({}, picture))), ['image.png']);
    assert.deepEqual(names(takeFromPaste(data({ 'text/plain': ' \n' }, picture))), ['image.png']);
    assert.deepEqual(names(takeFromPaste(data({ 'text/plain': '/home/me/image.png\n' }, picture))), ['image.png']);
  });

  it('is the files where their addresses are there', () => {
    const files = data({ 'text/uri-list': 'file:///a/b.ts', 'text/plain': '/a/b.ts' });
    assert.deepEqual(takeFromPaste(files).uris, ['file:///a/b.ts']);
  });
});
