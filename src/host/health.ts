import { hasCode, isAppError } from '../base/errors.ts';
import { toDisposable, type Disposable } from '../base/lifecycle.ts';
import type { Clock } from '../base/clock.ts';
import type { Client } from './shared/sdk.ts';
import { statusOf } from './shared/remoteFailure.ts';

export const healthEveryMs = 30_000;
const answerWithinMs = 15_000;
/** A busy server may miss one. */
const maxMisses = 2;

export interface HealthOptions {
  readonly clock: Clock;
  readonly isAlive: () => Promise<boolean>;
  readonly onDead: () => void;
}

/** Asks at an interval, one question at a time. */
export function watchHealth({ clock, isAlive: ask, onDead }: HealthOptions): Disposable {
  let misses = 0;
  let isOver = false;
  let timer: Disposable | undefined;
  const check = async (): Promise<void> => {
    misses = (await ask()) ? 0 : misses + 1;
    if (isOver) {
      return;
    }
    if (misses >= maxMisses) {
      onDead();
    } else {
      next();
    }
  };
  const next = (): void => {
    timer = clock.schedule(healthEveryMs, () => void check());
  };
  next();
  return toDisposable(() => {
    isOver = true;
    timer?.dispose();
  });
}

/** Any answer is one, also a refusal. */
export async function isAlive(client: Client): Promise<boolean> {
  const options = { timeout: answerWithinMs };
  try {
    await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options));
    return true;
  } catch (error) {
    const isSilent = hasCode(error, 'REQUEST_TIMEOUT') || isAppError(error) || (statusOf(error) ?? 0) >= 500;
    return !isSilent;
  }
}
