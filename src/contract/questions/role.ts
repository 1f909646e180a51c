import * as z from 'zod';
import { once } from '../../base/once.ts';

export const role = once(() => z.enum(['reader', 'editor', 'runner']));
export type Role = z.infer<ReturnType<typeof role>>;
