import * as z from 'zod';
import { once } from '../base/once.ts';

/** Half a session makes no sense. Less than `least` would lock everybody out, more than `most` is no limit. */
function whole(least: number, most: number, preset: number): z.ZodDefault<z.ZodNumber> {
  return z.number().int().min(least).max(most).default(preset);
}

/** `duplex.server.limits`: what one window's server grants, at most. Read, every limit has a value. */
export const limitsSetting = once(() =>
  z.strictObject({
    bodyBytes: whole(1_024, 256 * 1024 * 1024, 4 * 1024 * 1024),
    sessions: whole(1, 10_000, 256),
    streams: whole(1, 10_000, 1_024),
    /** Per credential; a batch counts by its items. */
    requestsPerSecond: whole(1, 1_000_000, 5_000),
    /** Calls of acting tools, per credential. */
    actingPerSecond: whole(1, 10_000, 10),
    /** Requests on the OAuth paths, of everybody together. */
    oauthPerSecond: whole(1, 10_000, 10),
    idleSessionMinutes: z
      .number()
      .min(0.01)
      .max(7 * 24 * 60)
      .default(30),
  }),
);

export type LimitsSetting = Readonly<z.infer<ReturnType<typeof limitsSetting>>>;
