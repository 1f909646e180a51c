import * as z from 'zod';
import { once } from '../base/once.ts';
import { role } from './questions/role.ts';
import { says } from './settingProblems.ts';

const globs = once(() =>
  z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
    error: says('settings.noGlobs'),
  }),
);

/** A rule can only ever narrow: what it leaves out, it does not ask after. */
const policyRule = once(() =>
  z.strictObject({
    effect: z.enum(['deny', 'ask']),
    /** A credential's id, as `duplex.clients` shows it. */
    client: z.string().min(1).optional(),
    role: role().optional(),
    transport: z.enum(['http', 'sse', 'ws']).optional(),
    tool: globs().optional(),
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

/** `duplex.server.policy`. */
export const policySetting = once(() => z.array(policyRule()));
