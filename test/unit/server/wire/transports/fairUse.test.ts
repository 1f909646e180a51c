import assert from 'node:assert/strict';
import { FairUse, type FairUseVerdict } from '../../../../../src/server/wire/transports/fairUse.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';

describe('The use that one peer may make of the server', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const peerOf = (id: string): { credential: { id: string; kind: 'clientToken'; label: string }; connection: object } => ({
    credential: { id, kind: 'clientToken', label: id },
    connection: {},
  });

  it('is measured by the length of what it sends, and not by its number alone', () => {
    const clock = new FakeClock();
    const fairUse = new FairUse(100, clock);
    const [long, short] = [peerOf('long'), peerOf('short')];
    const verdicts = Array.from({ length: 12 }, (): FairUseVerdict => fairUse.count(long, call, 40_960));
    assert.deepEqual(verdicts.map((verdict) => verdict === 'ok').lastIndexOf(true), 8, 'each costs as much as eleven');
    assert.equal(fairUse.count(short, call, 100), 'ok', 'and nobody else pays for it');
    clock.advance(1_000);
    assert.equal(fairUse.count(long, call, 40_960), 'ok');
    assert.equal(fairUse.count(long, call, 4_194_304), 'limited', 'the longest needs a whole second');
    clock.advance(1_000);
    assert.equal(fairUse.count(long, call, 4_194_304), 'ok');
  });

  it('ends with the connection when what must never be dropped is too long, again and again', () => {
    const fairUse = new FairUse(100, new FakeClock());
    const peer = peerOf('one');
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const verdicts = [1, 2, 3].map(() => fairUse.count(peer, ping, 200_000));
    assert.deepEqual(verdicts, ['ok', 'ok', 'flood']);
  });
});
