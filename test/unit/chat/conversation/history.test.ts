import assert from 'node:assert/strict';
import { toModelMessages, type Turn } from '../../../../src/chat/conversation/history.ts';
import type { ModelMessage, OpaqueBlock, TextBlock, ToolResultBlock, ToolUseBlock } from '../../../../src/chat/models/modelProvider.ts';

const text = (value: string): TextBlock => ({ type: 'text', text: value });
const use = (id: string): ToolUseBlock => ({ type: 'toolUse', id, name: 'tool', input: {} });
const result = (toolUseId: string): ToolResultBlock => ({
  type: 'toolResult',
  toolUseId,
  isError: false,
  outcome: 'done',
  content: [text('ok')],
});
const thought: OpaqueBlock = { type: 'opaque', provider: 'anthropic', model: 'm', value: { type: 'thinking' } };
const user = (...content: (TextBlock | ToolResultBlock)[]): ModelMessage => ({ role: 'user', content });
const assistant = (...content: (TextBlock | ToolUseBlock | OpaqueBlock)[]): ModelMessage => ({ role: 'assistant', content });
const turn = (...messages: ModelMessage[]): Turn => ({
  userItemId: 'u',
  assistantItemId: 'a',
  messages,
  safe: { messages: 1, parts: 0 },
  isWithheld: false,
  audience: [],
});

describe('the history that is sent to a model', () => {
  it('stays as it is when every turn is complete', () => {
    const messages = [user(text('a')), assistant(thought, text('b'), use('1')), user(result('1')), assistant(text('c'))];
    assert.deepEqual(toModelMessages([turn(...messages), turn(user(text('d')))]), [...messages, user(text('d'))]);
  });

  it('answers a tool use that never got its result, before the next message', () => {
    const sent = toModelMessages([turn(user(text('a')), assistant(use('1'), use('2')), user(result('2'))), turn(user(text('b')))]);
    assert.equal(sent.length, 3);
    assert.deepEqual(
      sent[2]?.content.map((block) => (block.type === 'toolResult' ? [block.toolUseId, block.outcome] : block)),
      [['1', 'cancelled'], ['2', 'done'], text('b')],
    );
  });

  it('answers several tool uses with one id by their results in order, each once', () => {
    const results = ['one', 'two'].map((each) => ({ ...result('1'), content: [text(each)] }));
    const sent = toModelMessages([turn(user(text('a')), assistant(use('1'), use('1'), use('1')), user(...results))]);
    assert.deepEqual(
      sent[2]?.content.map((block) => (block.type === 'toolResult' && block.outcome === 'done' ? block.content : block.type)),
      [[text('one')], [text('two')], 'toolResult'],
    );
  });

  it('answers a tool use at the very end', () => {
    const sent = toModelMessages([turn(user(text('a')), assistant(use('1')))]);
    assert.deepEqual(
      sent.at(-1)?.content.map((block) => block.type),
      ['toolResult'],
    );
  });

  it('joins messages of the person when an answer stayed empty or only began to think', () => {
    assert.deepEqual(
      toModelMessages([
        turn(user(text('a')), assistant()),
        turn(user(text('b')), assistant(thought)),
        turn(user(text('c')), assistant(text('  '))),
        turn(user(text('d'))),
      ]),
      [user(text('a'), text('b'), text('c'), text('d'))],
    );
  });

  it('leaves out results that nobody asked for and turns that were refused', () => {
    const refused = { ...turn(user(text('bad')), assistant(text('no'))), isWithheld: true };
    assert.deepEqual(toModelMessages([turn(user(text('a')), assistant(text('b'))), refused, turn(user(result('9'), text('c')))]), [
      user(text('a')),
      assistant(text('b')),
      user(text('c')),
    ]);
  });
});
