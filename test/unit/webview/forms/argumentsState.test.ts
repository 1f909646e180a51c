import assert from 'node:assert/strict';
import { type JsonValue, parsedObject } from '../../../../src/base/json.ts';
import { argumentProblems } from '../../../../src/schemaForms/argumentProblems.ts';
import {
  changedText,
  hasNullSwitch,
  isShownAsIs,
  jsonOf,
  numberOrText,
  placesAsked,
} from '../../../../src/webview/forms/argumentsState.ts';
import { placedSentence, variantLabels } from '../../../../src/webview/forms/formTexts.ts';
import { argumentForm } from '../../schemaForms/support.ts';

const form = argumentForm({
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    text: { type: 'string', maxLength: 20 },
    note: { type: 'string', format: 'uri' },
    count: { type: 'integer', minimum: 1 },
    size: { enum: ['s', 'm'] },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
});
const [text, note, count, size, tags] = form.fields;
assert.ok(text && note && count && size && tags);

describe('The arguments of a call in the hands of a person', () => {
  it('have items that are known again wherever they stand, and only those', () => {
    const asked = ['a', { b: 1 }, 'a', 'c'];
    assert.deepEqual(placesAsked(asked, 'a'), [0, 2]);
    assert.deepEqual(placesAsked(asked, { b: 1 }), [1]);
    assert.deepEqual(placesAsked(asked, 'changed'), []);
    assert.deepEqual(placesAsked(undefined, 'a'), []);
  });

  it('are one text, whichever of its two forms is changed', () => {
    const before = '{"text": "a\\u200bb", "more": [1, 2]}';
    const after = changedText(before, ['count'], 2);
    assert.deepEqual(parsedObject(after), { text: 'a\u200Bb', more: [1, 2], count: 2 });
    assert.match(after, /a\\u200bb/, 'and nothing in it is invisible');
    assert.equal(changedText('{"text": ', ['count'], 2), '{"text": ', 'what is no JSON yet is not lost');
  });

  it('are shown by a control only where that shows them as they are', () => {
    const shown = (field: typeof text, ...values: readonly JsonValue[]): readonly boolean[] =>
      values.map((value) => isShownAsIs(field, value));
    assert.deepEqual(shown(text, 'plain', 'two\nlines "quoted" C:\\new', ''), [true, true, true]);
    assert.deepEqual(shown(text, ' ends ', 'a\u200Bb', 'a\tb', 'no\u00A0break', `far${' '.repeat(60)}away`, 7, null), Array(7).fill(false));
    assert.deepEqual(shown(note, '', 'x'), [false, true], 'an empty text looks like none');
    assert.deepEqual(shown(count, 7, '7'), [true, false]);
    assert.deepEqual(shown(size, 's', 'xl'), [true, false]);
    assert.deepEqual(shown(tags, ['a', 'b'], ['a\u200Bb'], 'a'), [true, false, false]);
  });

  it('may be half typed: what is no number yet is kept, and refused', () => {
    assert.deepEqual(['12', ' 1.5 ', '-', '1.', '', '1e3', '007'].map(numberOrText), [12, 1.5, '-', '1.', undefined, 1000, '007']);
    assert.deepEqual(['1.0', '1e5', '1E400', '9007199254740993', '0x10'].map(numberOrText), [
      1,
      100_000,
      '1E400',
      '9007199254740993',
      '0x10',
    ]);
  });

  it('are refused in words, each with its place', () => {
    const value = { note: 'nowhere', count: 0, size: 'xl', tags: [], other: 1 };
    assert.deepEqual(argumentProblems(form, value).map(placedSentence), [
      'text: The tool needs this.',
      'count: At least 1.',
      'size: Choose one of the values.',
      'tags: Too few: at least 1.',
      'other: The tool does not take this.',
    ]);
    assert.deepEqual(argumentProblems(form, { text: 'x'.repeat(21), count: 'many' }).map(placedSentence), [
      'text: At most 20 characters.',
      'count: This is not a number.',
    ]);
  });

  it('are written so that every character is seen', () => {
    assert.equal(jsonOf({ a: '\u202Ex' }), '{\n  "a": "\\u202ex"\n}');
  });

  it('show null by a switch of its own where the schema takes it, else as JSON, never as nothing', () => {
    const nullable = argumentForm({
      type: 'object',
      properties: {
        list: { type: ['array', 'null'], items: { type: 'string' } },
        group: { type: ['object', 'null'], properties: { a: {} } },
        text: { type: 'string' },
        any: {},
      },
    });
    assert.deepEqual(
      nullable.fields.map((field) => [field.name, hasNullSwitch(field), isShownAsIs(field, null)]),
      [
        ['list', true, true],
        ['group', true, true],
        ['text', false, false],
        ['any', false, false],
      ],
    );
  });

  it('show an entry of any name that is empty as the empty text it is', () => {
    const [labels] = argumentForm({
      type: 'object',
      properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
    }).fields;
    assert.ok(labels?.type === 'group' && labels.rest !== undefined);
    assert.equal(isShownAsIs(labels.rest, ''), true);
  });

  it('name the kinds of a value by the schema’s word or by their type, and no two alike', () => {
    const [field] = argumentForm({
      type: 'object',
      properties: {
        it: {
          anyOf: [
            { type: 'string' },
            { type: 'integer', title: 'Number of the page' },
            { type: 'array', items: { type: 'string' } },
            { type: 'array', items: { type: 'number' } },
          ],
        },
      },
    }).fields;
    assert.ok(field?.type === 'variants');
    assert.deepEqual(variantLabels(field.variants), ['Text', 'Number of the page', 'List 3', 'List 4']);
  });
});
