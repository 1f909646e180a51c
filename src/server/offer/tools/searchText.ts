import * as z from 'zod';
import type { TextMatch, TextPlace, WorkspacePort } from '../../seen/ports/workspacePort.ts';
import { invalidCursor, placeCursor, placeInCursor } from '../catalog/cursor.ts';
import { answerText, fitAnswer, nextCursor, note } from './answers.ts';
import { whyNoFiles } from './findFiles.ts';
import { previewText } from './languageShapes.ts';
import { glob, paging } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const match = z.object({
  path: z.string(),
  line: z.int().min(1).describe('1-based'),
  character: z.int().min(1).describe('1-based'),
  endCharacter: z.int().min(1).describe('Exclusive'),
  preview: z.string().describe('The line as it is, or the part of a long one around the match'),
  previewStart: z.int().optional().describe('Only of a part: at which character of the line it starts'),
});

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(2_000)
    .refine((query) => !/[\r\n\0]/.test(query), 'must be one line')
    .describe('Text within one line'),
  isRegex: z.boolean().default(false).describe('The query is a regular expression'),
  isCaseSensitive: z.boolean().default(false).describe('Upper and lower case differ'),
  include: glob.optional().describe('A glob or folder to search in'),
  ...paging,
});

const output = z.object({ matches: z.array(match), note, nextCursor });
type Output = z.input<typeof output>;

export const searchText = defineTool({
  name: 'search_text',
  title: 'Search Text',
  description: 'Searches all files line by line, unsaved changes included, sorted by path. Binary and very large files are left out.',
  input,
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ cursor, maxChars, ...query }, { editor: { workspace }, call }) => {
    const mark = [query.query, query.isRegex, query.isCaseSensitive, query.include, query.exclude, query.includeIgnored];
    const after = cursor === undefined ? undefined : toPlace(placeInCursor(cursor, mark));
    const { matches, next, tooLarge = [] } = await workspace.searchText({ ...query, after }, call.signal);
    if (matches.length === 0) {
      const why = next === undefined ? await whyNothing(workspace, query, after !== undefined, call.signal) : notYet;
      const reasons = tooLarge.length === 0 ? why : `${why} ${notSearched(tooLarge)}`;
      return { matches: [], note: reasons, ...(next !== undefined && { nextCursor: cursorAt(next, mark) }) };
    }
    const build = (shown: readonly TextMatch[]): Output => {
      const from = shown.length < matches.length ? shown.at(-1) : next;
      return { matches: [...shown], ...(from !== undefined && { nextCursor: cursorAt(from, mark) }) };
    };
    return fitAnswer(matches, maxChars, build, toText);
  },
  toText,
});

type Query = Omit<z.output<typeof input>, 'cursor' | 'maxChars'>;

const notYet = 'Nothing so far, and the time was over: the search goes on with nextCursor.';

/** The longest path that a note names. */
const maxNamedPath = 100;

function notSearched(paths: readonly string[]): string {
  const named = paths.filter((path) => path.length <= maxNamedPath).join(', ');
  return `Files of more than 5 MiB were not searched${named === '' ? '' : `, such as ${named}`}: grep can (run_terminal_command).`;
}

async function whyNothing(workspace: WorkspacePort, query: Query, isLaterPage: boolean, signal: AbortSignal): Promise<string> {
  if (isLaterPage) {
    return 'There is nothing more.';
  }
  const { include: pattern, exclude, includeIgnored } = query;
  for (const each of pattern === undefined ? [] : [pattern, `${pattern.replace(/(?:\/\**)?$/, '')}/**`]) {
    const { files } = await workspace.findFiles({ pattern: each, exclude, includeIgnored, limit: 1 }, signal);
    if (files.length > 0) {
      return noLine(query);
    }
  }
  return pattern === undefined ? noLine(query) : whyNoFiles(workspace, { pattern, exclude, includeIgnored }, true, signal);
}

function noLine({ query, isRegex, isCaseSensitive, includeIgnored }: Query): string {
  const looksLikePattern = !isRegex && /[\\^$*+?()[\]{}|]/.test(query);
  const hints = [
    looksLikePattern && 'The query was taken as it is: isRegex makes it a regular expression.',
    isCaseSensitive && 'Upper and lower case were told apart.',
    !includeIgnored && 'Files that git ignores were left out: includeIgnored searches them.',
  ];
  return ['No line matches.', ...hints.filter((hint) => hint !== false)].join(' ');
}

function cursorAt({ path, line, character }: TextPlace, mark: readonly unknown[]): string {
  return placeCursor([path, line, character], mark);
}

function toPlace([path, line, character]: readonly (string | number)[]): TextPlace {
  if (typeof path !== 'string' || typeof line !== 'number' || typeof character !== 'number') {
    throw invalidCursor();
  }
  return { path, line, character };
}

function toText({ matches, ...endings }: Output): string {
  return answerText(
    matches.map((each) => `${each.path}:${each.line}:${each.character}-${each.endCharacter}: ${previewText(each)}`),
    endings,
  );
}
