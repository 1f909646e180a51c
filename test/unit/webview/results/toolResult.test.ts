import assert from 'node:assert/strict';
import { cutText, isDiff, progressShare } from '../../../../src/webview/results/toolResult.tsx';

describe('What a person sees of a result', () => {
  it('knows the share done only when the total is known', () => {
    assert.deepEqual([{ value: 1, total: 4 }, { value: 9, total: 4 }, { value: 1 }, { value: 1, total: 0 }, undefined].map(progressShare), [
      0.25,
      1,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('cuts long results by lines and by characters', () => {
    assert.equal(cutText('short'), undefined);
    assert.equal(cutText('x\n'.repeat(100))?.split('\n').length, 24);
    assert.equal(cutText('x'.repeat(10_000))?.length, 4000);
  });

  it('knows a difference between two texts by its first lines', () => {
    assert.ok(isDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'));
    assert.ok(isDiff('diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n'));
    assert.ok(!isDiff('---\ntitle: x\n---\n'));
    assert.ok(!isDiff('a --- b'));
  });
});
