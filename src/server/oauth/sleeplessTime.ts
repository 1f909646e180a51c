import type { Clock } from '../../base/clock.ts';

/**
 * Milliseconds since 1970, only ever rising. The clock of a process may stand still while the machine sleeps, and the one on
 * the wall can be set back: whichever says more counts.
 */
export function sleeplessTime(clock: Clock, wall: () => number = Date.now): () => number {
  let began = wall() - clock.now();
  return () => {
    began = Math.max(began, wall() - clock.now());
    return began + clock.now();
  };
}
