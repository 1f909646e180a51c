import assert from 'node:assert/strict';
import { shapeProgress, shapeResult } from '../../../../../src/server/protocol/requests/revisions.ts';

const rich = {
  content: [
    { type: 'text', text: 'x', _meta: { a: 1 } },
    { type: 'audio', data: '', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A', icons: [] },
  ],
  structuredContent: { ok: true },
};

describe('shapeResult', () => {
  it('leaves the newest revision untouched', () => {
    assert.equal(shapeResult('tools/call', rich, '2025-11-25'), rich);
  });

  it('keeps links and structure at 2025-06-18 but not icons', () => {
    assert.deepEqual(shapeResult('tools/call', rich, '2025-06-18'), {
      content: [rich.content[0], rich.content[1], { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A' }],
      structuredContent: { ok: true },
    });
  });

  it('makes links text at 2025-03-26', () => {
    assert.deepEqual(shapeResult('tools/call', rich, '2025-03-26'), {
      content: [{ type: 'text', text: 'x' }, rich.content[1], { type: 'text', text: 'file:///a' }],
    });
  });

  it('makes audio text at 2024-11-05', () => {
    assert.deepEqual(shapeResult('tools/call', rich, '2024-11-05'), {
      content: [
        { type: 'text', text: 'x' },
        { type: 'text', text: '[audio, audio/wav]' },
        { type: 'text', text: 'file:///a' },
      ],
    });
  });

  it('has the title of a tool where each revision looks for it', () => {
    const tool = { name: 'a', title: 'A', annotations: { readOnlyHint: true } };
    const shaped = (['2025-06-18', '2025-03-26', '2024-11-05'] as const).map((revision) =>
      shapeResult('tools/list', { tools: [tool, { name: 'b' }] }, revision),
    );
    assert.deepEqual(shaped, [
      { tools: [tool, { name: 'b' }] },
      { tools: [{ name: 'a', annotations: { readOnlyHint: true, title: 'A' } }, { name: 'b' }] },
      { tools: [{ name: 'a' }, { name: 'b' }] },
    ]);
  });

  it('shapes the content of prompts', () => {
    const prompt = { messages: [{ role: 'user', content: rich.content[1] ?? null }] };
    assert.deepEqual(shapeResult('prompts/get', prompt, '2024-11-05'), {
      messages: [{ role: 'user', content: { type: 'text', text: '[audio, audio/wav]' } }],
    });
  });

  it('takes the sentence out of progress at 2024-11-05', () => {
    const progress = { progressToken: 1, progress: 2, message: 'x' };
    assert.deepEqual(
      [shapeProgress(progress, '2024-11-05'), shapeProgress(progress, '2025-03-26')],
      [{ progressToken: 1, progress: 2 }, progress],
    );
  });
});
