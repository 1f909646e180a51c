import * as z from 'zod';
import { maxPathLength } from '../../../platform/clientPath.ts';

/** Shapes that several tools share, as clients see them. */
export const somePath = z.string().min(1).max(maxPathLength);
export const pathInput = somePath.describe('Relative to the workspace, absolute inside it, or a file: URI');

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
