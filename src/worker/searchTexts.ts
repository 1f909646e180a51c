import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MatchedLine, SearchRequest, SearchThreadReport } from '../contract/searchMessages.ts';
import { matchLines } from './matchLines.ts';

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
