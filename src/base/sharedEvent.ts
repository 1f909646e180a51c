import { Emitter, type Event } from './events.ts';
import type { Disposable } from './lifecycle.ts';

/** One listener at `event` for all who listen here, while anybody does: for what is dear to listen to. */
export function sharedEvent<T>(event: Event<T>): Event<T> {
  const told = new Emitter<T>();
  let listeners = 0;
  let source: Disposable | undefined;
  return (listener) => {
    const own = told.event(listener);
    listeners += 1;
    source ??= event((value) => told.fire(value));
    let isOver = false;
    return {
      dispose: () => {
        if (isOver) {
          return;
        }
        isOver = true;
        own.dispose();
        listeners -= 1;
        if (listeners === 0) {
          source?.dispose();
          source = undefined;
        }
      },
    };
  };
}
