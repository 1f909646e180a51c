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
