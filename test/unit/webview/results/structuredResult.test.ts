import assert from 'node:assert/strict';
import { parsedResult, tableOf } from '../../../../src/webview/results/structuredResult.tsx';

describe('A structured result', () => {
  it('is a table when it is a list of flat objects, also inside one object', () => {
    const rows = [
      { name: 'a', count: 1 },
      { name: 'b', isOpen: true },
    ];
    const table = {
      columns: ['name', 'count', 'isOpen'],
      rows: [
        ['a', 1, undefined],
        ['b', undefined, true],
      ],
    };
    assert.deepEqual(tableOf(rows), { name: undefined, ...table });
    assert.deepEqual(tableOf({ items: rows }), { name: 'items', ...table });
  });

  it('is no table when something in it has parts of its own, or there is nothing in it', () => {
    for (const value of [[], {}, [{}], [1, 2], [{ a: { b: 1 } }], { items: [{ a: 1 }], total: 1 }, 'text', null]) {
      assert.equal(tableOf(value), undefined);
    }
  });

  it('stays JSON when reading it would change it', () => {
    assert.equal(parsedResult('{"id": 12345678901234567890}'), undefined);
    assert.equal(parsedResult('{"a": 1, "a": 2}'), undefined);
    assert.equal(parsedResult('{"a"'), undefined);
    assert.deepEqual(parsedResult('[1]'), { value: [1] });
  });
});
