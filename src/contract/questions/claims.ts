import * as z from 'zod';

/** What the annotations of a tool claim, by its server. */
export const claim = z.enum(['readOnly', 'changesThings', 'destructive', 'notDestructive', 'repeatable', 'openWorld', 'closedWorld']);
export type Claim = z.infer<typeof claim>;
