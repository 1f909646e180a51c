import * as z from 'zod';
import { paged } from './budget.ts';

/** What finding and searching share. */
export const glob = z.string().min(1).max(500).describe('A glob relative to the workspace: "*.ts" anywhere, "src/**/*.ts", {a,b}');

export const paging = {
  exclude: glob.optional().describe('A glob or folder to leave out'),
  includeIgnored: z.boolean().default(false).describe('Also what git ignores'),
  limit: z.int().min(1).max(1_000).default(200).describe('Most results'),
  ...paged,
};
