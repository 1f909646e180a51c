import * as z from 'zod';
import { once } from '../../base/late.ts';

export const role = once(() => z.enum(['reader', 'editor', 'runner']));
export type Role = z.infer<ReturnType<typeof role>>;

/** What the annotations of a tool claim, by its server. */
export const claim = once(() =>
  z.enum(['readOnly', 'changesThings', 'destructive', 'notDestructive', 'repeatable', 'openWorld', 'closedWorld']),
);
export type Claim = z.infer<ReturnType<typeof claim>>;
