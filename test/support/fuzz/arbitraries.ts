import fc from 'fast-check';
import { isJsonObject } from '../../../src/base/json.ts';

/** Any character: fast-check's own `binary` first makes a table of them all, which takes longer than a thousand cases. */
const anyCharacter = fc.integer({ min: 0, max: 0x10_f7_ff }).map((code) => String.fromCodePoint(code < 0xd8_00 ? code : code + 0x8_00));

/** Values that readers stumble over. */
const nasty: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  0.1,
  '',
  ' ',
  '__proto__',
  'constructor',
  '${env:X}',
  '${input:',
  '\u0000',
  '\uD800',
  '\u202E\u200B',
  'a'.repeat(5_000),
  'https://user:pass@host/%zz?#',
  '../../etc/passwd',
  '```',
  [],
  {},
  [[[[[[]]]]]],
  { $ref: '#' },
  { type: ['null', 'string'], anyOf: [{}] },
];

const keys = ['__proto__', 'constructor', 'toString', 'type', 'properties', 'items', '$ref', 'id', 'name', 'version', ''];

/** Any JSON, with keys that readers look for and values that they stumble over. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...nasty),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.double(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string({ maxLength: 6 })), tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

/** One of the values, changed in up to four places: what is nearly right reaches further than what is all wrong. */
export function changedJson(corpus: readonly unknown[]): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 7 }),
    to: anyJson,
    how: fc.constantFrom('set', 'set', 'remove', 'twice'),
  });
  return fc.oneof(
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...corpus), fc.array(change, { maxLength: 4 }))
        .map(([value, changes]) => changes.reduce(withChange, value)),
      weight: 4,
    },
    { arbitrary: anyJson, weight: 1 },
  );
}

interface Change {
  readonly at: readonly number[];
  readonly to: unknown;
  readonly how: string;
}

function withChange(value: unknown, { at, to, how }: Change): unknown {
  const [step = 0, ...rest] = at;
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  const found = entries[step % Math.max(1, entries.length)];
  if (found === undefined) {
    return to;
  }
  const inner = rest.length === 0 ? to : withChange(found[1], { at: rest, to, how });
  const others = entries.filter(([key]) => key !== found[0] || how !== 'remove' || rest.length > 0);
  const changed = others.flatMap(([key, old]) =>
    key === found[0] ? [[key, inner] as const, ...(how === 'twice' ? [[`${key}2`, old] as const] : [])] : [[key, old] as const],
  );
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed);
}

/** One of the texts, cut, with bits turned, parts doubled and foreign text in it; or another text. */
export function changedText(corpus: readonly string[]): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const change = fc.record({
    how: fc.constantFrom('cut', 'flip', 'double', 'insert', 'drop'),
    from: place,
    length: fc.nat({ max: 200 }),
    text: fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 12 }),
      fc.constantFrom('\u0000', '\uD800', '<![CDATA[', ']]>', '&', '[', '](', '```', '|-|', '\r', '\n\n', '{', '"', '"version":9'),
    ),
  });
  return fc.oneof(
    {
      arbitrary: fc.tuple(fc.constantFrom(...corpus), fc.array(change, { maxLength: 4 })).map(([text, changes]) =>
        changes.reduce((whole, { how, from, length, text: added }) => {
          const at = Math.floor(from * whole.length);
          const part = whole.slice(at, at + length);
          switch (how) {
            case 'cut':
              return whole.slice(0, at);
            case 'flip':
              return whole.slice(0, at) + String.fromCharCode(whole.charCodeAt(at) ^ (1 << (length % 8))) + whole.slice(at + 1);
            case 'double':
              return whole.slice(0, at) + part + part + whole.slice(at + length);
            case 'drop':
              return whole.slice(0, at) + whole.slice(at + length);
            case 'insert':
              return whole.slice(0, at) + added + whole.slice(at);
          }
        }, text),
      ),
      weight: 4,
    },
    { arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }), weight: 1 },
    {
      arbitrary: fc
        .array(fc.constantFrom(...'<>&[](){}*_`|#-+~:"\'\\/%$ \t\n\r1a.,;=!?@'.split('')), { maxLength: 80 })
        .map((all) => all.join('')),
      weight: 1,
    },
  );
}

/** The bytes in pieces, cut anywhere. */
export function inPieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((one, other) => one - other);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}
