import * as z from 'zod';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';
import { paged } from './answers.ts';

/** A path as a parameter; the shapes of this file are shared by several tools. */
export const somePath = z.string().min(1).max(maxPathLength);
export const pathInput = somePath.describe('Relative to the workspace, absolute inside it, or a file: URI');

/** Treats "." like no path at all: in a workspace of several folders it means all of them. */
export function pathUnlessAll(path: string | undefined): string | undefined {
  return path === '.' || path === './' ? undefined : path;
}

export const severity = z.enum(['error', 'warning', 'information', 'hint']);

const position = z.object({ line: z.int().min(1), character: z.int().min(1) });
export const textRange = z.object({ start: position, end: position }).describe('1-based; the end is exclusive');

export const diagnostic = z.object({
  path: z.string(),
  range: textRange,
  severity,
  message: z.string(),
  source: z.string().optional(),
  code: z.string().optional(),
});

/** The parameters that find_files and search_text share. */
export const glob = z.string().min(1).max(500).describe('A glob relative to the workspace: "*.ts" anywhere, "src/**/*.ts", {a,b}');

export const paging = {
  exclude: glob.optional().describe('A glob or folder to leave out'),
  includeIgnored: z.boolean().default(false).describe('Also what git ignores'),
  limit: z.int().min(1).max(1_000).default(200).describe('Most results'),
  ...paged,
};
