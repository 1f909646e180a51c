import assert from 'node:assert/strict';
import { asJson } from '../../../../src/webview/runner/insertRow.tsx';

describe('A text that is inserted into JSON', () => {
  const inserted = (json: string, text: string): string => {
    const place = json.indexOf('|');
    const without = json.replace('|', '');
    return without.slice(0, place) + asJson(without, place, text) + without.slice(place);
  };

  it('is the inside of a string between quotes, and a whole one elsewhere', () => {
    for (const json of ['{"a": "x|"}', '{"a": |}', '{"a": "\\"|"}', '{"a": "\\\\", "b": |}']) {
      const parsed = JSON.parse(inserted(json, 'say "hi"\n')) as Record<string, string>;
      assert.ok(Object.values(parsed).at(-1)?.endsWith('say "hi"\n'), json);
    }
  });
});
