import * as z from 'zod';
import { once } from '../../base/late.ts';

/** What a client may do: only read, also edit, also run. */
export const role = once(() => z.enum(['reader', 'editor', 'runner']));
export type Role = z.infer<ReturnType<typeof role>>;

/** What a server claims about its tool, in the tool's annotations. */
export const claim = once(() =>
  z.enum(['readOnly', 'changesThings', 'destructive', 'notDestructive', 'repeatable', 'openWorld', 'closedWorld']),
);
export type Claim = z.infer<ReturnType<typeof claim>>;
