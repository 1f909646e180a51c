import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type AskAdapter, changedSince, framesOf, variablesOf } from '../../../../src/editor/debug/debugValues.ts';

/** An adapter whose variables are given by reference. */
function adapter(variables: Readonly<Record<number, readonly JsonObject[]>>): { readonly ask: AskAdapter; readonly asked: JsonObject[] } {
  const asked: JsonObject[] = [];
  const ask: AskAdapter = (command, args) => {
    asked.push({ command, ...args });
    const scopes = [
      { name: 'Locals', variablesReference: 1, expensive: false },
      { name: 'Globals', variablesReference: 2, expensive: true },
    ];
    return Promise.resolve(command === 'scopes' ? { scopes } : { variables: variables[Number(args['variablesReference'])] ?? [] });
  };
  return { ask, asked };
}

describe('The variables of a frame', () => {
  it('are the local ones; global ones only by name', async () => {
    const { ask } = adapter({
      1: [
        { name: 'a', value: '1', type: 'int', variablesReference: 0 },
        { name: 'special variables', value: '' },
      ],
      2: [{ name: 'everywhere', value: '2' }],
    });
    assert.deepEqual((await variablesOf(ask, 1, { depth: 1 })).variables, [{ name: 'a', type: 'int', value: '1' }]);
    assert.deepEqual((await variablesOf(ask, 1, { depth: 1, names: ['everywhere'] })).variables, [{ name: 'everywhere', value: '2' }]);
  });

  it('that refer to themselves are read as deep as was asked, and no deeper', async () => {
    const { ask, asked } = adapter({
      1: [{ name: 'a', value: '{…}', variablesReference: 9 }],
      9: [{ name: 'self', value: '{…}', variablesReference: 9 }],
    });
    const { variables } = await variablesOf(ask, 1, { depth: 3 });
    assert.deepEqual(
      variables.map(({ name }) => name),
      ['a', 'a.self', 'a.self.self'],
    );
    assert.equal(asked.length, 4);
  });

  it('are cut where there are too many or too long ones', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ name: `v${index}`, value: 'x'.repeat(200_000), variablesReference: 0 }));
    const { variables, isPartial } = await variablesOf(adapter({ 1: many }).ask, 1, { depth: 1 });
    assert.ok(variables.length <= 400 && isPartial);
    assert.ok(variables.every(({ value = '' }) => value.length <= 100_000));
  });

  it('are none where the adapter fails or says nonsense', async () => {
    const failing: AskAdapter = () => Promise.reject(new Error('no'));
    assert.deepEqual(await variablesOf(failing, 1, { depth: 1 }), { variables: [], isPartial: false });
    assert.deepEqual(await framesOf(() => Promise.resolve({ stackFrames: 'none' }), 1, 5), []);
  });

  it('have changed where they are new or have another value', () => {
    const now = [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
      { name: 'c', value: '3' },
    ];
    const before = new Map([
      ['a', '1'],
      ['b', '1'],
    ]);
    assert.deepEqual(
      changedSince(before, now).map(({ name }) => name),
      ['b', 'c'],
    );
    assert.equal(changedSince(undefined, now).length, 3);
  });
});
