import type { Clock } from '../../base/clock.ts';
import { hasCode, isAppError } from '../../base/errors.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { statusOf } from '../shared/failures.ts';
import type { Pulse } from '../shared/pulse.ts';
import type { Client } from '../shared/sdk.ts';

/** The pause, in ms, before a server is asked again whether it still answers. */
export const healthEveryMs = 30_000;
/** How long, in ms, a server may take to show that it still answers. */
const answerWithinMs = 15_000;
/** A busy server may miss one question. */
const maxMisses = 2;

export interface HealthOptions {
  readonly clock: Clock;
  readonly pulse: Pick<Pulse, 'heard' | 'isAwaited'>;
  readonly isAlive: () => Promise<boolean>;
  readonly onDead: () => void;
}

/**
 * Asks at an interval, one question at a time, and calls `onDead` when too many got no answer. A server that works on a request may be
 * too busy for questions: its silence does not count, because the request has a time limit of its own. It is asked all the same, because
 * answers keep a connection open that carries nothing else. Whatever it says is a sign of life.
 */
export function watchHealth({ clock, pulse, isAlive: ask, onDead }: HealthOptions): Disposable {
  let misses = 0;
  let heard = pulse.heard;
  let isOver = false;
  let timer: Disposable | undefined;
  const check = async (): Promise<void> => {
    const wasBusy = pulse.isAwaited;
    const isAnswered = await ask();
    const isBusy = pulse.isAwaited;
    const isHeard = isAnswered || pulse.heard !== heard;
    heard = pulse.heard;
    if (isHeard) {
      misses = 0;
    } else if (!wasBusy && !isBusy) {
      misses += 1;
    }
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

/** Whether the server answers at all; a refusal is an answer too. */
export async function isAnswering(client: Client): Promise<boolean> {
  const options = { timeout: answerWithinMs };
  try {
    await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options));
    return true;
  } catch (error) {
    const isSilent = hasCode(error, 'REQUEST_TIMEOUT') || isAppError(error) || (statusOf(error) ?? 0) >= 500;
    return !isSilent;
  }
}
