import type { RunnerRun } from '../../contract/runnerMessages.ts';

/** Pure. Whether the result is brought into view: when a run starts, and when it has ended while the person looks at it. */
export function scrollsToResult(before: RunnerRun['kind'], now: RunnerRun['kind'], isSeen: boolean): boolean {
  const wasBusy = before === 'waiting' || before === 'running';
  switch (now) {
    case 'none':
      return false;
    case 'waiting':
    case 'running':
      return !wasBusy;
    case 'ended':
      return wasBusy ? isSeen : before === 'none';
  }
}
