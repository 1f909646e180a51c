import { setTimeout as sleep } from 'node:timers/promises';
import type { WindowsFolderWatch } from './findWindows.ts';
import type { BridgeTimings } from './timings.ts';
import type { ConnectResult, WindowConnector } from './windowConnector.ts';
import type { Link } from './windowLink.ts';

export interface ConnectionUser {
  /** Serves the host through this window. The promise resolves when the window is gone. */
  serve(link: Link): Promise<void>;
  unavailable(reason: string): void;
}

/** The time, which a test can replace; `pause` rejects when the signal fires. */
export interface BridgeTime {
  readonly now: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The real time. Its timers keep the process alive: while the host is not listened to, nothing else does. */
const systemTime: BridgeTime = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

/**
 * Connects to a window, lets it serve, and connects again once it is gone, until `stopping` fires. A window that opens is noticed at
 * once where its folder can be watched; looking again after a while is for all other reasons why there was none.
 */
export async function keepConnected(
  connector: Pick<WindowConnector, 'connect' | 'watch'>,
  user: ConnectionUser,
  timings: BridgeTimings,
  stopping: AbortSignal,
  time = systemTime,
): Promise<void> {
  const { minRetryDelay, maxRetryDelay, restingRetryDelay, reloadHold } = timings;
  const stopped = new Promise<undefined>((resolve) => {
    stopping.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  let delay = minRetryDelay;
  let missedSince = time.now();
  while (!stopping.aborted) {
    let folder = connector.watch(); // before looking, so that nothing that comes in between is missed
    const connecting = connector.connect();
    const result = await Promise.race([connecting, stopped]);
    if (result === undefined) {
      closeWhenConnected(connecting);
    } else if (result.kind === 'connected') {
      folder.close();
      const since = time.now();
      await user.serve(result.link);
      missedSince = time.now();
      // A window that had stayed is looked for at once again; one that only comes and goes is looked for ever less often.
      delay = missedSince - since > maxRetryDelay ? minRetryDelay : Math.min(delay, maxRetryDelay);
      folder = connector.watch();
    } else {
      user.unavailable(result.reason);
    }
    const isChanged = await changesWithin(folder, { least: minRetryDelay, most: delay, pause: time.pause }, stopping);
    folder.close();
    // As long as calls wait for the window, it is looked for often.
    const maxDelay = time.now() - missedSince < reloadHold ? maxRetryDelay : restingRetryDelay;
    delay = isChanged ? minRetryDelay : Math.min(delay * 2, maxDelay);
  }
}

interface Waiting extends Pick<BridgeTime, 'pause'> {
  /** The shortest wait, in ms: one change is several to a watch, and somebody may change something all the time. */
  readonly least: number;
  readonly most: number;
}

async function changesWithin({ changed }: WindowsFolderWatch, { least, most, pause }: Waiting, stopping: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const pass = (milliseconds: number): Promise<boolean> =>
    pause(milliseconds, signal).then(
      () => false,
      () => false,
    );
  await pass(least);
  const isChanged = await Promise.race([changed.then(() => true), pass(most - least)]);
  over.abort();
  return isChanged;
}

function closeWhenConnected(connecting: Promise<ConnectResult>): void {
  void connecting.then((result) => {
    if (result.kind === 'connected') {
      result.link.close();
    }
  });
}

export interface WindowWatchOptions {
  /** Since when the oldest request without an answer waits, by `performance.now()`. */
  readonly waitingSince: () => number | undefined;
  /** Asks the window whether its page does not answer. The promise never rejects. */
  readonly isSilent: () => Promise<boolean>;
  /** How long, in ms, a request may wait before the window is asked. */
  readonly patienceMs: number;
  /** How often, in ms, a silent page is asked again: it may be busy or away for a moment. */
  readonly againMs: number;
  /** How long, in ms, a page may stay silent before its window is left. */
  readonly maxSilenceMs: number;
}

/**
 * Watches a window. The promise resolves to true when the window has to be left: a request waits, and the window's page has not
 * answered for too long. The extensions of a page that is gone live on for minutes, and say so to nobody; that they report progress
 * proves nothing. It resolves to false when `over` fires.
 */
export async function becomesSilent(options: WindowWatchOptions, over: AbortSignal): Promise<boolean> {
  const { patienceMs, againMs, maxSilenceMs } = options;
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal: over }).catch(() => undefined);
  let silentSince: number | undefined;
  while (!over.aborted) {
    const since = options.waitingSince();
    // While no request waits, a look every ten seconds is enough: for one that comes meanwhile the window is asked that much later.
    const waits = since === undefined ? 2 * patienceMs : Math.max(0, since + patienceMs - performance.now());
    // A silent page is watched until it answers, even when the request was given up by then: the next request would only wait, too.
    if (silentSince === undefined && (since === undefined || waits > 0)) {
      await pause(waits);
      continue;
    }
    const askedAt = performance.now();
    if (!(await options.isSilent())) {
      silentSince = undefined;
      await pause(patienceMs);
    } else if (silentSince !== undefined && performance.now() - silentSince >= maxSilenceMs) {
      return !over.aborted;
    } else {
      silentSince ??= askedAt;
      await pause(againMs);
    }
  }
  return false;
}
