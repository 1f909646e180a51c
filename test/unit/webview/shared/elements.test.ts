import assert from 'node:assert/strict';
import { nextTab } from '../../../../src/webview/shared/elements.tsx';

describe('The keys of tabs', () => {
  const views = ['one', 'two', 'three'] as const;

  it('lead to the next one, to the first and to the last', () => {
    const from = (key: string): unknown => nextTab(key, views, 'two');
    assert.deepEqual(['ArrowRight', 'ArrowLeft', 'Home', 'End', 'Enter'].map(from), ['three', 'one', 'one', 'three', undefined]);
  });

  it('lead nowhere from the ends', () => {
    assert.deepEqual([nextTab('ArrowRight', views, 'three'), nextTab('ArrowLeft', views, 'one')], ['three', 'one']);
  });
});
