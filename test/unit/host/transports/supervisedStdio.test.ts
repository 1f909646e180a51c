import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '../../../../src/base/log.ts';
import type { FromSupervisor, ToSupervisor } from '../../../../src/contract/supervisorMessages.ts';
import { SupervisedChild } from '../../../../src/host/processes/supervisedChild.ts';
import { SupervisedStdioTransport } from '../../../../src/host/transports/supervisedStdio.ts';
import { endOf, ping, pong, record, withCode } from './recorder.ts';

const spec = { command: 'server', args: [], env: {}, cwd: '/' };
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };

describe('The transport to a supervised process', () => {
  /** What the supervisor was asked, by type. */
  let asked: ToSupervisor['type'][];
  let children: SupervisedChild[];
  let transport: SupervisedStdioTransport;
  let told: string[];

  beforeEach(() => {
    asked = [];
    children = [];
    const start = (): SupervisedChild => {
      const child = new SupervisedChild('1', (message) => asked.push(message.type));
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

  function receive(message: object, payload: unknown = ''): void {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    children.forEach((child) => child.receive({ child: '1', ...message } as FromSupervisor, Buffer.from(text)));
  }
  const started = (): void => receive({ type: 'started', pid: 1 });
  const say = (payload: unknown): void => receive({ type: 'line' }, payload);
  const exit = (cause: string, lastErrorLines: string[] = []): void =>
    receive({ type: 'exited', cause, code: 3, signal: null, lastErrorLines });
  const end = (): void => receive({ type: 'ended', survivors: 0 });

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
    receive({ type: 'startFailed', code: 'ENOENT', message: 'no such file' });
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
    assert.deepEqual(asked, ['stop', 'write']);
  });

  it('says that the process ended by itself, with its last words', async () => {
    await start();
    receive({ type: 'errorLines', lines: ['first'], dropped: 0 });
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
    assert.deepEqual([told, asked, endOf(transport)], [['closed'], ['stop'], 'host.messageTooDeep']);
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
    receive({ type: 'exited', cause: 'exited', code: 0, signal: null, lastErrorLines: [] });
    await answered;
    assert.deepEqual(told, [JSON.stringify(progress), JSON.stringify(pong), 'closed']);
  });

  it('refuses several messages at once from the revision on that has none', async () => {
    await start();
    say([ping, pong]);
    transport.setProtocolVersion('2025-06-18');
    say([ping, pong]);
    assert.deepEqual([told, asked], [[JSON.stringify(ping), JSON.stringify(pong)], ['write']]);
  });
});
