import assert from 'node:assert/strict';
import { keepInStep } from '../../../src/app/clientPermissions.ts';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { ConsentRequest } from '../../../src/consent/consentModel.ts';
import { ForgetfulStorage, Ledger } from '../../../src/consent/ledger.ts';
import { ClientRegistry } from '../../../src/server/clientRegistry.ts';
import { systemClock } from '../../../src/server/clock.ts';

const request: ConsentRequest = {
  principal: 'client:window',
  action: 'connectClient',
  subject: ['client', 'window', 'session', 's1'],
  fingerprint: 'f',
  material: {},
};

describe('The permission of a connected client', () => {
  let lifetime: DisposableStore;
  let ledger: Ledger;
  let clients: ClientRegistry;
  let ended: string[];

  beforeEach(async () => {
    lifetime = new DisposableStore();
    ended = [];
    ledger = lifetime.add(new Ledger({ storage: new ForgetfulStorage(), workspace: 'here', now: () => new Date(0), log: silentLog }));
    clients = lifetime.add(new ClientRegistry(systemClock, 1_000));
    lifetime.add(keepInStep(clients, ledger));
    await ledger.remember(request, 'allow', 'session');
  });
  afterEach(() => lifetime.dispose());

  function connect(): { dispose(): void } {
    return clients.add(
      {
        id: 's1',
        credential: { id: 'window', kind: 'windowToken' },
        transport: 'http',
        callsItself: 'x',
        approvalState: { kind: 'allowed', role: 'reader' },
      },
      () => ended.push('s1'),
    );
  }

  it('ends the session when it is taken back', async () => {
    connect();
    await ledger.revoke(ledger.answers()[0]?.id ?? '');
    assert.deepEqual(ended, ['s1']);
  });

  it('is forgotten when the session ends by itself', () => {
    const registration = connect();
    assert.equal(ledger.answers().length, 1);
    registration.dispose();
    assert.deepEqual([ledger.answers(), ended], [[], []]);
  });
});
