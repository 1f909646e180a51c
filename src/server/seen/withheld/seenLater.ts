import type { Event } from '../../../base/events.ts';

/**
 * Tells of a change only when it shows in what the client may see, for what takes time to look at. One look after the other;
 * of changes during a look one more is made.
 */
export function whenSeenLater(event: Event<void>, look: () => Promise<unknown>): Event<void> {
  return (listener) => {
    let isOver = false;
    let isWaiting = false;
    const lookNow = (): Promise<string> => look().then(JSON.stringify, () => '');
    let latest = lookNow();
    const listening = event(() => {
      if (isWaiting) {
        return;
      }
      isWaiting = true;
      latest = latest.then(async (seen) => {
        isWaiting = false;
        const now = isOver ? seen : await lookNow();
        if (now !== seen && !isOver) {
          listener();
        }
        return now;
      });
    });
    return {
      dispose: () => {
        isOver = true;
        listening.dispose();
      },
    };
  };
}
