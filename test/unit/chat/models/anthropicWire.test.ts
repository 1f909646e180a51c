import assert from 'node:assert/strict';
import { sentBlock } from '../../../../src/chat/conversation/attachedBlock.ts';
import type { PreparedContent } from '../../../../src/chat/content/preparedContent.ts';
import { toWire } from '../../../../src/chat/models/anthropicWire.ts';
import type { ImageBlock, ModelMessage, ToolResultBlock } from '../../../../src/chat/models/modelProvider.ts';
import { blocksOf, checkRequest, type WireMessage } from '../../../fixtures/anthropic/requestRules.ts';
import { jpeg, pngOf } from '../../../support/tinyPictures.ts';

describe('A request in Anthropic’s words', () => {
  it('has what the person let in as parts of their message, in order', () => {
    const prepared: PreparedContent = {
      items: [
        { kind: 'text', name: '', pieces: ['token=', 1] },
        { kind: 'image', name: '', mimeType: 'image/png', data: pngOf(), bytes: 24 },
      ],
      secrets: [{ value: 'hunter2', length: 7, before: 'token=' }],
      documents: [],
      bytes: 15,
      totalBytes: undefined,
      totalParts: undefined,
      invisible: 0,
    };
    const attached = sentBlock('demo', { kind: 'resource', uri: 'demo://a', name: 'A' }, prepared, [], 'MARK');
    const { messages } = toWire({
      model: 'm',
      system: '',
      tools: [],
      maxTokens: 1,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'read a' }, attached] }],
    });
    const [message] = messages;
    assert.ok(message !== undefined && typeof message.content !== 'string');
    assert.deepEqual(
      message.content.map((part) => (part.type === 'text' ? part.text.replace(/^\[The person.* MARK\]$/, 'OPENING') : part.type)),
      ['read a', 'OPENING', 'token=[redacted]', 'image', '[End of what the server gave. MARK]'],
    );
  });

  const write = (messages: readonly ModelMessage[]): readonly WireMessage[] => {
    const request = { model: 'm', system: '', tools: [], maxTokens: 1, messages };
    const checked = checkRequest(JSON.parse(JSON.stringify(toWire(request))));
    assert.ok(checked.ok, checked.ok ? '' : checked.message);
    return checked.request.messages;
  };
  const call = (id: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'toolUse', id, name: 'shot', input: {} }] });
  const result = (toolUseId: string, isError: boolean, content: ToolResultBlock['content']): ModelMessage => ({
    role: 'user',
    content: [{ type: 'toolResult', toolUseId, isError, outcome: isError ? 'failed' : 'done', content }],
  });
  const image = (data = pngOf(), mimeType = 'image/png'): ImageBlock => ({ type: 'image', mimeType, data });
  const words = { type: 'text', text: 'no such page' } as const;

  it('has nothing but text in a result that failed, and always a word', () => {
    const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
    const messages = [hello, call('a'), result('a', true, [words, image()]), call('b'), result('b', true, [])];
    const [, , failed, , silent] = write(messages).map(({ content }) => content[0]);
    assert.deepEqual(
      [failed, silent].map((block) => typeof block === 'object' && 'content' in block && block.content),
      [
        [words, { type: 'text', text: '[Left out: an image (image/png), which only the person can see]' }],
        [{ type: 'text', text: 'The call failed without a word.' }],
      ],
    );
  });

  it('names the type of an image by its bytes, and leaves out what is none or too large', () => {
    const images = [image(jpeg), image('AAAA'), image(pngOf(8_001, 1)), image(pngOf(1, 8_000))];
    const [message] = write([{ role: 'user', content: images }]);
    const shown = blocksOf(message?.content ?? '').map((block) => (block.type === 'image' ? block.source.media_type : block.type));
    assert.deepEqual(shown, ['image/jpeg', 'text', 'text', 'image/png']);
  });

  it('has the newest images only, where there are more than are taken', () => {
    const kindsOf = (images: readonly ImageBlock[]): string => {
      const [message] = write([{ role: 'user', content: images }]);
      return blocksOf(message?.content ?? '')
        .map(({ type }) => type.slice(0, 1))
        .join('');
    };
    const small = (count: number): ImageBlock[] => Array.from({ length: count }, () => image());
    const large = image(pngOf(2_001, 10));
    assert.deepEqual(
      [
        kindsOf(small(102)),
        kindsOf([large, ...small(20)]),
        kindsOf([...small(20), large]),
        kindsOf([large, ...small(19)]),
        kindsOf(Array.from({ length: 8 }, () => image(pngOf(1, 1, 2_900_000)))),
      ],
      ['tt' + 'i'.repeat(100), 't' + 'i'.repeat(20), 't' + 'i'.repeat(20), 'i'.repeat(20), 'tt' + 'i'.repeat(6)],
    );
  });

  it('has an image although later results with images failed, because those are not sent', () => {
    const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'hi' }, image()] };
    const large = Array.from({ length: 20 }, () => image(pngOf(2_001, 1)));
    const [first] = write([hello, call('a'), result('a', true, large)]);
    assert.deepEqual(
      blocksOf(first?.content ?? '').map(({ type }) => type),
      ['text', 'image'],
    );
  });

  it('has ids of calls that are taken, each of one call alone, and its result after it', () => {
    const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
    const ids = ['call|fc:1', 'call_0', 'call_0', 'call_0-2', 'toolu_01'];
    const messages = write([hello, ...ids.flatMap((id) => [call(id), result(id, false, [words])])]);
    const written = messages.flatMap(({ content }) => blocksOf(content).flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
    assert.deepEqual(written, ['call-7c-fc-3a-1', 'call_0', 'call_0-2', 'call_0-2-2', 'toolu_01']);
  });

  it('has the result of each of several calls with one id in the same answer', () => {
    const several = (...all: readonly ModelMessage[]): ModelMessage =>
      ({ role: all[0]?.role, content: all.flatMap(({ content }): readonly unknown[] => content) }) as ModelMessage;
    const said = (text: string): ModelMessage => result('shot', false, [{ type: 'text', text }]);
    const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
    const turns = ['a', 'b'].flatMap((name) => [
      hello,
      several(call('shot'), call('shot')),
      several(said(`${name}1`), said(`${name}2`)),
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] } as const,
    ]);
    const messages = write([...turns, hello]);
    const written = messages.map(({ content }) =>
      blocksOf(content).flatMap((block): readonly unknown[] => {
        if (block.type === 'tool_use') {
          return [block.id];
        }
        return block.type === 'tool_result' ? [[block.tool_use_id, block.content]] : [];
      }),
    );
    const answer = (id: string, text: string): unknown => [id, [{ type: 'text', text }]];
    assert.deepEqual(
      written.filter((each) => each.length > 0),
      [
        ['shot', 'shot-2'],
        [answer('shot', 'a1'), answer('shot-2', 'a2')],
        ['shot-3', 'shot-4'],
        [answer('shot-3', 'b1'), answer('shot-4', 'b2')],
      ],
    );
  });
});
