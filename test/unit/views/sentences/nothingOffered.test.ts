import assert from 'node:assert/strict';
import { nothingOffered } from '../../../../src/views/sentences/nothingOffered.ts';
import type { Translate } from '../../../../src/views/sentences/translate.ts';

const english: Translate = (text, ...args) => text.replace('{0}', String(args[0]));

describe('A list with nothing to choose from', () => {
  for (const kind of ['tools', 'resources', 'prompts'] as const) {
    it(`speaks of the one server that was looked at for ${kind}, and of all only when all were`, () => {
      assert.equal(nothingOffered(kind, 'trains', english), `“trains” offers no ${kind}.`);
      assert.match(nothingOffered(kind, undefined, english), /^No (running )?MCP server has a /);
    });
  }
});
