import assert from 'node:assert/strict';
import { toResultItems } from '../../../../src/host/tools/resultItems.ts';

describe('Results for people', () => {
  it('keep every kind of content', () => {
    const content = [
      { type: 'text', text: 'seen\u200Bunseen' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c.png', mimeType: 'image/png', blob: 'CCCC' } },
      { type: 'resource', resource: { uri: 'file:///d.zip', mimeType: 'application/zip', blob: 'DDDD' } },
      { type: 'hologram', data: 1 },
    ];
    assert.deepEqual(toResultItems({ isError: false, content }), [
      { kind: 'text', text: 'seen⟨U+200B⟩unseen' },
      { kind: 'image', mimeType: 'image/png', data: 'AAAA' },
      { kind: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
      { kind: 'link', uri: 'file:///a.txt', name: 'a.txt' },
      { kind: 'text', text: 'inside' },
      { kind: 'image', mimeType: 'image/png', data: 'CCCC' },
      { kind: 'link', uri: 'file:///d.zip', name: 'file:///d.zip' },
      { kind: 'structured', json: '{\n  "type": "hologram",\n  "data": 1\n}' },
    ]);
  });

  it('show text that says something else than the structured content as well', () => {
    const items = toResultItems({ isError: false, content: [{ type: 'text', text: 'It is 42.' }], structuredContent: { answer: 42 } });
    assert.deepEqual(items, [
      { kind: 'text', text: 'It is 42.' },
      { kind: 'structured', json: '{\n  "answer": 42\n}' },
    ]);
  });

  it('are shown once where the text is known to say all of it', () => {
    const result = { isError: false, content: [{ type: 'text', text: 'It is 42.' }], structuredContent: { answer: 42 } };
    assert.deepEqual(toResultItems(result, true), [{ kind: 'text', text: 'It is 42.' }]);
    assert.deepEqual(toResultItems({ ...result, content: [] }, true), [{ kind: 'structured', json: '{\n  "answer": 42\n}' }]);
  });

  it('survive JSON in a text that is nested beyond the stack', () => {
    const text = '['.repeat(50_000) + ']'.repeat(50_000);
    assert.equal(toResultItems({ isError: false, content: [{ type: 'text', text }], structuredContent: [] }).length, 2);
  });
});
