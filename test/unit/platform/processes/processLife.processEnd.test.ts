import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { atProcessEnd } from '../../../../src/platform/processes/processLife.ts';

class StandIn extends EventEmitter {
  readonly pid = 7;
  readonly killed: string[] = [];
  kill(pid: number, signal: string): void {
    this.killed.push(`${pid} ${signal}`);
  }
}

describe('The end of the process', () => {
  let lifetime: DisposableStore;
  beforeEach(() => {
    lifetime = new DisposableStore();
  });
  afterEach(() => lifetime.dispose());

  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    it(`by ${signal} lets everybody tidy up once, and still comes`, () => {
      const ending = new StandIn();
      const tidied: string[] = [];
      lifetime.add(atProcessEnd(() => tidied.push('one'), ending));
      lifetime.add(atProcessEnd(() => tidied.push('other'), ending));
      ending.emit(signal);
      ending.emit('exit');
      assert.deepEqual([tidied, ending.killed], [['one', 'other'], [`7 ${signal}`]]);
    });
  }

  it('is left to another listener of the signal, if there is one', () => {
    const ending = new StandIn();
    let isTidied = false;
    ending.on('SIGTERM', () => undefined);
    lifetime.add(atProcessEnd(() => (isTidied = true), ending));
    ending.emit('SIGTERM');
    assert.deepEqual([isTidied, ending.killed], [true, []]);
  });

  it('by its own will lets it tidy up too', () => {
    const ending = new StandIn();
    let isTidied = false;
    lifetime.add(atProcessEnd(() => (isTidied = true), ending));
    ending.emit('exit');
    assert.equal(isTidied, true);
  });

  it('concerns nobody who has tidied up before', () => {
    const ending = new StandIn();
    atProcessEnd(() => assert.fail('it was disposed of'), ending).dispose();
    ending.emit('exit');
    assert.deepEqual([ending.emit('SIGTERM'), ending.eventNames()], [false, []]);
  });
});
