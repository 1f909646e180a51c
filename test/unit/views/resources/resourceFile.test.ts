import assert from 'node:assert/strict';
import type { ResourcePart } from '../../../../src/host/features/resources.ts';
import { resourceFile, type ResourceFile } from '../../../../src/views/resources/resourceFile.ts';

const t = (english: string, ...args: readonly unknown[]): string =>
  english.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));
const text = (uri: string, mimeType?: string, said = 'said'): ResourcePart => ({ kind: 'text', uri, mimeType, text: said });
const blob = (bytes: readonly number[], mimeType?: string): ResourcePart => ({
  kind: 'blob',
  uri: 'x:/it',
  mimeType,
  data: Buffer.from(bytes).toString('base64'),
});
const fileOf = (uri: string, content: ResourcePart, listed?: { name: string; mimeType: string | undefined }): ResourceFile =>
  resourceFile(uri, [content], listed, t);
const shown = ({ shown: bytes }: ResourceFile): string => Buffer.from(bytes).toString();

describe('A resource as a file', () => {
  it('is named by its address, with the ending of its language', () => {
    const names: [string, string | undefined, string][] = [
      ['docs://guide/start.md', 'text/markdown', 'start.md'],
      ['docs://guide/start', 'text/markdown; charset=utf-8', 'start.md'],
      ['docs://notes.v2', 'application/json', 'notes.v2.json'],
      ['docs://data', 'application/vnd.api+json', 'data.json'],
      ['docs://main.py', 'text/plain', 'main.py'],
      ['docs://a%20b/?page=2#x', undefined, 'a b'],
      ['docs://..', undefined, 'Listed'],
      ['docs://', undefined, 'Listed'],
      ['x:/a%2F..%2Fb.ts', undefined, 'a .. b.ts'],
    ];
    assert.deepEqual(
      names.map(([uri, mimeType]) => fileOf(uri, text(uri, mimeType), { name: 'Listed', mimeType: undefined }).name),
      names.map(([, , name]) => name),
    );
  });

  it('takes the kind from the server’s list when the answer says none', () => {
    assert.equal(fileOf('x:/it', text('x:/it'), { name: '', mimeType: 'text/html' }).name, 'it.html');
  });

  it('is a picture when the server says so, with an ending the editor knows it by', () => {
    const { name, viewer, shown: bytes } = fileOf('x:/it', blob([1, 2, 0], 'image/PNG'));
    assert.deepEqual([name, viewer, [...bytes]], ['it.png', 'media', [1, 2, 0]]);
    assert.equal(fileOf('x:/photo.jpeg', blob([1], 'image/jpeg')).name, 'photo.jpeg');
  });

  it('is no more than its bytes when the server names a kind that every object has', () => {
    assert.equal(fileOf('x:/it', blob([1, 2, 0], 'constructor')).name, 'it.hex');
    assert.equal(fileOf('x:/it', text('x:/it', 'constructor')).name, 'it');
  });

  it('is text when its bytes are, whatever way they came', () => {
    const file = fileOf('x:/it', blob([...Buffer.from('{"ü": 1}')], 'application/json'));
    assert.deepEqual([file.name, file.viewer, shown(file)], ['it.json', 'text', '{"ü": 1}']);
  });

  it('is shown as hex when it is neither, and saved as what it is', () => {
    const bytes = [0, 255, 65, 66, ...Array.from({ length: 14 }, (_, index) => 48 + index)];
    const file = fileOf('x:/it', blob(bytes, 'application/octet-stream'));
    assert.equal(file.name, 'it.hex');
    assert.equal(
      shown(file),
      '00000000  00 ff 41 42 30 31 32 33  34 35 36 37 38 39 3a 3b  ..AB0123456789:;\n' +
        '00000010  3c 3d                                             <=\n',
    );
    assert.deepEqual([file.rawName, [...file.raw]], ['it', bytes]);
  });

  it('of very many bytes shows the first of them as hex and says how many there are more', () => {
    const file = fileOf('x:/it', { kind: 'blob', uri: 'x:/it', mimeType: undefined, data: Buffer.alloc(300 * 1024).toString('base64') });
    assert.match(shown(file), /\n… and 241664 more bytes; they are not shown\.\n$/);
    assert.equal(file.raw.byteLength, 300 * 1024);
  });

  it('of several parts has them all, each under its address', () => {
    const file = resourceFile(
      'x:/folder',
      [text('x:/folder/a', undefined, 'one'), text('x:/folder/\u200Bb', undefined, 'two')],
      undefined,
      t,
    );
    assert.deepEqual([file.name, shown(file)], ['folder.txt', '===== x:/folder/a =====\none\n\n===== x:/folder/⟨U+200B⟩b =====\ntwo']);
  });
});
