import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { headerFault, withoutInvalidHeaders } from '../../../../src/host/connection/toolList.ts';

const header = (name: unknown, more: JsonObject = { type: 'string' }): JsonObject => ({ ...more, 'x-mcp-header': name as string });
const withParameter = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { value: schema } });

describe('Parameters that are sent as headers', () => {
  it('may be texts, whole numbers and truth values at any depth of properties', () => {
    for (const type of ['string', 'integer', 'boolean']) {
      assert.equal(headerFault(withParameter(header('Region', { type }))), undefined);
    }
    assert.equal(headerFault(withParameter(withParameter(header('Region')))), undefined);
    assert.equal(headerFault({ type: 'object', properties: { 'x-mcp-header': { type: 'string' } } }), undefined);
    assert.equal(headerFault(withParameter({ type: 'string', default: { 'x-mcp-header': '' } })), undefined);
  });

  it('need the name of a header', () => {
    for (const name of ['', 'My Region', 'Region:Primary', 'Région', 'Region\t1', 7, null]) {
      assert.match(headerFault(withParameter(header(name))) ?? '', /is not the name of a header/, JSON.stringify(name));
    }
  });

  it('have no other type', () => {
    for (const more of [{ type: 'object' }, { type: 'array' }, { type: 'null' }, { type: 'number' }, { type: ['string', 'null'] }, {}]) {
      assert.match(headerFault(withParameter(header('Region', more))) ?? '', /no text/, JSON.stringify(more));
    }
  });

  it('have different names, whatever their case', () => {
    const schema = { type: 'object', properties: { a: header('Region'), b: header('REGION') } };
    assert.match(headerFault(schema) ?? '', /twice/);
  });

  it('stand where one parameter is meant', () => {
    for (const schema of [
      header('Region'),
      { type: 'object', $defs: { region: header('Region') } },
      { type: 'object', anyOf: [withParameter(header('Region'))] },
      withParameter({ type: 'array', items: header('Region') }),
    ]) {
      assert.match(headerFault(schema) ?? '', /no single parameter/, JSON.stringify(schema));
    }
  });

  it('leave out the tool that breaks these rules, and no other', () => {
    const good = { name: 'good', inputSchema: withParameter(header('Region')) };
    const bad = { name: 'bad', inputSchema: withParameter(header('')) };
    assert.deepEqual(withoutInvalidHeaders([good, bad, { name: 'plain' }], silentLog), [good, { name: 'plain' }]);
  });
});
