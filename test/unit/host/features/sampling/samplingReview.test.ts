import assert from 'node:assert/strict';
import type { SamplingEdit } from '../../../../../src/contract/questions/samplingQuestions.ts';
import type { SamplingContent, SamplingRequest } from '../../../../../src/contract/chat/samplingModel.ts';
import { editRequest } from '../../../../../src/host/features/sampling/samplingReview.ts';

const image = (data: string): Extract<SamplingContent, { type: 'image' }> => ({ type: 'image', mimeType: 'image/png', data });
const request: SamplingRequest = {
  model: 'model-1',
  systemPrompt: '',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Look.' }, image('AAAA')] },
    { role: 'assistant', content: [{ type: 'toolUse', id: 'use_1', name: 'zoom', input: {} }] },
    { role: 'user', content: [{ type: 'toolResult', toolUseId: 'use_1', isError: false, content: [image('BBBB'), image('CCCC')] }] },
    { role: 'user', content: [image('DDDD')] },
  ],
  maxTokens: 10,
  stopSequences: ['END', 'STOP'],
  tools: [
    { name: 'zoom', description: 'Shows a part.', inputSchema: { type: 'object' } },
    { name: 'ask', description: 'Asks back.', inputSchema: {} },
  ],
  toolChoice: 'required',
};
const imagesOf = (edit: SamplingEdit): readonly (readonly string[])[] | undefined =>
  editRequest(request, edit)?.messages.map(({ content }) => JSON.stringify(content).match(/[A-D]{4}/g) ?? []);

describe('What a person made of a request for the model', () => {
  it('is without the images that they left out, wherever those stood, and without what is empty then', () => {
    assert.deepEqual(imagesOf({}), [['AAAA'], [], ['BBBB', 'CCCC'], ['DDDD']]);
    assert.deepEqual(imagesOf({ leftOutImages: [0, 2] }), [[], [], ['BBBB'], ['DDDD']]);
    assert.deepEqual(imagesOf({ leftOutImages: [3] }), [['AAAA'], [], ['BBBB', 'CCCC']]);
  });

  it('has their stop sequences, without those that they emptied', () => {
    assert.deepEqual(editRequest(request, { stopSequences: ['FIN', null] })?.stopSequences, ['FIN', 'STOP']);
    assert.deepEqual(editRequest(request, { stopSequences: ['', null] })?.stopSequences, ['STOP']);
  });

  it('has the tools that they left in, and nothing to choose from when none is left', () => {
    const edited = editRequest(request, { leftOutTools: [0] });
    assert.deepEqual(edited?.tools, [{ name: 'ask', description: 'Asks back.', inputSchema: {} }]);
    assert.equal(edited.toolChoice, 'required');
    const none = editRequest(request, { leftOutTools: [0, 1] });
    assert.deepEqual([none?.tools, none?.toolChoice], [[], undefined]);
  });

  for (const [what, edit] of [
    ['an image that there is not', { leftOutImages: [4] }],
    ['another number of stop sequences', { stopSequences: ['a'] }],
    ['a tool that there is not', { leftOutTools: [2] }],
    ['another number of texts', { texts: ['a'] }],
    ['arguments of a tool that are no object', { texts: [null, '[]'] }],
  ] as const satisfies readonly (readonly [string, SamplingEdit])[]) {
    it(`is refused whole with ${what}`, () => {
      assert.equal(editRequest(request, edit as SamplingEdit), undefined);
    });
  }

  it('is refused when nothing is left of it', () => {
    const plain: SamplingRequest = { ...request, messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }] };
    assert.equal(editRequest(plain, { texts: [' '] }), undefined);
  });
});
