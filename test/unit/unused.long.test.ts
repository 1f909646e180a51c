import assert from 'node:assert/strict';
import { findUnusedExports } from '../support/unused/findUnusedExports.ts';
import { findUnusedMembers } from '../support/unused/findUnusedMembers.ts';

/** Kept though no product code reads it, by what it is kept for. What is read again, or gone, has to leave the list. */
const kept: Readonly<Record<string, readonly string[]>> = {
  'The SDK reads it by its shape': [
    'src/host/transports/supervisedStdio.ts: SupervisedStdioTransport.pid',
    'src/host/transports/supervisedStdio.ts: SupervisedStdioTransport.stderr',
    'src/host/transports/webSocketTransport.ts: WebSocketTransport.pid',
    'src/host/transports/webSocketTransport.ts: WebSocketTransport.stderr',
  ],
  'Part of the protocol that no tool of ours uses': ['src/server/offer/catalog/catalog.ts: CallContext.log'],
  'How tests look inside': [
    'src/app/app.ts: TestAccess.servers',
    'src/base/lifecycle.ts: setLeakTracker',
    'src/chat/conversation/conversation.ts: Conversation.fromJSON',
    'src/extension.ts: TestDoor.access',
    'src/host/connection/serverSession.ts: ServerSession.client',
  ],
};

describe('Product code', () => {
  it('has nothing that only tests use, but for what is kept on purpose', function () {
    this.timeout(240_000); // one long piece of work, on a machine that may have others
    assert.deepEqual([...findUnusedExports(), ...findUnusedMembers()].sort(), Object.values(kept).flat().sort());
  });
});
