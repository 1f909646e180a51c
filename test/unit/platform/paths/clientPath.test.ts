import assert from 'node:assert/strict';
import { parseClientPath } from '../../../../src/platform/paths/clientPath.ts';

describe('A client path', () => {
  it('is none when it is longer than any system has one, however it is written', () => {
    const folders = [{ name: 'demo', path: '/demo', uri: 'file:///demo' }];
    const kindOf = (path: string): string | undefined => parseClientPath(path, folders)?.kind;
    const long = 'x'.repeat(200_000);
    assert.deepEqual(['x'.repeat(90_000), long, `/demo/${long}`, `file:///demo/${long}`, `untitled:${long}`].map(kindOf), [
      'file',
      ...Array<undefined>(4).fill(undefined),
    ]);
  });
});
