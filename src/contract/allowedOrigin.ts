import * as z from 'zod';
import { once } from '../base/once.ts';
import { says } from './settingProblems.ts';

/** An entry of `duplex.server.allowedOrigins`: one without a host would let in who sends none. */
export const allowedOrigin = once(() =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#@\\\s]+\/?$/, {
      error: says('settings.noOrigin'),
      abort: true,
    })
    .refine((text) => URL.canParse(text), says('settings.noAddress')),
);
