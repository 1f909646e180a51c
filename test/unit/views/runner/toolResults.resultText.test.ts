import assert from 'node:assert/strict';
import { resultDocument } from '../../../../src/views/runner/toolResults.ts';

describe('A result as a document', () => {
  it('is JSON for data, structured or as text', () => {
    assert.deepEqual(resultDocument([{ kind: 'structured', json: '{\n  "a": 1\n}' }], false), {
      extension: 'json',
      text: '{\n  "a": 1\n}\n',
    });
    assert.deepEqual(resultDocument([{ kind: 'text', text: '{"a":1}' }], false), { extension: 'json', text: '{\n  "a": 1\n}\n' });
  });

  it('is Markdown for words, and says when the tool reported an error or gave nothing', () => {
    assert.deepEqual(resultDocument([{ kind: 'text', text: 'Hello {' }], false), { extension: 'md', text: 'Hello {\n' });
    assert.match(resultDocument([{ kind: 'text', text: 'No.' }], true).text, /reported an error.*\n\nNo\.\n$/);
    assert.match(resultDocument([], false).text, /no content/);
  });

  it('names images, sounds and links without their bytes', () => {
    const { text } = resultDocument(
      [
        { kind: 'image', mimeType: 'image/png', data: 'A'.repeat(4_096) },
        { kind: 'link', uri: 'file:///x', name: 'x' },
      ],
      false,
    );
    assert.equal(text, '> image: image/png, 3 kB\n\n> x: <file:///x>\n');
  });
});
