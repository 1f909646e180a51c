import * as z from 'zod';

export const role = z.enum(['reader', 'editor', 'runner']);
export type Role = z.infer<typeof role>;
