import assert from 'node:assert/strict';
import { editsInput } from '../../../../../src/server/offer/tools/editProposal.ts';
import { whyUnread } from '../../../../../src/server/wire/transports/jsonBody.ts';

describe('A message that is refused before it is parsed', () => {
  it('is none that a tool would take: as many edits as a call may have are read', () => {
    const edit = { newText: 'x', range: { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } } };
    const callOf = (count: number): string => {
      const edits = Array.from({ length: count }, () => edit);
      const params = { name: 'propose_edit', arguments: { path: 'a.ts', edits }, _meta: { progressToken: 1 } };
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    };
    const takes = (count: number): boolean => editsInput.safeParse(Array.from({ length: count }, () => edit)).success;
    const counts = Array.from({ length: 20 }, (_, index) => 1_000 * (index + 1));
    const most = counts.findLast(takes) ?? 0;
    assert.ok(most > 0);
    assert.equal(whyUnread(callOf(most)), undefined);
    assert.equal(whyUnread(callOf(6 * most)), 'more than 50,000 values in a message; send it in parts');
  });
});
