import assert from 'node:assert/strict';
import { silentLog } from '../../../../../src/base/log.ts';
import { callTool } from '../../../../../src/server/protocol/methods/toolCalls.ts';
import type { Catalog, ToolOutput } from '../../../../../src/server/offer/catalog/catalog.ts';

describe('The output of a tool', () => {
  const request = { access: { admitNow: () => 'allowed' }, viewer: { credential: { kind: 'chat' } } };

  async function resultOf(outcome: ToolOutput, revision: string): Promise<unknown> {
    const tool = { name: 'test', role: 'reader', prepare: () => ({ kind: 'ready', paths: [], run: () => outcome }) };
    const catalog: Pick<Catalog, 'findTool'> = { findTool: () => tool as never };
    const services = { catalog: catalog as Catalog, log: silentLog };
    return JSON.parse(await callTool(services, { name: 'test' }, { ...request, revision } as never)) as unknown;
  }

  for (const revision of ['2025-03-26', '2025-11-25', '2026-07-28']) {
    it(`that is written already is not written again at ${revision}`, async () => {
      let written = 0;
      const output = {
        toJSON: (): object => {
          written += 1;
          return { many: 'bytes' };
        },
      };
      const structure = '{"many":"bytes"}';
      const unwritten = await resultOf({ kind: 'output', output }, revision);
      assert.equal(written, 1);
      assert.deepEqual(await resultOf({ kind: 'output', output, structure }, revision), unwritten);
      assert.equal(written, 1);
    });
  }
});

describe('The arguments of a tool call', () => {
  const tool = {
    name: 'test',
    role: 'editor',
    asks: 'role',
    prepare: () => ({ kind: 'ready', paths: [], run: () => ({ kind: 'output', output: {} }) }),
  };
  const catalog: Pick<Catalog, 'findTool'> = { findTool: () => tool as never };

  async function writtenFor(access: object): Promise<number> {
    let written = 0;
    const args = {
      toJSON: (): object => {
        written += 1;
        return {};
      },
    };
    const request = { access, viewer: { credential: { kind: 'chat' } }, revision: '2025-11-25' };
    const params = { name: 'test', arguments: args } as never;
    await callTool({ catalog: catalog as Catalog, log: silentLog }, params, request as never);
    return written;
  }

  it('are written out for a person who is asked about it, and not where nobody is', async () => {
    assert.equal(await writtenFor({ admitNow: () => 'allowed' }), 0);
    const asked: unknown[] = [];
    const admit = (need: { readonly call: unknown }): Promise<'allowed'> => {
      asked.push(need.call);
      return Promise.resolve('allowed');
    };
    assert.equal(await writtenFor({ admitNow: () => undefined, admit }), 1);
    assert.deepEqual(asked, [{ tool: 'test', role: 'editor', arguments: '{}' }]);
  });
});
