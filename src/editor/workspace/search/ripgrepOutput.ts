import type { LineMatch } from './searchEngine.ts';

/** Text, or bytes that are no UTF-8. */
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
        readonly submatches: readonly { readonly start: number; readonly end: number }[];
      };
    }
  | { readonly type: 'summary' | 'context' };

/** What `rg --json` wrote, by file. Binary files are left out; a line that was cut off is dropped. */
export function parseMatches(output: Buffer): Map<string, LineMatch[]> {
  const found = new Map<string, LineMatch[]>();
  for (const line of output.toString().split('\n')) {
    const message = parseMessage(line);
    if (message?.type === 'match') {
      const file = fileOf(message.data.path);
      const matches = found.get(file) ?? [];
      for (const match of matchesOf(message)) {
        matches.push(match);
      }
      found.set(file, matches);
    } else if (message?.type === 'end' && message.data.binary_offset !== null) {
      found.delete(fileOf(message.data.path));
    }
  }
  return new Map([...found].filter(([, matches]) => matches.length > 0));
}

function parseMessage(line: string): Message | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Message);
  } catch {
    return undefined;
  }
}

function fileOf(path: Bytes): string {
  const name = decode(path).toString();
  return (process.platform === 'win32' ? name.replaceAll('\\', '/') : name).replace(/^\.\//, '');
}

function matchesOf({ data }: Extract<Message, { type: 'match' }>): LineMatch[] {
  const bytes = decode(data.lines);
  const whole = bytes.toString();
  const text = whole.replace(/\r?\n$/, '');
  const toCharacter = bytes.length === whole.length ? (offset: number): number => offset + 1 : characterCounter(bytes);
  return data.submatches
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ line: data.line_number, character: toCharacter(start), endCharacter: toCharacter(end), text }));
}

/** ripgrep counts bytes. Offsets are asked for in rising order, and no byte is looked at twice: a line may have millions. */
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
