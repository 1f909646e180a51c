import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FilterRequest, MatchedLine, SearchRequest, SearchThreadReport } from '../contract/searchMessages.ts';

/** Files below a folder, and texts that come along with the request. */
export function* searchTexts({ root, files, texts, pattern, maxLines, maxBytes }: SearchRequest): Generator<SearchThreadReport> {
  const expression = new RegExp(pattern.source, pattern.flags);
  const report = (file: string, text: string | undefined): Generator<SearchThreadReport> =>
    reportsOn(file, text === undefined ? [] : matchLines(text, expression, maxLines));
  if (root !== undefined) {
    const realRoot = realpathSync(root);
    for (const file of files) {
      yield* report(file, readText(join(root, file), join(realRoot, file), maxBytes));
    }
  }
  for (const [file, text] of texts) {
    yield* report(file, text);
  }
}

/** Of one report: whoever gets it takes it in one go. A line counts like its matches, and long ones like many. */
const maxWeight = 5_000;
const charactersPerMatch = 50;

function* reportsOn(file: string, lines: readonly MatchedLine[]): Generator<SearchThreadReport> {
  let piece: MatchedLine[] = [];
  let weight = 0;
  for (const line of lines) {
    piece.push(line);
    weight += line.spans.length / 2 + line.text.length / charactersPerMatch;
    if (weight >= maxWeight) {
      yield { kind: 'searched', file, lines: piece };
      piece = [];
      weight = 0;
    }
  }
  if (piece.length > 0 || lines.length === 0) {
    yield { kind: 'searched', file, lines: piece };
  }
}

/** `undefined` for what cannot be read, is binary or too large, or lies elsewhere behind a link. */
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

/** Of one text; then it is cut. */
const maxMatches = 200_000;

/** A line's text once, however often it matches. An empty match is no match. */
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

/** So many paths are looked at between two reports. */
const pathsPerReport = 500;

/** The paths that globs leave, by their index. */
export function* filterPaths({ paths, prefixLengths, include, exclude }: FilterRequest): Generator<SearchThreadReport> {
  const wanted = include.map(({ source, flags }) => new RegExp(source, flags));
  const unwanted = exclude.map(({ source, flags }) => new RegExp(source, flags));
  let kept: number[] = [];
  for (const [index, path] of paths.entries()) {
    const own = path.slice(prefixLengths[index]);
    const matches = (pattern: RegExp): boolean => pattern.test(own) || (own !== path && pattern.test(path));
    if ((wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches)) {
      kept.push(index);
    }
    if ((index + 1) % pathsPerReport === 0) {
      yield { kind: 'kept', indexes: kept };
      kept = [];
    }
  }
  yield { kind: 'kept', indexes: kept };
}
