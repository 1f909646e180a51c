import assert from 'node:assert/strict';
import { hasCode } from '../../../../src/base/errors.ts';
import { isFromCaller, readToolCall } from '../../../../src/views/runner/toolCallArgument.ts';

describe('The argument of Run Tool', () => {
  it('names a server and a tool; arguments may be left out', () => {
    assert.deepEqual(readToolCall({ server: 'a', tool: 'b' }), { server: 'a', tool: 'b', arguments: {}, show: false });
    const call = { server: 'a', tool: 'b', arguments: { c: 1 }, show: true };
    assert.deepEqual(readToolCall(call), call);
  });

  for (const argument of [
    {},
    { server: 'a' },
    { server: 1, tool: 'b' },
    { server: 'a', tool: 'b', arguments: [] },
    { server: 'a', tool: 'b', show: 'yes' },
    'a',
    7,
  ]) {
    it(`is refused: ${JSON.stringify(argument)}`, () => {
      assert.throws(
        () => readToolCall(argument),
        (error) => hasCode(error, 'runTool.badArgument'),
      );
    });
  }

  it('comes from a caller unless there is none or a row of the tree was pressed', () => {
    assert.deepEqual([undefined, null, { kind: 'member' }, {}, { server: 'a', tool: 'b' }].map(isFromCaller), [
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});
