import { setTimeout as sleep } from 'node:timers/promises';
import type { BridgeTimings } from './timings.ts';
import type { ConnectResult, WindowConnector } from './windowConnector.ts';
import type { Link } from './windowLink.ts';

export interface ConnectionUser {
  /** Resolves when the window is gone. */
  serve(link: Link): Promise<void>;
  unavailable(reason: string): void;
}

/** Connects to a window, lets it serve, and connects again once it is gone, until `stopping` fires. */
export async function keepConnected(
  connector: Pick<WindowConnector, 'connect'>,
  user: ConnectionUser,
  { minRetryDelay, maxRetryDelay }: BridgeTimings,
  stopping: AbortSignal,
): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => {
    stopping.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  let delay = minRetryDelay;
  while (!stopping.aborted) {
    const connecting = connector.connect();
    const result = await Promise.race([connecting, stopped]);
    if (result === undefined) {
      closeWhenConnected(connecting);
    } else if (result.kind === 'connected') {
      const since = performance.now();
      await user.serve(result.link);
      // A window that stayed is missed at once; one that only comes and goes is not asked all the time.
      delay = performance.now() - since > maxRetryDelay ? minRetryDelay : delay;
    } else {
      user.unavailable(result.reason);
    }
    await sleep(delay, undefined, { signal: stopping }).catch(() => undefined);
    delay = Math.min(delay * 2, maxRetryDelay);
  }
}

function closeWhenConnected(connecting: Promise<ConnectResult>): void {
  void connecting.then((result) => {
    if (result.kind === 'connected') {
      result.link.close();
    }
  });
}
