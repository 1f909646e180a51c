import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
import { TerminalRuns } from '../../../src/testRuns/terminalRuns.ts';
import type { EndedCommand, WantedCommand } from '../../../src/server/seen/ports/terminalsPort.ts';
import { RunStore } from '../../../src/testRuns/runStore.ts';

describe('Test commands in a terminal', () => {
  const running: WantedCommand = {
    terminalId: '1',
    command: 'npm test',
    isRunning: true,
    output: '',
    isCut: false,
    startedAt: 1_000,
  };

  /** The runs after a command began like `begun` and ended as `end` says. */
  function runsAfter(end: Partial<EndedCommand>, begun = running): string[] {
    const store = new RunStore({ resolvePlace: () => undefined });
    const changed = new Emitter<string>();
    const ended = new Emitter<EndedCommand>();
    const watch = { listCommands: () => [begun], onDidChangeTerminal: changed.event, onDidEndCommand: ended.event };
    const runs = new TerminalRuns(watch, store, () => undefined);
    changed.fire('1');
    ended.fire({ ...begun, isRunning: false, exitCode: 0, endedAt: 2_000, ...end });
    const list = store.list().map(({ command, status }) => `${status} ${command}`);
    runs.dispose();
    store.dispose();
    return list;
  }

  it('are one run from beginning to end', () => {
    assert.deepEqual(runsAfter({ exitCode: 1 }), ['failed npm test']);
  });

  it('are one run also when the shell tells the command right only at its end', () => {
    assert.deepEqual(runsAfter({ command: 'npm test -- --bail' }), ['passed npm test']);
    assert.deepEqual(runsAfter({ command: 'echo' }), ['passed npm test']);
  });
});
