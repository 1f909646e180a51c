import type { Event } from '../../../base/events.ts';

/** Tells once, this long after the first of a burst: what depends on a text is dear to read again at every key. */
export function debouncedEvent(event: Event<unknown>, delayMs = 500): Event<void> {
  return (listener) => {
    let timer: NodeJS.Timeout | undefined;
    const listening = event(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        listener();
      }, delayMs);
    });
    return {
      dispose: () => {
        clearTimeout(timer);
        listening.dispose();
      },
    };
  };
}
