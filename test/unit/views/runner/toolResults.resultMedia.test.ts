import assert from 'node:assert/strict';
import type { ToolResultItem } from '../../../../src/contract/chat/chatState.ts';
import { resultMedia } from '../../../../src/views/runner/toolResults.ts';

const png: ToolResultItem = { kind: 'image', mimeType: 'image/png', data: Buffer.from([1, 2, 0]).toString('base64') };
const opened = (...items: ToolResultItem[]): unknown => {
  const { media, hasText } = resultMedia('maps draw/it', items, (text) => text);
  return { media: media.map(({ name, shown }) => [name, [...shown]]), hasText };
};

describe('A result that is opened in the editor', () => {
  it('is a picture or a sound where it is one, and nothing else is opened then', () => {
    assert.deepEqual(opened(png), { media: [['maps draw it.png', [1, 2, 0]]], hasText: false });
    assert.deepEqual(opened({ kind: 'audio', mimeType: 'audio/wav', data: 'AAA=' }), {
      media: [['maps draw it.wav', [0, 0]]],
      hasText: false,
    });
  });

  it('is text for everything that no viewer shows, beside its pictures, of which there are few at once', () => {
    const text: ToolResultItem = { kind: 'text', text: 'hello' };
    assert.deepEqual(opened(text, png), { media: [['maps draw it 2.png', [1, 2, 0]]], hasText: true });
    assert.deepEqual(opened({ kind: 'image', mimeType: 'image/tiff', data: 'AAA=' }), { media: [], hasText: true });
    assert.deepEqual(opened(), { media: [], hasText: true });
    const { media, hasText } = resultMedia('maps', Array<ToolResultItem>(9).fill(png), (each) => each);
    assert.deepEqual([media.length, hasText], [5, true]);
  });
});
