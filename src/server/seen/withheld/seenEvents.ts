import type { Event } from '../../../base/events.ts';

/** Passes an event on only if it changes what the client may see. It looks once per event while somebody listens. */
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

/** Passes changes of paths on if the client may see one of them, and changes that may be anywhere. */
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
 * Passes an event on only if it changes what the client may see, where looking takes time. It looks once at a time; all events
 * during a look cause one more look.
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
