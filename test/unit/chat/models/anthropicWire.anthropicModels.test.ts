import assert from 'node:assert/strict';
import { toModelInfo } from '../../../../src/chat/models/anthropicWire.ts';
import { VscodeProvider } from '../../../../src/chat/models/vscodeModels.ts';

describe('A model that an endpoint lists', () => {
  it('is none without a name that it can be asked for by', () => {
    for (const id of [undefined, 7, null, {}, '', 'x'.repeat(201)]) {
      assert.equal(toModelInfo({ id: id as string }), undefined);
    }
    assert.equal(toModelInfo({ id: 'x' })?.label, 'x');
  });

  it('is listed whatever is missing of what is said of it, or is of another kind', () => {
    const thinkingOf = (capabilities: unknown): unknown => {
      const info = toModelInfo({ id: 'x', capabilities, max_input_tokens: 'many' } as unknown as Parameters<typeof toModelInfo>[0]);
      return [info?.id, info?.contextTokens, info?.thinking];
    };
    const unknown = ['x', undefined, 'budgeted'];
    for (const said of [undefined, null, {}, 7, [], { thinking: null }, { thinking: {} }, { thinking: { types: {} } }]) {
      assert.deepEqual(thinkingOf(said), unknown, JSON.stringify(said));
    }
    assert.deepEqual(thinkingOf({ thinking: { types: { adaptive: { supported: true } } } }), ['x', undefined, 'adaptive']);
    assert.deepEqual(thinkingOf({ thinking: { types: { enabled: { supported: false } } } }), ['x', undefined, undefined]);
    assert.deepEqual(thinkingOf({ thinking: { supported: false } }), ['x', undefined, undefined]);
    for (const entry of [null, 'claude', undefined]) {
      assert.equal(toModelInfo(entry as unknown as null), undefined);
    }
  });

  it('is shown on one line, with nothing hidden, and not endless', async () => {
    assert.equal(toModelInfo({ id: 'x', display_name: 'Cla\u202Eude\n\n5' })?.label, 'Cla⟨U+202E⟩ude 5');
    assert.equal(toModelInfo({ id: 'x', display_name: 'y'.repeat(1_000_000) })?.label.length, 200);
    const list = [{ vendor: 'v', id: 'i', label: `z\u200B${'z'.repeat(10_000)}`, contextTokens: 1 }];
    const unused = (): never => assert.fail();
    const provider = new VscodeProvider({ known: () => list, list: () => Promise.resolve(list), send: unused, countTokens: unused });
    const [model] = await provider.listModels();
    assert.deepEqual([model?.label.slice(0, 10), model?.label.length], ['z⟨U+200B⟩z', 200]);
  });
});
