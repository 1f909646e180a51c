import assert from 'node:assert/strict';
import { placedSentence } from '../../../../src/webview/forms/formTexts.ts';
import { placedRefusal } from '../../../../src/schemaForms/argumentProblems.ts';
import { stillTrue } from '../../../../src/webview/forms/argumentsDraft.ts';
import { argumentForm } from '../../schemaForms/support.ts';

describe('What the whole schema says against typed arguments', () => {
  it('holds for a value until that value is changed', () => {
    const refusals = [['a'], ['b', 0], []].map((path) => ({ path, keyword: 'pattern', wanted: '', reason: '' }));
    const found = { text: '{"a": 1, "b": ["x"]}', refusals };
    const pathsAt = (text: string): unknown => stillTrue(found, text).map(({ path }) => path);
    assert.deepEqual(pathsAt(found.text), [['a'], ['b', 0], []]);
    assert.deepEqual(pathsAt('{"a": 1, "b": ["y"]}'), [['a']]);
    assert.deepEqual(pathsAt('{"a": 2, "b": ["x"], "c": 1}'), [['b', 0]]);
  });

  it('does not hold for what is missing once that is gone which it was missing from', () => {
    const refusals = [{ path: ['list', 1, 'weight'], keyword: 'required', wanted: '', reason: '' }];
    const found = { text: '{"list": [{"weight": 1}, {}]}', refusals };
    const countAt = (text: string): number => stillTrue(found, text).length;
    assert.equal(countAt('{"list": [{"weight": 1}, {"kind": "box"}]}'), 1, 'still missing');
    assert.equal(countAt('{"list": [{"weight": 1}]}'), 0, 'its item is gone');
    assert.equal(countAt('{"list": [{"weight": 1}, {}, {}]}'), 0, 'the list is another one');
    assert.equal(countAt('{"list": [{"weight": 1}, 7]}'), 0, 'there is no place for it');
    assert.equal(countAt('{}'), 0, 'the list is gone');
  });

  it('is put in words beside the field that shows the value, with the way into it where that has no field', () => {
    const form = argumentForm({
      type: 'object',
      properties: { code: { type: 'string', pattern: '^x' }, free: { type: 'object' }, list: { type: 'array', items: { type: 'object' } } },
    });
    const value = { code: 'y', free: { a: { b: 1 } }, list: [{ c: 1 }] };
    const said = (path: (string | number)[], keyword: string, wanted = ''): unknown => {
      const placed = placedRefusal(form, value, { path, keyword, wanted, reason: 'must be odd' }, new Map());
      return [placed.path, placedSentence(placed)];
    };
    assert.deepEqual(said(['code'], 'pattern', '^x'), [['code'], 'code: This must fit the pattern ^x']);
    assert.deepEqual(said(['free', 'a', 'b'], 'type', 'string'), [['free'], 'free: a.b: This must be of the type string.']);
    assert.deepEqual(said(['list', 0, 'c'], 'odd'), [['list', 0], 'list[0]: c: The tool’s schema refuses this: must be odd']);
    assert.deepEqual(said(['gone'], 'required'), [[], 'gone: The tool needs this.']);
    assert.deepEqual(said([], 'oneOf', 'one'), [[], 'This fits several kinds of value, and the tool takes exactly one.']);
  });
});
