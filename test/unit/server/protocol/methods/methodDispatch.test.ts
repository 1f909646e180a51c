import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/base/errors.ts';
import { silentLog } from '../../../../../src/base/log.ts';
import { InFlightTable } from '../../../../../src/server/protocol/requests/inFlight.ts';
import { MethodDispatch, type EraMethod, type Method } from '../../../../../src/server/protocol/methods/methodDispatch.ts';
import { ProtocolCatalog } from '../../support/protocolCatalog.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { recordedRequest } from '../../support/recordedRequest.ts';

describe('The dispatch of methods', () => {
  let ends: unknown[];
  let table: InFlightTable;
  let dispatch: MethodDispatch;
  beforeEach(() => {
    ends = [];
    table = new InFlightTable({ requestsInFlight: 9 }, true);
    const methods = new Map<string, Method>([
      ['shared', () => Promise.resolve('{"from":"shared"}')],
      ['broken', () => Promise.reject(new Error('secret'))],
      ['ready', () => '{"from":"ready"}'],
      [
        'throwing',
        () => {
          throw new AppError('test.refused', 'Not now.');
        },
      ],
      ['refusing', () => Promise.reject(new AppError('test.refused', 'Not today.'))],
    ]);
    const own = new Map<string, EraMethod>([
      ['own', () => Promise.resolve('{"from":"own"}')],
      ['shared', () => Promise.resolve('{"from":"own"}')],
      ['later', () => Promise.resolve(undefined)],
    ]);
    dispatch = new MethodDispatch({ catalog: new ProtocolCatalog(), methods, log: silentLog }, own, table, {
      complete: (method, result) => `[${JSON.stringify(method)},${result}]`,
      statusOf: ({ code }) => (code === -32601 ? 404 : undefined),
    });
  });

  const run = async (method: string): Promise<unknown> => {
    dispatch.begin(recordedRequest(1, method, ends), {});
    assert.equal(table.size, 1);
    await new Promise((resolve) => setImmediate(resolve));
    return ends.pop();
  };

  it('completes a result by the rules of the era; a method of both eras comes before one of its own', async () => {
    assert.equal(await run('shared'), '{"jsonrpc":"2.0","id":1,"result":["shared",{"from":"shared"}]}');
    assert.equal(await run('own'), '{"jsonrpc":"2.0","id":1,"result":["own",{"from":"own"}]}');
    assert.equal(table.size, 0);
  });

  it('tells failures in the words that were written for clients, and no others', async () => {
    assert.equal(await run('broken'), '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}');
    assert.equal(await run('refusing'), '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Not today."}}');
  });

  it('answers what it does not know with the status of the era', async () => {
    assert.deepEqual(await run('constructor'), ['{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}', 404]);
  });

  it('answers at once what waits for nothing, failures included', () => {
    dispatch.begin(recordedRequest(1, 'ready', ends), {});
    dispatch.begin(recordedRequest(1, 'throwing', ends), {});
    assert.deepEqual(ends, [
      '{"jsonrpc":"2.0","id":1,"result":["ready",{"from":"ready"}]}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Not now."}}',
    ]);
    assert.equal(table.size, 0);
  });

  it('leaves in flight what answers by itself', async () => {
    assert.equal(await run('later'), undefined);
    assert.equal(table.size, 1);
  });

  it('names only what it has', () => {
    const { viewer } = fakeCall();
    const names = [
      dispatch.nameOf('own', {}, viewer),
      dispatch.nameOf('tools/call', { name: 'echo' }, viewer),
      dispatch.nameOf('tools/call', { name: 'rm -rf' }, viewer),
      dispatch.nameOf('toString', {}, viewer),
    ];
    assert.deepEqual(
      names.map(({ name }) => name),
      ['own', 'echo', 'tools/call', 'unknown'],
    );
  });
});
