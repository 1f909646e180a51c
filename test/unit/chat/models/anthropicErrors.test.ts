import assert from 'node:assert/strict';
import { toFailedRequest } from '../../../../src/chat/models/anthropicErrors.ts';

const apiKey = 'key of the person';

describe('What is told of a failed request', () => {
  it('has no key, and no beginning of one where the words of the error are cut', () => {
    for (const before of [0, 990, 995]) {
      const cause = new Error(`${'x'.repeat(before)}${apiKey} was refused`);
      const { error } = toFailedRequest(cause, { apiKey, model: 'm', progress: 'none', nowMs: 0 });
      assert.equal((error.detail ?? 'key of').includes('key o'), false, `after ${before} characters`);
    }
  });
});
