import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLog } from '../../../../src/base/log.ts';
import { intakeLink } from '../../../../src/host/intake/intakeLink.ts';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '../../../../src/host/shared/sdk.ts';

/** A transport that hands over what the test says, and notes with which options it was asked to send. */
class SaidTransport implements Transport {
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  options: TransportSendOptions | undefined;

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(_: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.options = options;
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A message that takes longer to be looked at than a slice, as any does while the machine has others to serve. */
function slowMessage(method: string): JSONRPCMessage {
  const params = {
    get slow(): string {
      const until = performance.now() + 20;
      while (performance.now() < until) {
        // The processor is busy.
      }
      return 'slow';
    },
  };
  return { jsonrpc: '2.0', method, params };
}

describe('The door for messages of one connection', () => {
  let outside: SaidTransport;
  let inside: Transport;
  let heard: string[];
  beforeEach(() => {
    outside = new SaidTransport();
    inside = intakeLink({ transport: outside, end: undefined, lastWords: '' }, silentLog).transport;
    heard = [];
    inside.onmessage = (message) => heard.push('method' in message ? message.method : 'answer');
  });

  async function until(count: number): Promise<void> {
    const deadline = performance.now() + 10_000;
    while (heard.length < count && performance.now() < deadline) {
      await nextTurn();
    }
  }

  it('tells the end of the stream of a request after the messages that came on it, however long they take', async () => {
    const onRequestStreamEnd = (): void => void heard.push('end of the stream');
    await inside.send({ jsonrpc: '2.0', id: 'listen:0', method: 'subscriptions/listen' }, { onRequestStreamEnd });
    outside.onmessage?.(slowMessage('notifications/subscriptions/acknowledged'));
    outside.options?.onRequestStreamEnd?.();
    assert.deepEqual(heard, [], 'the message is still worked on');
    await until(2);
    assert.deepEqual(heard, ['notifications/subscriptions/acknowledged', 'end of the stream']);
  });

  it('tells the end of the connection after the messages that came before it, however long they take', async () => {
    inside.onclose = () => heard.push('end of the connection');
    outside.onmessage?.(slowMessage('notifications/message'));
    outside.onclose?.();
    await until(2);
    assert.deepEqual(heard, ['notifications/message', 'end of the connection']);
  });

  it('leaves the options of a request without a stream of its own as they are', async () => {
    const options = { relatedRequestId: 7 };
    await inside.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, options);
    assert.equal(outside.options, options);
  });
});
