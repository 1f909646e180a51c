import assert from 'node:assert/strict';
import type * as ProposalsModule from '../../../../../src/editor/acting/changes/proposals.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

const program = "export { firstNamedTwice } from './src/editor/acting/changes/proposals.ts';";
const { firstNamedTwice } = await importWithFakes<typeof ProposalsModule>(program, { vscode: '' });

describe('A file that is named twice', () => {
  it('is told, whether it is changed, moved or the place of a move, by the path of the later change', () => {
    const a = { path: 'a', places: ['/a'] };
    const aToB = { path: 'a too', places: ['/a', '/b'] };
    const cToB = { path: 'c', places: ['/c', '/b'] };
    assert.equal(firstNamedTwice([a, { path: './a', places: ['/a'] }]), './a');
    assert.equal(firstNamedTwice([a, aToB]), 'a too');
    assert.equal(firstNamedTwice([aToB, cToB]), 'c');
    assert.equal(firstNamedTwice([aToB, { path: 'b', places: ['/b'] }]), 'b');
    assert.equal(firstNamedTwice([a, cToB]), undefined);
  });

  it('is not one that is moved to another spelling of its own name', () => {
    assert.equal(firstNamedTwice([{ path: 'a', places: ['/a', '/a'] }]), undefined);
  });
});
