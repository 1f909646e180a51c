import assert from 'node:assert/strict';
import { callRequest } from '../../../../src/host/tools/callRequest.ts';
import type { ToolInfo } from '../../../../src/host/shared/serverState.ts';

const tool: ToolInfo = {
  name: 'echo',
  title: undefined,
  description: 'Gives it back.',
  inputSchema: { type: 'object' },
  outputSchema: undefined,
  annotations: undefined,
};

describe('The request for permission to call a tool', () => {
  const requestOf = (principal: 'chat' | 'palette', serverId: string, of = tool, identity = 'i'): ReturnType<typeof callRequest> =>
    callRequest(principal, { serverId, server: 'any', identity, tool: of, risk: 'unknown' });

  it('is made once for the same tool, server and caller', () => {
    assert.equal(requestOf('chat', 'user:a'), requestOf('chat', 'user:a'));
  });

  it('names the server and the caller it is about, whichever were asked about before', () => {
    const asked = [
      ['chat', 'user:a'],
      ['chat', 'user:b'],
      ['palette', 'user:a'],
      ['chat', 'user:a'],
    ] as const;
    const named = asked.map(([principal, serverId]) => {
      const { principal: who, subject } = requestOf(principal, serverId);
      return [who, subject[1]];
    });
    assert.deepEqual(named, asked);
  });

  it('is another one for a tool that is described otherwise', () => {
    const changed = requestOf('chat', 'user:a', { ...tool, description: 'Gives it away.' });
    assert.notEqual(changed.fingerprint, requestOf('chat', 'user:a').fingerprint);
  });

  it('is another one for a server that was started from something else, and the same for the editor’s own as before', () => {
    assert.notEqual(requestOf('chat', 'user:a', tool, 'other').fingerprint, requestOf('chat', 'user:a').fingerprint);
    assert.equal('server' in requestOf('chat', 'user:a', tool, '').material, false);
  });
});
