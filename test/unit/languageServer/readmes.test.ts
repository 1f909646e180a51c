import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { readPasted } from '../../../src/definitions/pasted/readPasted.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { sentenceOf } from '../../../src/languageServer/problem.ts';
import { validate } from '../../../src/languageServer/checks/validate.ts';
import { readmeConfigurations } from '../../fixtures/readmeConfigurations.ts';

function shownOf({ command, args, url }: JsonObject): unknown {
  return typeof command === 'string' ? [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ') : url;
}

describe('The configurations of public READMEs', () => {
  it('are thirty at least, in the forms of many tools', () => {
    assert.ok(readmeConfigurations.length >= 30, String(readmeConfigurations.length));
    assert.equal(new Set(readmeConfigurations.map(({ from }) => from)).size, readmeConfigurations.length);
  });

  for (const { from, kind, document, servers, says = [] } of readmeConfigurations) {
    it(`are read and checked: ${from}`, () => {
      const text = JSON.stringify(document, undefined, 2);
      const pasted = readPasted(text);
      assert.ok(pasted.kind === 'servers', JSON.stringify(pasted));
      const read = Object.fromEntries(pasted.servers.map(({ name, definition }) => [name ?? '', shownOf(definition)]));
      assert.deepEqual(read, servers);

      // Taken over into our settings, every one is a definition without a mistake.
      const value = Object.fromEntries(pasted.servers.map(({ name, definition }) => [name ?? '', definition]));
      const { definitions, problems } = readDefinitions([{ scope: 'user', value, inputs: pasted.inputs, location: 'here' }], {});
      assert.deepEqual([definitions.length, problems.filter(({ severity }) => severity === 'error')], [pasted.servers.length, []]);

      const found = validate(text, kind).filter(({ severity }) => severity !== 'hint');
      assert.deepEqual(
        found.map(({ code }) => code),
        says,
        found.map(sentenceOf).join('\n'),
      );
    });
  }
});
