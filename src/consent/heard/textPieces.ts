import { isJsonObject, type JsonValue } from '../../base/json.ts';

/** How a text stands in the arguments. */
export type PieceEncoding = 'plain' | 'percent' | 'base64' | 'hex';

/** A text somewhere in a JSON value, readable. */
export interface TextPiece {
  /** Such as `list[0].name`; of a key that carries text itself, the path of its member. */
  readonly path: string;
  readonly text: string;
  readonly encoding: PieceEncoding;
  readonly isKey: boolean;
}

export interface TextPieces {
  readonly pieces: readonly TextPiece[];
  /** There was more than is looked at. */
  readonly isCut: boolean;
}

/** Members of lists and of objects, all together: a list can have millions of them in few letters. */
const maxMembers = 20_000;

/** Of nine digits: shorter ones belong to nobody in particular. */
const leastTellingNumber = 100_000_000;

/** Every text of a value in its order, the keys of an object before its members; long numbers as they are written. Linear, and bounded. */
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
      // One by one: as the arguments of one call they can be more than the stack holds.
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

/** Copies in the usual clothes of a URL or of binary data. Others (compressed, encrypted, spelled out) are not recognised. */
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

/** Whatever decodes into noise was no text. */
function isText(text: string): boolean {
  const noise = text.match(/[\uFFFD\u0000-\u0008\u000E-\u001F]/g)?.length ?? 0;
  return text !== '' && noise * 10 <= text.length;
}

/** A picture, a sound or another file in base64, where the protocol puts it: no text, and long. */
export function isBinary({ path, text }: TextPiece): boolean {
  return /^content\[\d+\]\.(?:data|resource\.blob)$/.test(path) && text.length > 1_000 && /^[A-Za-z0-9+/_-]{1000}/.test(text);
}
