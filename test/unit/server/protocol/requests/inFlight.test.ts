import assert from 'node:assert/strict';
import { type InFlight, InFlightTable } from '../../../../../src/server/protocol/requests/inFlight.ts';
import type { RpcId } from '../../../../../src/server/protocol/rpc/rpc.ts';
import { recordedRequest } from '../../support/recordedRequest.ts';

describe('The table of requests in flight', () => {
  let ends: unknown[];
  let table: InFlightTable;
  beforeEach(() => {
    ends = [];
    table = new InFlightTable({ requestsInFlight: 2 }, true);
  });

  const begin = (id: RpcId): InFlight => {
    const request = recordedRequest(id, 'ping', ends);
    table.add(request);
    return request;
  };

  it('takes an id once, and as many requests as the limit says', () => {
    begin(1);
    assert.deepEqual([table.admissionOf(1), table.admissionOf('1')], ['duplicate', 'free']);
    begin('1');
    assert.deepEqual([table.admissionOf(1), table.admissionOf(2), table.size], ['duplicate', 'full', 2]);
  });

  it('leaves out of the count what is exempt', () => {
    begin(1);
    begin(2);
    assert.deepEqual([table.admissionOf(3, 0), table.admissionOf(3, 1)], ['full', 'free']);
  });

  it('asks for the limit each time', () => {
    const limits = { requestsInFlight: 1 };
    table = new InFlightTable(limits, true);
    begin(1);
    limits.requestsInFlight = 2;
    assert.equal(table.admissionOf(2), 'free');
  });

  it('ends a request once, by its answer', () => {
    const request = begin(1);
    assert.deepEqual(
      [table.finish(request, 'first', 429), table.finish(request, 'second'), table.cancel(request), table.size],
      [true, false, false, 0],
    );
    assert.deepEqual(ends, [['first', 429]]);
  });

  it('ends a request once, by a cancellation', () => {
    const request = begin(1);
    assert.deepEqual([table.cancel(request), table.cancel(request), table.finish(request, 'late')], [true, false, false]);
    assert.deepEqual([ends, request.signal.aborted], [['abandoned'], true]);
  });

  it('gives an id that is free again to its new request alone', () => {
    const cancelled = begin(1);
    table.cancel(cancelled);
    const other = begin(1);
    assert.equal(table.finish(cancelled, 'of the cancelled one'), false);
    assert.equal(table.find(1), other);
    table.finish(other, 'of the other one');
    assert.deepEqual(ends, ['abandoned', 'of the other one']);
  });

  it('finds nothing by what is no id', () => {
    begin(1);
    assert.deepEqual(
      ['1', null, undefined, {}, [1]].map((requestId) => table.find(requestId)),
      Array<undefined>(5).fill(undefined),
    );
  });

  it('cancels all that is left', () => {
    table.finish(begin(1), 'done');
    begin(2);
    begin(3);
    table.cancelAll();
    assert.deepEqual([ends, table.size], [['done', 'abandoned', 'abandoned'], 0]);
  });

  it('keeps equal ids of different clients apart', () => {
    table = new InFlightTable({ requestsInFlight: 3 }, false);
    const [one, other] = [begin(1), begin(1)];
    assert.deepEqual([table.size, table.admissionOf(1), table.find(1)], [2, 'free', undefined]);
    table.cancel(one);
    table.finish(other, 'of the other one');
    assert.deepEqual(ends, ['abandoned', 'of the other one']);
  });
});
