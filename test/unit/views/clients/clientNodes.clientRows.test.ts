import assert from 'node:assert/strict';
import type { ClientEntry } from '../../../../src/server/protocol/clientRegistry.ts';
import { clientNodes, ClientRows, isClientRow, clientTargetOf } from '../../../../src/views/clients/clientNodes.ts';

const client = (sessionId: string, over: Partial<ClientEntry> = {}): ClientEntry => ({
  sessionId,
  isStateless: false,
  credentialId: 'window-1',
  credentialKind: 'windowToken',
  label: undefined,
  callsItself: 'peer 9',
  transport: 'http',
  since: 0,
  lastCall: undefined,
  calls: 0,
  callsPerMinute: 0,
  approval: 'allowed',
  role: 'reader',
  ...over,
});
const known = { credentialId: 'client-2', credentialKind: 'clientToken', label: 'Cursor' } as const;

describe('The rows of the clients', () => {
  it('stay the same while their clients call, and only those that say something else are drawn', () => {
    const rows = new ClientRows();
    assert.equal(rows.update(clientNodes([client('a'), client('b')], [known])), undefined);
    const [credential, away] = rows.roots;
    const [first, second] = credential?.children ?? [];
    const changed = rows.update(clientNodes([client('a'), client('b', { calls: 3, callsPerMinute: 3 })], [known]));
    assert.deepEqual(
      changed?.map(({ id }) => id),
      ['b'],
      'the credential above it would take its rows with it',
    );
    assert.deepEqual([rows.roots[0] === credential, rows.roots[1] === away], [true, true]);
    assert.deepEqual([credential?.children[0] === first, credential?.children[1] === second], [true, true]);
    assert.ok(second?.node.kind === 'client' && second.node.client.calls === 3);
    assert.deepEqual(rows.update(clientNodes([client('a'), client('b', { calls: 3, callsPerMinute: 3 })], [known])), []);
    const raised = { role: 'editor' } as const;
    assert.deepEqual(
      rows.update(clientNodes([client('a', raised), client('b', { calls: 3, callsPerMinute: 3 })], [known]))?.map(({ id }) => id),
      ['credential:window-1', 'a'],
    );
  });

  it('are drawn anew when one comes, goes or moves below another', () => {
    const rows = new ClientRows();
    rows.update(clientNodes([client('a')], [known]));
    const [alone] = rows.roots;
    assert.equal(rows.update(clientNodes([client('a'), client('b')], [known])), undefined);
    assert.ok(rows.roots[0]?.children[0] === alone, 'below its credential now, and still the same');
    assert.equal(rows.update(clientNodes([client('b')], [known])), undefined);
    assert.equal(rows.update(clientNodes([client('b')], [])), undefined);
  });

  it('say whom they mean when a button of theirs is pressed', () => {
    const rows = new ClientRows();
    rows.update(clientNodes([client('a')], []));
    const [row] = rows.roots;
    assert.ok(isClientRow(row) && row.node.kind === 'client');
    assert.equal(clientTargetOf(row.node).sessionId, 'a');
    for (const other of [undefined, null, 'a', {}, { kind: 'client', client: client('a') }]) {
      assert.equal(isClientRow(other), false);
    }
  });
});
