import assert from 'node:assert/strict';
import type * as EditorActingModule from '../../../../src/editor/acting/editorActing.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

const program = "export { MessageLimit } from './src/editor/acting/editorActing.ts';";
const { MessageLimit } = await importWithFakes<typeof EditorActingModule>(program, { vscode: '' });

describe('Messages of one client', () => {
  it('are three at once, then one every five seconds, whatever others say', () => {
    let now = 0;
    const limit = new MessageLimit(() => now);
    const say = (client: string): boolean => {
      try {
        limit.demand(client);
        return true;
      } catch {
        return false;
      }
    };
    assert.deepEqual([say('a'), say('a'), say('a'), say('a'), say('b')], [true, true, true, false, true]);
    now = 4_999;
    assert.equal(say('a'), false);
    now = 5_001;
    assert.deepEqual([say('a'), say('a')], [true, false]);
  });
});
