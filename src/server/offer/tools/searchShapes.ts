import * as z from 'zod';

/** What finding and searching share. */
export const glob = z
  .string()
  .min(1)
  .max(500)
  .describe('A glob, relative to the workspace: "*.ts" anywhere, "src/**/*.ts" below a folder; {a,b} for alternatives');

export const paging = {
  exclude: glob.optional().describe('A glob for files to leave out; the name of a folder stands for all that is in it'),
  includeIgnored: z.boolean().default(false).describe('Also files that .gitignore and its kind leave out'),
  limit: z.int().min(1).max(1_000).default(200).describe('How many to return at most'),
  cursor: z.string().max(10_000).optional().describe('nextCursor of the page before'),
};

export const nextCursor = z.string().optional().describe('Only when there are more: pass it as cursor');
