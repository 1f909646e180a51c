import assert from 'node:assert/strict';
import { ClientRegistry, type RegisteredClient } from '../../../../src/server/protocol/clientRegistry.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const client = (id: string, credential: RegisteredClient['credential'], isStateless = false): RegisteredClient => ({
  id,
  credential,
  transport: 'http',
  callsItself: 'peer 9',
  approvalState: { kind: 'allowed', role: 'reader' },
  isStateless,
});
const windowToken = { id: 'window-1', kind: 'windowToken' } as const;
const clientToken = { id: 'client-1', kind: 'clientToken', label: 'Cursor' } as const;

describe('The registry of clients', () => {
  let clock: FakeClock;
  let registry: ClientRegistry;
  beforeEach(() => {
    clock = new FakeClock();
    registry = new ClientRegistry(clock, 500);
  });
  afterEach(() => registry.dispose());

  it('counts the calls of the last minute, tells of them soon, and of quiet when it comes', () => {
    const registration = registry.add(client('a', clientToken), () => undefined);
    const rate = (): number | undefined => registry.snapshot()[0]?.callsPerMinute;
    const told: (number | undefined)[] = [];
    const listening = registry.onDidChange(() => told.push(rate()));
    Array.from({ length: 3 }, () => registration.didCall({ name: 'read_file' }));
    clock.advance(500);
    assert.deepEqual(told, [3]);
    clock.advance(30_000);
    registration.didCall({ name: 'read_file' });
    assert.equal(rate(), 4);
    clock.advance(35_000);
    assert.equal(rate(), 1);
    clock.advance(60_000);
    assert.deepEqual([rate(), told.at(-1), clock.pending], [0, 0, 0]);
    const { calls, lastCall, label } = registry.snapshot()[0] ?? {};
    assert.deepEqual([calls, lastCall?.name, label], [4, 'read_file', 'Cursor']);
    listening.dispose();
    registration.dispose();
  });

  it('ends what a revoked permission was for, and nothing else', () => {
    const ended: string[] = [];
    const add = (each: RegisteredClient): unknown => registry.add(each, () => ended.push(each.id));
    add(client('w1', windowToken));
    add(client('w2', windowToken));
    add(client('w-stateless', windowToken, true));
    add(client('c1', clientToken));
    add(client('c-stateless', clientToken, true));
    const cases = [
      [{ credentialId: 'window-1', sessionId: 'w1' }, ['w1']],
      [{ credentialId: 'window-1', sessionId: undefined }, ['w-stateless']],
      [{ credentialId: 'client-1', sessionId: undefined }, ['c1', 'c-stateless']],
    ] as const;
    for (const [revoked, expected] of cases) {
      ended.length = 0;
      registry.endRevoked(revoked);
      assert.deepEqual(ended, expected);
    }
  });
});
