import * as z from 'zod';

/** An entry of `duplex.server.allowedOrigins`: one without a host would let in who sends none. */
export const allowedOrigin = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#@\\\s]+\/?$/, {
    error: 'must be like "https://example.com" or "http://localhost:8080"',
    abort: true,
  })
  .refine((text) => URL.canParse(text), 'must be an address');
