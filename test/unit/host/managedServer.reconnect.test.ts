import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { hostError } from '../../../src/host/shared/hostErrors.ts';
import type { ApprovalOptions } from '../../../src/host/approval/approval.ts';
import { ManagedServer, nextTry, reconnectPolicy } from '../../../src/host/managedServer.ts';
import { retryRead } from '../../../src/host/shared/failures.ts';
import type { ServerState } from '../../../src/host/shared/serverState.ts';
import { openRemoteLink } from '../../../src/host/transports/remoteLink.ts';
import { checksInProcess } from '../../support/checksInProcess.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { callPlainly, Cleanup, startPeer, streamable, type HttpPeer } from './remoteSupport.ts';
import { failureOf } from './support.ts';

const lost = new AppError('host.serverEnded', 'gone');
const neverAborted = new AbortController().signal;

describe('The pause before the next try', () => {
  it('doubles up to a limit, is spread by chance, and ends after the last try', () => {
    const pauses = (random: number): unknown[] => Array.from({ length: 9 }, (_, tries) => nextTry(lost, tries, true, random));
    assert.deepEqual(pauses(0), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, undefined]);
    assert.deepEqual(pauses(0.5).slice(0, 3), [750, 1_500, 3_000]);
  });

  it('exists after a connection that was lost, whichever side closed it', () => {
    for (const error of [hostError('host.connectionClosed'), hostError('host.closedByServer', { code: 1001 })]) {
      assert.equal(nextTry(error, 0, true, 0), 500, error.code);
    }
  });

  it('does not exist for what a person has to change or a server did wrong', () => {
    for (const code of [
      'host.unauthorized',
      'host.certificate',
      'definitions.commandNotFound',
      'host.messageTooLarge',
      'host.lineTooLong',
    ]) {
      assert.equal(nextTry(new AppError(code, ''), 0, true, 0), undefined, code);
    }
  });

  it('exists at a first start only when the network may not be there yet', () => {
    assert.equal(nextTry(lost, 0, false, 0), undefined);
    assert.equal(nextTry(new AppError('host.unreachable', ''), 0, false, 0), 500);
  });

  it('is nothing for a session that the server forgot', () => {
    assert.equal(nextTry(new AppError('host.sessionExpired', ''), 0, true, 0), 0);
  });
});

describe('A server that was lost', () => {
  const cleanup = new Cleanup();
  const clock = new FakeClock();
  let peer: HttpPeer;
  let server: ManagedServer;
  let approvals: ApprovalOptions[];
  let isAllowed: boolean;

  beforeEach(async () => {
    approvals = [];
    isAllowed = true;
    peer = cleanup.add(await startPeer(streamable()));
    server = new ManagedServer({
      id: 'one',
      name: 'one',
      initial: { kind: 'stopped', reason: 'neverStarted' },
      riskOf: () => 'unknown',
      session: { clientVersion: '0', schemas: checksInProcess, timeoutMs: 2_000, filter: undefined, log: silentLog, clock },
      approve: (options) => {
        approvals.push(options);
        return Promise.resolve(isAllowed ? { kind: 'approved', open } : { kind: 'stopped', reason: 'needsConsent' });
      },
    });
    assert.equal((await server.start({ ask: () => Promise.reject(new Error()), signal: neverAborted })).kind, 'ready');
  });
  afterEach(async () => {
    await server.stop();
    server.dispose();
    await cleanup.run();
  });

  const open = (signal: AbortSignal): ReturnType<typeof openRemoteLink> =>
    openRemoteLink(
      { definition: { id: 'one' }, url: peer.url, type: 'http', headers: {}, timeoutMs: 2_000, mayUseSecretsOverPlainHttp: false },
      { log: silentLog, signal },
    );

  const untilTrue = async (condition: () => boolean, what: string): Promise<void> => {
    const deadline = performance.now() + 15_000;
    while (!condition()) {
      assert.ok(performance.now() < deadline, `Waited for ${what}, got ${JSON.stringify(server.state)}`);
      await sleep(5);
    }
  };
  const until = (kind: ServerState['kind']): Promise<void> => untilTrue(() => server.state.kind === kind, kind);

  /** As an outage does: the next request finds nobody. */
  const lose = async (): Promise<void> => {
    await peer.close();
    const [tool] = server.connection.tools;
    assert.ok(tool);
    const { session } = server.connection;
    await assert.rejects(session === undefined ? Promise.resolve() : callPlainly(session, tool, { timeoutMs: 2_000 }));
    await until('failed');
  };

  it('says when it is tried again, passes the gate without a question and is ready again', async () => {
    await lose();
    const { state } = server;
    assert.equal(failureOf(state).code, 'host.unreachable');
    assert.ok(state.kind === 'failed' && state.retryAt !== undefined && state.retryAt > clock.now());
    peer = cleanup.add(await startPeer(streamable()));
    clock.advance(reconnectPolicy.firstMs);
    await until('ready');
    assert.deepEqual(
      approvals.map(({ ask }) => ask !== undefined),
      [true, false],
    );
  });

  it('does not come back when it is no longer allowed', async () => {
    await lose();
    isAllowed = false;
    clock.advance(reconnectPolicy.firstMs);
    await until('stopped');
    assert.deepEqual(server.state, { kind: 'stopped', reason: 'needsConsent' });
  });

  it('is not tried again after it was stopped', async () => {
    await lose();
    await server.stop();
    clock.advance(10 * reconnectPolicy.maxMs);
    assert.deepEqual([server.state.kind, approvals.length], ['stopped', 1]);
  });

  it('is given up after the last try, and a start by hand begins anew', async () => {
    await lose();
    for (let attempt = 1; attempt <= reconnectPolicy.maxAttempts; attempt += 1) {
      clock.advance(reconnectPolicy.maxMs);
      await untilTrue(() => approvals.length > attempt && server.state.kind === 'failed', `try ${attempt}`);
    }
    assert.equal(server.state.kind === 'failed' ? server.state.retryAt : 0, undefined);
    clock.advance(10 * reconnectPolicy.maxMs);
    assert.equal(approvals.length, 1 + reconnectPolicy.maxAttempts);
    peer = cleanup.add(await startPeer(streamable()));
    assert.equal((await server.start({ ask: () => Promise.reject(new Error()), signal: neverAborted })).kind, 'ready');
  });
});

describe('A read that fails for a moment', () => {
  it('is tried again, and one that fails for good is not', async () => {
    const failures = [new AppError('host.unavailable', ''), undefined];
    const read = (): Promise<string> => {
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve('read') : Promise.reject(failure);
    };
    const asIs = (error: unknown): AppError => error as AppError;
    assert.equal(await retryRead(read, asIs, neverAborted), 'read');
    let tries = 0;
    const refused = (): Promise<string> => {
      tries += 1;
      return Promise.reject(new AppError('host.serverError', ''));
    };
    await assert.rejects(retryRead(refused, asIs, neverAborted));
    assert.equal(tries, 1);
  });
});
