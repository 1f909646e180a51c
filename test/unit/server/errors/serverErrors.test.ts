import assert from 'node:assert/strict';
import { pathNotFound } from '../../../../src/platform/paths/clientPath.ts';
import { clientError, isNotFound } from '../../../../src/server/errors/serverErrors.ts';

describe('What is not found', () => {
  it('is a path, a terminal or a test run that is not there, and no other failure', () => {
    const notFound = [
      pathNotFound('a.ts'),
      clientError('server.terminalNotFound', { path: '7' }),
      clientError('server.testRunNotFound', { path: 'run-1' }),
    ];
    const others = [clientError('server.denied'), new Error('There is no "a.ts" in this workspace.'), undefined];
    assert.deepEqual([notFound.map(isNotFound), others.map(isNotFound)], [notFound.map(() => true), others.map(() => false)]);
  });
});
