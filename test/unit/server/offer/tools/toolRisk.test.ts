import assert from 'node:assert/strict';
import { onlyLooking, toolRisk } from '../../../../../src/server/offer/tools/toolRisk.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';

describe('What the chat says about the risk of the editor’s own tools', () => {
  it('is what the tools themselves say', () => {
    const risks = { reader: 'readsEditor', editor: 'changesEditor', runner: 'runsCode' } as const;
    const expected = tools.map(({ name, acts, role }) => [name, acts ? risks[role] : 'readsEditor']);
    assert.deepEqual(
      tools.map(({ name }) => [name, toolRisk(name)]),
      expected,
    );
  });

  it('counts as only looking what every reader may see and what does nothing else', () => {
    const expected = tools.filter(({ acts, role }) => !acts && role === 'reader').map(({ name }) => name);
    assert.deepEqual(onlyLooking.toSorted(), expected.toSorted());
  });
});
