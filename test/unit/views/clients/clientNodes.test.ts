import assert from 'node:assert/strict';
import type { ClientEntry } from '../../../../src/server/protocol/clientRegistry.ts';
import { abilitiesOf, childrenOf, clientNodes, nodeId, clientTargetOf } from '../../../../src/views/clients/clientNodes.ts';

const client = (sessionId: string, credentialId: string, credentialKind: ClientEntry['credentialKind']): ClientEntry => ({
  sessionId,
  isStateless: false,
  credentialId,
  credentialKind,
  label: undefined,
  callsItself: 'peer 9',
  transport: 'http',
  since: 0,
  lastCall: undefined,
  calls: 0,
  callsPerMinute: 0,
  approval: 'allowed',
  role: 'reader',
});
const known = { credentialId: 'client-2', credentialKind: 'clientToken', label: 'Cursor' } as const;

describe('The tree of clients', () => {
  it('shows the only session of a credential by itself, several below it, and who is known and away', () => {
    const clients = [
      client('a', 'window-1', 'windowToken'),
      client('b', 'client-1', 'clientToken'),
      client('c', 'window-1', 'windowToken'),
    ];
    const nodes = clientNodes(clients, [known, { ...known, credentialId: 'client-1' }]);
    assert.deepEqual(nodes.map(nodeId), ['credential:window-1', 'b', 'known:client-2']);
    assert.deepEqual(
      nodes.map((node) => childrenOf(node).map(nodeId)),
      [['a', 'c'], [], []],
    );
  });

  it('offers role and access where they are held, and to revoke for the whole credential', () => {
    const sessions = ['windowToken', 'clientToken'].flatMap((kind) =>
      ['a', 'b'].map((id) => client(`${kind} ${id}`, kind, kind as ClientEntry['credentialKind'])),
    );
    const nodes = clientNodes(sessions, [known]).flatMap((node) => [node, ...childrenOf(node)]);
    const own = ['roleable', 'accessible'];
    const whole = ['roleable', 'accessible', 'revocable'];
    assert.deepEqual(nodes.map(abilitiesOf), [['revocable'], own, own, whole, [], [], whole]);
    assert.deepEqual(clientNodes([client('a', 'window-1', 'windowToken')], []).map(abilitiesOf), [whole]);
    const stateless = { ...client('a', 'window-1', 'windowToken'), isStateless: true };
    assert.deepEqual(clientNodes([stateless], []).map(abilitiesOf), [['roleable', 'revocable']], 'it could be anybody');
    assert.deepEqual(
      nodes.slice(0, 3).map((node) => clientTargetOf(node).sessionId),
      ['windowToken a', 'windowToken a', 'windowToken b'],
    );
  });
});
