import * as z from 'zod';
import { once } from '../../base/once.ts';

/** What the annotations of a tool claim, by its server. */
export const claim = once(() =>
  z.enum(['readOnly', 'changesThings', 'destructive', 'notDestructive', 'repeatable', 'openWorld', 'closedWorld']),
);
export type Claim = z.infer<ReturnType<typeof claim>>;
