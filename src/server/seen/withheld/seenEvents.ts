import type { Event } from '../../../base/events.ts';

/** Tells of a change only when it shows in what the client may see. Looks once per change while somebody listens. */
export function whenSeen(event: Event<void>, look: () => unknown): Event<void> {
  return (listener) => {
    let seen = JSON.stringify(look());
    return event(() => {
      const now = JSON.stringify(look());
      if (now !== seen) {
        seen = now;
        listener();
      }
    });
  };
}

/** Tells of changes at paths the client may see; of a change that may be anywhere too. */
export function whenShown(event: Event<readonly string[] | void>, isShown: (path: string) => boolean): Event<readonly string[] | void> {
  return (listener) =>
    event((paths) => {
      const shown = paths?.filter(isShown);
      if (shown === undefined || shown.length > 0) {
        listener(shown);
      }
    });
}

export const never: Event<never> = () => ({ dispose: () => undefined });

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
