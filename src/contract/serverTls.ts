import * as z from 'zod';
import { once } from '../base/once.ts';
import { says } from './settingProblems.ts';

/** The listener's certificate and key; with `ca`, clients need a certificate of that authority. Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | undefined;
}

/** `duplex.server.tls`. An empty path counts as none; nothing at all means plain HTTP, half of it never does. */
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
