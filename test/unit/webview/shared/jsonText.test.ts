import assert from 'node:assert/strict';
import { argumentsProblem, changedArguments, countMembers, editableJson, indentJson } from '../../../../src/webview/shared/jsonText.ts';

describe('Arguments on a permission card', () => {
  it('are indented without changing a digit or dropping a key', () => {
    assert.equal(
      indentJson('{"a":[1,{"b":"x, {y}: \\"z\\""}],"big":12345678901234567890,"big":1.0,"none":{},"empty":[ ]}'),
      [
        '{',
        '  "a": [',
        '    1,',
        '    {',
        '      "b": "x, {y}: \\"z\\""',
        '    }',
        '  ],',
        '  "big": 12345678901234567890,',
        '  "big": 1.0,',
        '  "none": {},',
        '  "empty": []',
        '}',
      ].join('\n'),
    );
    assert.equal(indentJson('not json'), 'not json');
  });

  it('show invisible characters as escapes that mean the same', () => {
    const shown = editableJson('{"a":"x\u200By\u{E0041}"}');
    assert.equal(shown, '{\n  "a": "x\\u200by\\udb40\\udc41"\n}');
    assert.deepEqual(JSON.parse(shown), { a: 'x\u200By\u{E0041}' });
  });

  it('are sent back only when their value changed', () => {
    const original = '{"a":1,"b":"\u200B"}';
    assert.equal(changedArguments(original, editableJson(original)), undefined);
    assert.equal(changedArguments(original, '{ "b": "\\u200b", "a": 1 }'), undefined);
    assert.equal(changedArguments(original, '{"a":2,"b":"\u200B"}'), '{"a":2,"b":"\u200B"}');
    assert.equal(changedArguments('{"n":12345678901234567890}', '{"n":12345678901234567891}'), '{"n":12345678901234567891}');
  });

  it('must be a JSON object', () => {
    assert.equal(argumentsProblem('{"a":1}'), undefined);
    assert.equal(argumentsProblem('{"a":'), 'This is not JSON yet.');
    assert.match(argumentsProblem('[1]') ?? '', /must be a JSON object/);
    assert.equal(countMembers('{"a":1,"b":2}'), 2);
  });
});
