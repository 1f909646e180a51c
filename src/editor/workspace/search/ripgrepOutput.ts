import { parsedJson } from '../../../base/json.ts';
import { Slices } from '../../../base/slices.ts';
import type { LineMatch } from './searchEngine.ts';

/** A text, or bytes in Base64 where it is not UTF-8. */
interface Bytes {
  readonly text?: string;
  readonly bytes?: string;
}

type Message =
  | { readonly type: 'begin'; readonly data: { readonly path: Bytes } }
  | { readonly type: 'end'; readonly data: { readonly path: Bytes; readonly binary_offset: number | null } }
  | {
      readonly type: 'match';
      readonly data: {
        readonly path: Bytes;
        readonly lines: Bytes;
        readonly line_number: number;
        readonly submatches: readonly Submatch[];
      };
    }
  | { readonly type: 'summary' | 'context' };

interface Submatch {
  readonly start: number;
  readonly end: number;
}

const lineFeed = 0x0a;
/** A line of the output that is longer is read piece by piece: one line of a file may have a million matches. */
const longLine = 64 * 1024;

/**
 * Reads what `rg --json` wrote, by file. Binary files are left out, and a line that was cut off is dropped. It is read in slices,
 * between which others get their turn: it may be long.
 */
export async function parseMatches(output: Buffer): Promise<Map<string, LineMatch[]>> {
  const slices = new Slices();
  const found = new Map<string, LineMatch[]>();
  for (const line of linesOf(output)) {
    const { message, submatches } = parseLine(line);
    if (message?.type === 'match') {
      const file = fileOf(message.data.path);
      const matches = found.get(file) ?? [];
      const toMatch = lineMatches(message);
      for (const piece of submatches) {
        piece.filter(({ start, end }) => start < end).forEach((submatch) => matches.push(toMatch(submatch)));
        await slices.pauseIfUsedUp();
      }
      found.set(file, matches);
    } else if (message?.type === 'end' && message.data.binary_offset !== null) {
      found.delete(fileOf(message.data.path));
    }
  }
  return new Map([...found].filter(([, matches]) => matches.length > 0));
}

function* linesOf(output: Buffer): Generator<string> {
  for (let from = 0; from < output.length;) {
    const end = output.indexOf(lineFeed, from);
    const to = end < 0 ? output.length : end;
    yield output.toString('utf8', from, to);
    from = to + 1;
  }
}

/** Reads a message, and the matches it tells of. */
function parseLine(line: string): { readonly message?: Message | undefined; readonly submatches: Iterable<readonly Submatch[]> } {
  // This can only be a name in the message: within its texts a quote has a backslash before it.
  const start = line.length > longLine ? line.indexOf(submatchesName) : -1;
  if (start >= 0 && line.endsWith(messageEnd)) {
    const end = line.length - messageEnd.length;
    const message = parseMessage(`${line.slice(0, start)}${submatchesName}${messageEnd}`);
    return { message, submatches: submatchesIn(line.slice(start + submatchesName.length, end)) };
  }
  const message = parseMessage(line);
  return { message, submatches: message?.type === 'match' ? [message.data.submatches] : [] };
}

const submatchesName = '"submatches":[';
const messageEnd = ']}}';
const nextSubmatch = ',{"match":';

/**
 * Reads a list of matches, given without its brackets, piece by piece. A list that was cut off may end like a whole one: of that,
 * what can be read is told.
 */
function* submatchesIn(list: string): Generator<readonly Submatch[]> {
  for (let from = 0; from < list.length;) {
    const next = list.indexOf(nextSubmatch, from + longLine);
    const to = next < 0 ? list.length : next;
    const piece = parsedJson(`[${list.slice(from, to)}]`) as readonly Submatch[] | undefined;
    if (piece === undefined) {
      return;
    }
    yield piece;
    from = to + 1;
  }
}

function parseMessage(line: string): Message | undefined {
  return line === '' ? undefined : (parsedJson(line) as Message | undefined);
}

function fileOf(path: Bytes): string {
  const name = decode(path).toString();
  return (process.platform === 'win32' ? name.replaceAll('\\', '/') : name).replace(/^\.\//, '');
}

/** Makes a function that describes the matches of one line; it has to be called in their order. */
function lineMatches({ data }: Extract<Message, { type: 'match' }>): (submatch: Submatch) => LineMatch {
  const bytes = decode(data.lines);
  const whole = bytes.toString();
  const text = whole.replace(/\r?\n$/, '');
  const toCharacter = bytes.length === whole.length ? (offset: number): number => offset + 1 : characterCounter(bytes);
  return ({ start, end }) => ({ line: data.line_number, character: toCharacter(start), endCharacter: toCharacter(end), text });
}

/**
 * Makes a function from ripgrep's byte offsets to characters. Offsets have to come in rising order, so that no byte is looked at
 * twice: a line may have millions.
 */
function characterCounter(bytes: Buffer): (offset: number) => number {
  let from = 0;
  let characters = 0;
  return (offset) => {
    characters += bytes.toString('utf8', from, offset).length;
    from = offset;
    return characters + 1;
  };
}

function decode({ text, bytes }: Bytes): Buffer {
  return bytes === undefined ? Buffer.from(text ?? '') : Buffer.from(bytes, 'base64');
}
