import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FilterRequest, MatchedLine, SearchedFile, SearchRequest } from '../contract/searchMessages.ts';

/** What a pattern matches in files below a folder, and in texts that come along with the request. */
export function* searchTexts({ root, files, texts, pattern, maxLines, maxBytes }: SearchRequest): Generator<SearchedFile> {
  const expression = new RegExp(pattern.source, pattern.flags);
  const search = (file: string, text: string | undefined): Generator<SearchedFile> =>
    partsOf(file, text === undefined ? [] : matchLines(text, expression, maxLines));
  if (root !== undefined) {
    const realRoot = realpathSync(root);
    for (const file of files) {
      yield* search(file, readText(join(root, file), join(realRoot, file), maxBytes));
    }
  }
  for (const [file, text] of texts) {
    yield* search(file, text);
  }
}

/**
 * The most that one part may weigh, because its owner takes it in one go. A line weighs as much as its matches, and more if it is
 * long.
 */
const maxWeight = 5_000;
const charactersPerMatch = 50;

function* partsOf(file: string, lines: readonly MatchedLine[]): Generator<SearchedFile> {
  let piece: MatchedLine[] = [];
  let weight = 0;
  for (const line of lines) {
    piece.push(line);
    weight += line.spans.length / 2 + line.text.length / charactersPerMatch;
    if (weight >= maxWeight) {
      yield { file, lines: piece };
      piece = [];
      weight = 0;
    }
  }
  if (piece.length > 0 || lines.length === 0) {
    yield { file, lines: piece };
  }
}

/** The text is `undefined` for a file that cannot be read, is binary or too large, or lies elsewhere behind a link. */
function readText(path: string, expectedPath: string, maxBytes: number): string | undefined {
  try {
    if (realpathSync(path) !== expectedPath || statSync(path).size > maxBytes) {
      return undefined;
    }
    return decode(readFileSync(path));
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer): string | undefined {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  return wide === undefined && bytes.includes(0) ? undefined : new TextDecoder(wide ?? 'utf-8').decode(bytes);
}

/** The most matches that are told of one text; the rest is left out. */
const maxMatches = 200_000;

/** The lines with a match, each once however often it matches. An empty match is no match. */
export function matchLines(text: string, expression: RegExp, maxLines: number): MatchedLine[] {
  const matched: MatchedLine[] = [];
  let left = maxMatches;
  let start = 0;
  for (let line = 1; start <= text.length && matched.length < maxLines && left > 0; line += 1) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const own = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    const spans: number[] = [];
    for (const match of own.matchAll(expression)) {
      if (match[0] !== '' && left > 0) {
        spans.push(match.index, match.index + match[0].length);
        left -= 1;
      }
    }
    if (spans.length > 0) {
      matched.push({ line, text: own, spans });
    }
    start = end + 1;
  }
  return matched;
}

/** How many paths are looked at between two parts: each part is a sign of life. */
const pathsPerPart = 500;

/** The paths that globs leave, by their index. */
export function* filterPaths({ paths, prefixLengths, include, exclude }: FilterRequest): Generator<readonly number[]> {
  const wanted = include.map(({ source, flags }) => new RegExp(source, flags));
  const unwanted = exclude.map(({ source, flags }) => new RegExp(source, flags));
  let kept: number[] = [];
  for (const [index, path] of paths.entries()) {
    const own = path.slice(prefixLengths[index]);
    const matches = (pattern: RegExp): boolean => pattern.test(own) || (own !== path && pattern.test(path));
    if ((wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches)) {
      kept.push(index);
    }
    if ((index + 1) % pathsPerPart === 0) {
      yield kept;
      kept = [];
    }
  }
  yield kept;
}
