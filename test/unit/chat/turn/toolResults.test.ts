import assert from 'node:assert/strict';
import { chatSentencesInEnglish } from '../../../../src/chat/conversation/chatSentences.ts';
import { maxShownBytes, resultBytes, toResultBlock, toShownItems } from '../../../../src/chat/turn/toolResults.ts';
import type { ToolResultItem } from '../../../../src/contract/chat/chatState.ts';
import { pngOf } from '../../../support/tinyPictures.ts';

const png: ToolResultItem = { kind: 'image', mimeType: 'image/png', data: pngOf() };

describe('tool results', () => {
  it('reach the model as text and images, with words for what a model cannot take', () => {
    const items: ToolResultItem[] = [
      { kind: 'text', text: '{"a": 1}' },
      { kind: 'structured', json: '{"b":1}' },
      png,
      { kind: 'image', mimeType: 'image/svg+xml', data: 'AAAA' },
      { kind: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      { kind: 'link', uri: 'file:///x', name: 'x' },
    ];
    assert.deepEqual(toResultBlock('id', { kind: 'result', isError: false, items }).content, [
      { type: 'text', text: '{"a": 1}' },
      { type: 'text', text: '{"b":1}' },
      { type: 'image', mimeType: 'image/png', data: pngOf() },
      { type: 'text', text: '[an image (image/svg+xml, 3 bytes) that only the person can see]' },
      { type: 'text', text: '[audio (audio/wav, 3 bytes) that only the person can hear]' },
      { type: 'text', text: '[link to a resource: x, file:///x]' },
    ]);
    assert.equal(resultBytes(items), 8 + 7 + 24 + 3 + 3 + 10);
  });

  it('are never empty for the model', () => {
    assert.deepEqual(toResultBlock('id', { kind: 'result', isError: false, items: [] }).content, [
      { type: 'text', text: 'The tool returned nothing.' },
    ]);
    assert.deepEqual(toResultBlock('id', { kind: 'result', isError: false, items: [{ kind: 'text', text: ' ' }] }).content, [
      { type: 'text', text: '(empty)' },
    ]);
  });

  it('are cut over all their texts together, never inside a character', () => {
    const items: ToolResultItem[] = [
      { kind: 'text', text: 'abc' },
      { kind: 'text', text: '€€€' },
    ];
    const [, second] = toResultBlock('id', { kind: 'result', isError: false, items }, 8).content;
    assert.deepEqual(second, { type: 'text', text: '€\n[Cut by the chat: 3 of 9 bytes are shown. Ask for less, or for a part.]' });
  });

  it('say by whom a call was declined, and where a stored answer is taken back', () => {
    const [stored, asked] = [true, false].map((byStoredAnswer) => JSON.stringify(toResultBlock('id', { kind: 'denied', byStoredAnswer })));
    assert.match(stored ?? '', /Refused by an answer that the person stored.*Manage Permissions/);
    assert.match(asked ?? '', /The person declined this call/);
  });

  it('are cut for the view when a page could not bear them', () => {
    const shown = toShownItems([{ kind: 'structured', json: `"${'x'.repeat(maxShownBytes)}"` }, png], chatSentencesInEnglish);
    assert.deepEqual(
      shown.map((item) => item.kind),
      ['text', 'text', 'image'],
    );
    assert.deepEqual(shown[1], { kind: 'text', text: 'Only the first 1000000 of 1000002 bytes are shown here.' });
  });
});
