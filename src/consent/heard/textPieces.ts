import { isJsonObject, type JsonValue } from '../../base/json.ts';

/** How a text is encoded in the arguments. */
export type PieceEncoding = 'plain' | 'percent' | 'base64' | 'hex';

/** A text somewhere in a JSON value, decoded. */
export interface TextPiece {
  /** Where the text is, such as `list[0].name`; for a key, the path of its member. */
  readonly path: string;
  readonly text: string;
  readonly encoding: PieceEncoding;
  readonly isKey: boolean;
}

export interface TextPieces {
  readonly pieces: readonly TextPiece[];
  /** Whether there was more text than is looked at. */
  readonly isCut: boolean;
}

/** The most members of lists and objects that are looked at: a short JSON text can have millions. */
const maxMembers = 20_000;

/** The smallest number that counts as text, with nine digits: shorter ones identify nobody. */
const leastTellingNumber = 100_000_000;

/**
 * Every text in a value, in order, with the keys of an object before its members, and long numbers as they are written. The time is
 * linear and bounded.
 */
export function textPieces(value: JsonValue | undefined, maxLength: number): TextPieces {
  const pieces: TextPiece[] = [];
  let left = maxLength;
  let membersLeft = maxMembers;
  let isCut = false;
  const add = (path: string, text: string, isKey: boolean): void => {
    isCut ||= text.length > left;
    const taken = text.slice(0, left);
    left -= taken.length;
    if (taken !== '') {
      pieces.push({ path, text: taken, encoding: 'plain', isKey });
    }
  };
  const taken = <T>(members: readonly T[]): readonly T[] => {
    isCut ||= members.length > membersLeft;
    const some = members.slice(0, membersLeft);
    membersLeft -= some.length;
    return some;
  };
  const waiting: (readonly [path: string, value: JsonValue | undefined])[] = [['', value]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, current] = next;
    if (typeof current === 'string') {
      add(path, current, false);
    } else if (typeof current === 'number' && Math.abs(current) >= leastTellingNumber) {
      add(path, String(current), false);
    } else if (Array.isArray(current)) {
      const items = taken(current as readonly JsonValue[]);
      // They are pushed one by one, because as arguments of one call they could overflow the stack.
      items.toReversed().forEach((item, index) => waiting.push([`${path}[${items.length - 1 - index}]`, item]));
    } else if (isJsonObject(current)) {
      const members = taken(Object.keys(current)).map((key) => [path === '' ? key : `${path}.${key}`, key] as const);
      members.forEach(([inner, key]) => add(inner, key, true));
      members.toReversed().forEach(([inner, key]) => waiting.push([inner, current[key]]));
    }
  }
  return { pieces, isCut };
}

const maxDecodedPieces = 50;

/** Decodes texts that are encoded as a URL, base64 or hex. Other encodings (compressed, encrypted, spelled out) are not recognised. */
export function decodedPieces({ path, text, isKey }: TextPiece): TextPiece[] {
  const compact = text.replace(/[\r\n]/g, '');
  const runs = (pattern: RegExp): string[] => (compact.match(pattern) ?? []).slice(0, maxDecodedPieces);
  const decoded: (readonly [PieceEncoding, string])[] = [
    ...(/%[0-9a-f]{2}/i.test(text) ? [['percent', withoutPercent(text)] as const] : []),
    ...runs(/[A-Za-z0-9+/_-]{32,}/g).map((run) => ['base64', Buffer.from(run, 'base64').toString()] as const),
    ...runs(/[0-9a-fA-F]{48,}/g).map((run) => ['hex', Buffer.from(run, 'hex').toString()] as const),
  ];
  return decoded.filter(([, readable]) => isText(readable)).map(([encoding, readable]) => ({ path, text: readable, encoding, isKey }));
}

function withoutPercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

/** Whether decoding gave text: noise means that it was none. */
function isText(text: string): boolean {
  const noise = text.match(/[\uFFFD\u0000-\u0008\u000E-\u001F]/g)?.length ?? 0;
  return text !== '' && noise * 10 <= text.length;
}

/** Whether a piece is an image, a sound or another file in base64, where the protocol puts it, and not text. */
export function isBinary({ path, text }: TextPiece): boolean {
  return /^content\[\d+\]\.(?:data|resource\.blob)$/.test(path) && text.length > 1_000 && /^[A-Za-z0-9+/_-]{1000}/.test(text);
}
