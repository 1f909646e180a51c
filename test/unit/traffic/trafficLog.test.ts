import assert from 'node:assert/strict';
import type { TrafficPeer } from '../../../src/traffic/trafficTap.ts';
import { TrafficLog, type TrafficLimits } from '../../../src/traffic/trafficLog.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const server: TrafficPeer = { side: 'server', id: 's', name: 'files' };
const client: TrafficPeer = { side: 'client', id: 'c', name: 'claude' };

describe('The log of traffic', () => {
  const clock = new FakeClock();
  const make = (limits?: TrafficLimits): TrafficLog => {
    const log = new TrafficLog({
      clock,
      mask:
        ({ id }) =>
        (text) =>
          text.replaceAll(`secret of ${id}`, '[redacted]'),
      canRepeat: (method) => method === 'tools/call',
      limits,
    });
    log.setOpen(true);
    return log;
  };
  const summary = (log: TrafficLog): unknown =>
    log
      .list()
      .map(({ number, peer, direction, kind, method, subject, answer }) => [
        number,
        peer.name,
        direction,
        kind,
        method,
        subject,
        answer && [answer.durationMs, answer.isError],
      ]);
  const call = (id: number | string, name = 'echo'): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

  it('puts requests and answers together, by who asked whom', () => {
    const log = make();
    log.note(server, 'sent', call(1));
    log.note(server, 'received', { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} });
    log.note(client, 'received', call(1, 'read_file'));
    log.note(server, 'received', { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } });
    clock.advance(40);
    log.note(server, 'received', { jsonrpc: '2.0', id: 1, result: { content: [], isError: true } });
    log.note(client, 'sent', JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [] } }));
    clock.advance(60);
    log.note(server, 'sent', { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } });
    assert.deepEqual(summary(log), [
      [1, 'files', 'sent', 'request', 'tools/call', 'echo', [40, true]],
      [2, 'files', 'received', 'request', 'sampling/createMessage', '', [100, true]],
      [3, 'claude', 'received', 'request', 'tools/call', 'read_file', [40, false]],
      [4, 'files', 'received', 'notification', 'notifications/progress', '', undefined],
    ]);
  });

  it('does not take an answer for that of another id, another channel or a second time', () => {
    const log = make();
    log.note(server, 'sent', call(1));
    log.note(server, 'received', { jsonrpc: '2.0', id: '1', result: {} });
    log.note(server, 'received', { jsonrpc: '2.0', id: 1, result: {} });
    log.note(server, 'received', { jsonrpc: '2.0', id: 1, result: {} });
    log.note(client, 'received', call(7), 'one');
    log.note(client, 'sent', { jsonrpc: '2.0', id: 7, result: {} }, 'other');
    assert.deepEqual(
      log.list().map(({ kind, answer }) => [kind, answer !== undefined]),
      [
        ['request', true],
        ['answer', false],
        ['answer', false],
        ['request', false],
        ['answer', false],
      ],
    );
  });

  it('takes the messages of a batch one by one, and says of what is no message that it cannot be read', () => {
    const log = make();
    log.note(client, 'received', [call(1), call(2), 5]);
    log.note(client, 'sent', '[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]');
    assert.deepEqual(
      log.list().map(({ kind, answer }) => [kind, answer !== undefined]),
      [
        ['request', true],
        ['request', true],
        ['unreadable', false],
      ],
    );
  });

  it('takes nothing while nobody looks', () => {
    const log = make();
    log.setOpen(false);
    log.note(server, 'sent', call(1));
    assert.deepEqual([log.isOpen, log.size], [false, 0]);
  });

  it('keeps the newest messages and says how many it gave up', () => {
    const log = make({ maxRecords: 3, maxCharacters: 1_000_000 });
    for (let id = 1; id <= 5; id += 1) {
      log.note(server, 'sent', call(id));
    }
    log.note(server, 'received', { jsonrpc: '2.0', id: 1, result: {} }); // of a request that is gone
    assert.deepEqual([log.list().map(({ number }) => number), log.first, log.dropped], [[4, 5, 6], 4, 3]);
  });

  it('keeps no more text than it may, answers and what can be sent again included', () => {
    const log = make({ maxRecords: 1_000, maxCharacters: 10_000 });
    const long = 'x'.repeat(1_000);
    for (let id = 1; id <= 50; id += 1) {
      log.note(server, 'sent', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: long } });
      log.note(server, 'received', { jsonrpc: '2.0', id, result: { long } });
    }
    const kept = log
      .list()
      .reduce((sum, { message, answer, again }) => sum + message.text.length * (again ? 2 : 1) + (answer?.message.text.length ?? 0), 0);
    assert.ok(kept > 5_000 && kept <= 10_000, `it keeps ${kept}`);
  });

  it('masks what the peer must not tell, and keeps only our own requests as they were, to send them again', () => {
    const log = make();
    const own = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'secret of s', arguments: { password: 'p' } } };
    log.note(server, 'sent', own);
    log.note(server, 'sent', { jsonrpc: '2.0', id: 2, method: 'tools/list' });
    log.note(client, 'received', { ...own, id: 3 });
    const [first, second, third] = log.list();
    assert.deepEqual([first?.again, second?.again, third?.again], [own, undefined, undefined]);
    assert.deepEqual(
      [first?.subject, first?.message.text.includes('"password":"[redacted]"'), first?.message.hasSecrets],
      ['[redacted]', true, true],
    );
  });

  it('has no beginning of a secret where the subject or the method is cut', () => {
    const log = make();
    for (const before of [190, 195, 290, 295]) {
      const text = `${'x'.repeat(before)}secret of s${'y'.repeat(before === 295 ? 9_000 : 10)}`;
      log.note(server, 'sent', { jsonrpc: '2.0', id: before, method: text, params: { uri: text } });
    }
    assert.deepEqual(
      log.list().filter(({ method, subject }) => `${method} ${subject}`.includes('secr')),
      [],
    );
    assert.ok(log.list().every(({ method, subject }) => method.length <= 200 && subject.length > 200 && subject.length <= 300));
  });

  it('does not parse a text that is very long, and still knows whose answer it is', () => {
    const log = make();
    log.note(client, 'received', call(9));
    log.note(client, 'sent', `{"jsonrpc":"2.0","id":9,"result":{"text":"${'x'.repeat(3_000_000)}"}}`);
    const [record] = log.list();
    assert.deepEqual([record?.answer?.message.isCut, record?.answer?.message.size], [true, 3_000_045]);
  });

  it('says of an answer that it failed wherever it says so itself, and not where a text quotes it', () => {
    const log = make();
    const results = [{ isError: true }, { isError: false }, { text: '"isError":true' }, { structuredContent: { isError: true } }];
    for (const [id, result] of results.entries()) {
      log.note(client, 'received', call(id));
      log.note(client, 'sent', JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    assert.deepEqual(
      log.list().map(({ answer }) => [answer?.isError, answer?.message.text.startsWith('{"jsonrpc"')]),
      [
        [true, true],
        [false, true],
        [false, true],
        [false, true],
      ],
    );
  });

  it('does not look into an object of very many members, and says how much it was', () => {
    const members = Array.from({ length: 300_000 }, (_, index) => `"name${index}":${index}`).join(',');
    const text = `{"jsonrpc":"2.0","id":7,"result":{${members}}}`;
    const log = make();
    log.note(client, 'received', call(7));
    log.note(client, 'sent', text.slice(0, 1_900_000) + '}}');
    const answers = log.list().map(({ answer }) => [answer?.message.size, answer?.message.text, answer?.message.isCut]);
    assert.deepEqual(answers, [[1_900_002, '"…"', true]]);
    log.dispose();
  });

  it('forgets everything when it is cleared, and goes on counting', () => {
    const log = make();
    log.note(server, 'sent', call(1));
    log.clear();
    log.note(server, 'sent', call(2));
    assert.deepEqual(
      log.list().map(({ number }) => number),
      [2],
    );
  });
});
