import * as z from 'zod';
import { once } from '../../base/late.ts';
import { role } from '../questions/rolesAndClaims.ts';
import { says } from './settingProblems.ts';

const globs = once(() =>
  z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
    error: says('settings.noGlobs'),
  }),
);

/** One rule of `duplex.server.policy`. A rule can only narrow what clients may do; a condition that it leaves out always holds. */
const policyRule = once(() =>
  z.strictObject({
    effect: z.enum(['deny', 'ask']),
    /** The id of a client's credential, as `duplex.clients` shows it. */
    client: z.string().min(1).optional(),
    role: role().optional(),
    transport: z.enum(['http', 'sse', 'ws']).optional(),
    tool: globs().optional(),
    /** The names of servers that the person offers to clients. */
    server: globs().optional(),
    resource: globs().optional(),
    path: globs().optional(),
    sensitivity: z.literal('sensitive').optional(),
    hours: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, says('settings.noHours'))
      .optional(),
    until: z
      .string()
      .refine((text) => !Number.isNaN(Date.parse(text)), says('settings.noDate'))
      .optional(),
  }),
);

export type PolicyRuleSetting = Readonly<z.infer<ReturnType<typeof policyRule>>>;

/** The schema of `duplex.server.policy`. */
export const policySetting = once(() => z.array(policyRule()));

/** The schema of a limit, which is a whole number: less than `least` would lock everybody out, more than `most` is no limit. */
function whole(least: number, most: number, preset: number): z.ZodDefault<z.ZodNumber> {
  return z.number().int().min(least).max(most).default(preset);
}

/** The schema of `duplex.server.limits`: what one window's server grants at most. Once it is read, every limit has a value. */
export const limitsSetting = once(() =>
  z.strictObject({
    bodyBytes: whole(1_024, 256 * 1024 * 1024, 4 * 1024 * 1024),
    /** Open sessions of all clients together. */
    sessions: whole(1, 10_000, 256),
    /** Open streams of all clients together. */
    streams: whole(1, 10_000, 1_024),
    /**
     * Messages of one connection, and of all connections of one credential that is a single program's own; many programs share the
     * window token, so each of its connections keeps a share. A batch counts by its items, and a long message as several.
     */
    requestsPerSecond: whole(1, 1_000_000, 5_000),
    /** Calls of acting tools, per credential; with the window token, which many programs share, per session. */
    actingPerSecond: whole(1, 10_000, 10),
    /** Requests on the OAuth paths, of all programs together; those for the descriptions below `/.well-known/` count by themselves. */
    oauthPerSecond: whole(1, 10_000, 10),
    idleSessionMinutes: z
      .number()
      .min(0.01)
      .max(7 * 24 * 60)
      .default(30),
  }),
);

export type LimitsSetting = Readonly<z.infer<ReturnType<typeof limitsSetting>>>;

/** The paths of PEM files with the listener's certificate and key. With `ca`, clients need a certificate of that authority. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | undefined;
}

/** The schema of `duplex.server.tls`. An empty path counts as none. Without any path the server speaks plain HTTP; with only one of certificate and key it never does. */
export const tlsSetting = once(() =>
  z
    .strictObject({ cert: z.string().optional(), key: z.string().optional(), ca: z.string().optional() })
    .transform((paths, context): TlsFiles | undefined => {
      const { cert, key, ca } = { cert: paths.cert || undefined, key: paths.key || undefined, ca: paths.ca || undefined };
      if (cert === undefined && key === undefined && ca === undefined) {
        return undefined;
      }
      if (cert === undefined || key === undefined) {
        context.addIssue({ code: 'custom', path: [cert === undefined ? 'cert' : 'key'], message: says('settings.missing') });
        return z.NEVER;
      }
      return { cert, key, ca };
    }),
);

/** An entry of `duplex.server.allowedOrigins`. It must have a host: one without would let in everybody who sends no origin. */
export const allowedOrigin = once(() =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#@\\\s]+\/?$/, {
      error: says('settings.noOrigin'),
      abort: true,
    })
    .refine((text) => URL.canParse(text), says('settings.noAddress')),
);
