import { setTimeout as sleep } from 'node:timers/promises';
import type { WindowsFolderWatch } from './findWindows.ts';
import type { BridgeTimings } from './timings.ts';
import type { ConnectResult, WindowConnector } from './windowConnector.ts';
import type { Link } from './windowLink.ts';

export interface ConnectionUser {
  /** Resolves when the window is gone. */
  serve(link: Link): Promise<void>;
  unavailable(reason: string): void;
}

/** A test holds it in its hand; `pause` rejects when the signal fires. */
export interface BridgeTime {
  readonly now: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Its timers keep the process alive: while the host is not listened to, nothing else does. */
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
    let folder = connector.watch(); // before the look, lest what comes in between is missed
    const connecting = connector.connect();
    const result = await Promise.race([connecting, stopped]);
    if (result === undefined) {
      closeWhenConnected(connecting);
    } else if (result.kind === 'connected') {
      folder.close();
      const since = time.now();
      await user.serve(result.link);
      missedSince = time.now();
      // A window that stayed is missed at once; one that only comes and goes is not asked all the time, but while calls wait for it.
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
  /** One change is several to a watch, and somebody may change something all the time. */
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
  /** Since when the oldest request that was not answered waits, by `performance.now()`. */
  readonly waitingSince: () => number | undefined;
  /** Asks the window whether its page answers. Never rejects. */
  readonly isSilent: () => Promise<boolean>;
  /** How long a request may wait before that is asked. */
  readonly patienceMs: number;
  /** A page may be busy or away for a moment: it is asked again and again after this, */
  readonly againMs: number;
  /** for so long. */
  readonly maxSilenceMs: number;
}

/**
 * Resolves to true when the window has to be left: a request waited, and its page has not answered since for too long. The
 * extensions of a page that is gone live on for minutes, and say so to nobody; that they report progress proves nothing. To false
 * when `over` fires.
 */
export async function becomesSilent(options: WindowWatchOptions, over: AbortSignal): Promise<boolean> {
  const { patienceMs, againMs, maxSilenceMs } = options;
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal: over }).catch(() => undefined);
  let silentSince: number | undefined;
  while (!over.aborted) {
    const since = options.waitingSince();
    // While nothing waits, a look every ten seconds is enough: a request that comes meanwhile is asked about that much later.
    const waits = since === undefined ? 2 * patienceMs : Math.max(0, since + patienceMs - performance.now());
    // Once it was silent that is followed to its end, also when the request was given up by then: the next one would only wait, too.
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
