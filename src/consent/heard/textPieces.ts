import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { Slices } from '../../base/slices.ts';
import { disguisesOf, textOfCodes } from './disguises.ts';

/** How a text is encoded in the arguments. */
export type PieceEncoding = 'plain' | 'percent' | 'base64' | 'hex' | 'disguised';

/** A text somewhere in a JSON value, decoded. */
export interface TextPiece {
  /** Where the text is, such as `list[0].name`; for a key, the path of its member. Long keys and long paths are cut. */
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

/** The most characters of a key that stand in a path. Everything within a key repeats it, so that one long key would be there thousands of times. */
const maxStep = 200;
/** How long a path may be to grow with the next step; what is deeper has the path of what it is in. */
const maxPath = 1_000;

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
  const add = (path: string, text: string, isKey: boolean, encoding: PieceEncoding = 'plain'): void => {
    isCut ||= text.length > left;
    const taken = text.slice(0, left);
    left -= taken.length;
    if (taken !== '') {
      pieces.push({ path, text: taken, encoding, isKey });
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
      add(path, textOfCodes(items), false, 'disguised');
      // They are pushed one by one, because as arguments of one call they could overflow the stack.
      items.toReversed().forEach((item, index) => waiting.push([inner(path, `[${items.length - 1 - index}]`), item]));
    } else if (isJsonObject(current)) {
      const members = taken(Object.keys(current)).map((key) => [inner(path, path === '' ? key : `.${key}`), key] as const);
      members.forEach(([place, key]) => add(place, key, true));
      members.toReversed().forEach(([place, key]) => waiting.push([place, current[key]]));
    }
  }
  return { pieces, isCut };
}

function inner(path: string, step: string): string {
  const shown = step.length > maxStep ? `${step.slice(0, maxStep)}…` : step;
  return path.length > maxPath ? path : `${path}${shown}`;
}

/** The most characters of all texts in which disguises are looked for. */
const maxDisguised = 50_000;
/** How often a text may be encoded one time over another, as base64 in the path of a URL in base64 is. */
const maxLevels = 2;

/**
 * What pieces hold in an encoded form, no more than `maxLength` characters of it: written for a URL, as base64 or as hexadecimal digits,
 * also one in the other, or disguised. Other encodings (compressed, encrypted) are not recognised.
 */
export async function decodedPieces(pieces: readonly TextPiece[], maxLength: number, slices: Slices): Promise<TextPieces> {
  const all: TextPiece[] = [];
  const seen = new Set<string>();
  let left = maxLength;
  let isCut = false;
  let disguisable = maxDisguised;
  for (let level = 0, from = pieces; level < maxLevels; level += 1) {
    const decoded: TextPiece[] = [];
    for (const piece of from) {
      const disguises = disguisesOf(piece.text.slice(0, disguisable), level === 0);
      disguisable -= Math.min(disguisable, piece.text.length);
      for (const [encoding, text] of [...disguises.map((each) => ['disguised', each] as const), ...decodings(piece.text)]) {
        const key = `${piece.path}\n${text}`;
        if (isText(text) && !seen.has(key)) {
          isCut ||= text.length > left;
          const taken = text.slice(0, left);
          left -= taken.length;
          seen.add(key);
          decoded.push({ ...piece, text: taken, encoding: level === 0 ? encoding : piece.encoding });
        }
        await slices.pauseIfUsedUp();
      }
    }
    decoded.forEach((piece) => all.push(piece));
    from = decoded;
  }
  return { pieces: all, isCut };
}

/** Everything that a text could be when it is decoded; most of it is noise. */
function* decodings(text: string): Generator<readonly [PieceEncoding, string]> {
  if (/%[0-9a-f]{2}/i.test(text)) {
    yield ['percent', withoutPercent(text)];
  }
  for (const compact of new Set([text.replace(/[\r\n]/g, ''), text.replace(/\s/g, '')])) {
    for (const [run] of compact.matchAll(/[A-Za-z0-9+/_-]{32,}/g)) {
      // A slash may be a digit of base64, or it divides the path of a URL.
      for (const digits of new Set([run, run.replaceAll('/', '')])) {
        // Letters before the first digit belong to no group of four, so each of four places may be the first.
        for (let first = 0; first < 4; first += 1) {
          yield ['base64', Buffer.from(digits.slice(first), 'base64').toString()];
        }
      }
    }
  }
  for (const [run] of text.replace(/0x|\\x|[\s:,;-]/gi, '').matchAll(/[0-9a-f]{48,}/gi)) {
    yield ['hex', Buffer.from(run, 'hex').toString()];
    yield ['hex', Buffer.from(run.slice(1), 'hex').toString()];
  }
}

function withoutPercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

/** Whether decoding gave text somewhere: of noise, no more than a few characters in a row are readable. */
function isText(text: string): boolean {
  return /[^\uFFFD\u0000-\u0008\u000E-\u001F\u007F]{16}/.test(text);
}

/** Whether a piece is an image, a sound or another file in base64, where the protocol puts it, and not text. */
export function isBinary({ path, text }: TextPiece): boolean {
  return text.length > 1_000 && /^content\[\d+\]\.(?:data|resource\.blob)$/.test(path) && /^[A-Za-z0-9+/_-]{1000}/.test(text);
}
