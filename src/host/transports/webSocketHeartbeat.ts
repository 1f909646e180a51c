import type WebSocket from 'ws';
import { toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { Clock } from '../../base/clock.ts';

const pingEveryMs = 30_000;

/** A peer that vanished without a word is noticed by its silence to a ping. `onSilence` is called once. */
export function startHeartbeat(socket: WebSocket, clock: Clock, onSilence: () => void): Disposable {
  let hasAnswered = true;
  socket.on('pong', () => (hasAnswered = true));
  const check = (): void => {
    if (!hasAnswered) {
      onSilence();
      return;
    }
    hasAnswered = false;
    socket.ping();
    timer = clock.schedule(pingEveryMs, check);
  };
  let timer = clock.schedule(pingEveryMs, check);
  return toDisposable(() => timer.dispose());
}
