import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '../../../../src/base/log.ts';
import { FakeProcess } from './fakeProcess.ts';
import { hostError } from '../../../../src/host/shared/hostErrors.ts';
import { SupervisedStdioTransport } from '../../../../src/host/transports/supervisedStdio.ts';
import { endOf, ping, pong, record, withCode } from './recorder.ts';

const spec = { command: 'server', args: [], env: {}, cwd: '/' };
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };

describe('The transport to a supervised process', () => {
  let children: FakeProcess[];
  let transport: SupervisedStdioTransport;
  let told: string[];

  beforeEach(() => {
    children = [];
    const start = (): FakeProcess => {
      const child = new FakeProcess();
      children.push(child);
      return child;
    };
    transport = new SupervisedStdioTransport({ start }, spec, silentLog);
    told = record(transport);
  });
  afterEach(async () => {
    end();
    await transport.close();
  });

  /** What the process was asked, by name. */
  const asked = (): readonly string[] => children.flatMap((child) => child.asked);
  const started = (): void => children.forEach((child) => child.start());
  const say = (payload: unknown): void =>
    children.forEach((child) => child.say(typeof payload === 'string' ? payload : JSON.stringify(payload)));
  const exit = (kind: 'exited' | 'stopped', lastErrorLines: string[] = []): void =>
    children.forEach((child) => child.exit(kind === 'exited' ? { kind, code: 3, signal: null, lastErrorLines } : { kind, lastErrorLines }));
  const end = (): void => children.forEach((child) => child.end());

  async function start(): Promise<void> {
    const starting = transport.start();
    started();
    await starting;
  }

  it('passes on what the server says before its start is reported', async () => {
    const starting = transport.start();
    say(ping);
    started();
    await starting;
    assert.deepEqual(told, [JSON.stringify(ping)]);
  });

  it('takes no message before it was started', async () => {
    await assert.rejects(transport.send(ping), withCode('host.connectionClosed'));
  });

  it('that is closed before it was started tells so once and starts no process', async () => {
    await transport.close();
    await transport.close();
    await assert.rejects(transport.start(), withCode('host.connectionClosed'));
    assert.deepEqual([told, children, transport.end], [['closed'], [], undefined]);
  });

  it('whose process cannot be started is closed and says why', async () => {
    const starting = assert.rejects(transport.start(), withCode('host.spawnFailed'));
    children.forEach((child) => child.failStart(hostError('host.spawnFailed', { code: 'ENOENT' })));
    await starting;
    await turn();
    assert.deepEqual([told, transport.end], [['closed'], undefined]);
    await assert.rejects(transport.send(ping), withCode('host.connectionClosed'));
  });

  it('still passes on what the server says while it is stopped, and tells of its end once', async () => {
    await start();
    const closing = Promise.all([transport.close(), transport.close()]);
    say(pong);
    exit('stopped');
    await turn();
    assert.deepEqual(told, [JSON.stringify(pong), 'closed']);
    end();
    await closing;
    say(pong);
    await transport.close();
    assert.deepEqual([told, transport.end], [[JSON.stringify(pong), 'closed'], undefined]);
  });

  it('takes messages until the process is gone', async () => {
    await start();
    const closing = transport.close();
    await transport.send(ping);
    exit('stopped');
    end();
    await closing;
    await assert.rejects(transport.send(ping), withCode('host.connectionClosed'));
    assert.deepEqual(asked(), ['stop', 'write']);
  });

  it('says that the process ended by itself, with its last words', async () => {
    await start();
    children.forEach((child) => child.complain(['first']));
    assert.equal(transport.lastWords, 'first');
    exit('exited', ['first', 'last']);
    await turn();
    assert.deepEqual([told, endOf(transport), transport.end?.detail], [['closed'], 'host.serverEnded', 'first\nlast']);
    await assert.rejects(transport.send(ping), withCode('host.connectionClosed'));
  });

  it('that was closed waits for everything the process had started, even if the process is gone', async () => {
    await start();
    exit('exited');
    await turn();
    let isDone = false;
    const closing = transport.close().then(() => (isDone = true));
    await turn();
    assert.equal(isDone, false);
    end();
    await closing;
    assert.deepEqual(told, ['closed']);
  });

  it('ends at a message that no honest server sends, and keeps that reason when the process ends', async () => {
    await start();
    say('['.repeat(20_000));
    say(pong);
    assert.deepEqual([told, asked(), endOf(transport)], [['closed'], ['stop'], 'host.messageTooDeep']);
    exit('exited', ['last']);
    await turn();
    assert.deepEqual([told, endOf(transport), transport.lastWords], [['closed'], 'host.messageTooDeep', 'last']);
  });

  it('passes on an answer that was held back before it tells of the end', async () => {
    await start();
    const answered = new Promise<void>((resolve) => {
      transport.onclose = () => {
        told.push('closed');
        resolve();
      };
    });
    say(progress);
    say(pong);
    exit('exited');
    await answered;
    assert.deepEqual(told, [JSON.stringify(progress), JSON.stringify(pong), 'closed']);
  });

  it('refuses several messages at once from the revision on that has none', async () => {
    await start();
    say([ping, pong]);
    transport.setProtocolVersion('2025-06-18');
    say([ping, pong]);
    assert.deepEqual([told, asked()], [[JSON.stringify(ping), JSON.stringify(pong)], ['write']]);
  });
});
