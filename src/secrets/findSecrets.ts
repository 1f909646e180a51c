import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { SecretPlace } from './secretMarks.ts';
import { isPlainSecret, isSecretField } from './secretNames.ts';

/**
 * The tokens of well-known issuers. Each pattern starts only where a run of its own characters starts, so that a long run is
 * looked at once and the time stays linear. Every run has an upper bound, because one of many millions of characters would be
 * more than the stack of the regular expression engine holds.
 */
const shapes: readonly RegExp[] = [
  /(?<![A-Za-z0-9_-])gh[pousr]_[A-Za-z0-9]{36,20000}/g,
  /(?<![A-Za-z0-9_-])github_pat_[A-Za-z0-9_]{22,20000}/g,
  /(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,20000}/g,
  /(?<![A-Za-z0-9_-])npm_[A-Za-z0-9]{36,20000}/g,
  /(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{50,20000}/g,
  /(?<![A-Za-z0-9_-])hf_[A-Za-z0-9]{30,20000}/g,
  /(?<![A-Za-z0-9_-])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}/g,
  /(?<![A-Za-z0-9_-])sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{20,20000}/g,
  /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9]{32,20000}/g,
  /(?<![A-Za-z0-9_-])[sr]k_(?:live|test)_[A-Za-z0-9]{16,20000}/g,
  /(?<![A-Za-z0-9_-])xox[abeoprs]-[A-Za-z0-9-]{10,20000}/g,
  /(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,20000}\.eyJ[A-Za-z0-9_-]{8,20000}\.[A-Za-z0-9_-]{0,20000}/g,
];

/** Whatever is found begins with one of these. Most texts have none of them and are done after this one look. */
const hint =
  /gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|A(?:KIA|SIA|BIA|CCA)|AIza|sk-|[sr]k_|xox|eyJ|:\/\/|-----(?:BEGIN|END)|bearer|basic|passw|pwd|passphrase|secret|token|(?:api|access|private|account)[_-]?key/i;

/**
 * A pattern for engines that look through many files. Ignoring case, it matches on a line of every text in which `findSecrets` finds
 * something, and of few others. Every engine for regular expressions reads it alike; it has no look-around, and every run that a text
 * could repeat has a bound.
 */
export const secretLine = [
  'gh[pousr]_[a-z0-9]{36}',
  'github_pat_[a-z0-9_]{22}',
  'glpat-[a-z0-9_-]{20}',
  'npm_[a-z0-9]{36}',
  'pypi-[a-z0-9_-]{50}',
  'hf_[a-z0-9]{30}',
  'a(kia|sia|bia|cca)[a-z0-9]{16}',
  'aiza[a-z0-9_-]{35}',
  'sk-(ant|proj|svcacct|admin|or)-[a-z0-9_-]{20}',
  'sk-[a-z0-9]{32}',
  '[sr]k_(live|test)_[a-z0-9]{16}',
  'xox[abeoprs]-[a-z0-9-]{10}',
  'eyj[a-z0-9_-]{8}',
  '://[^\\s/:@\'"`<>]{0,256}:[^\\s/@\'"`<>]{1,256}@',
  '(bearer|basic)[ \\t]{1,4}[a-z0-9._~+/-]{16}',
  '-----(BEGIN|END) [a-z0-9 ]{0,40}PRIVATE KEY',
  '(password|passwd|pwd|passphrase|secret)["\'`]?(\\][ \\t]?)?=[^\\s"\'`,;&()<>\\[\\]{}]{6}',
  '(password|passwd|pwd|passphrase|secret|token|(api|access|private|account)[_-]?key)["\'`]?(\\][ \\t]?)?' +
    '([ \\t]{0,8}(=>|:=|[:=])[ \\t]{0,8}|[ \\t]{1,2})' +
    "(([a-z]{1,2}|[@$]{1,2})?(\"{1,3}([^\"\\s]{6}|[^\"\\s]{0,5}\\\\\")|'{1,3}([^'\\s]{6}|[^'\\s]{0,5}(\\\\'|''))|`([^`\\s]{6}|[^`\\s]{0,5}\\\\`))" +
    '|[^\\s"\'`,;&()<>\\[\\]{}0-9]{0,256}[0-9])',
  '(password|passwd|pwd|passphrase|secret|token|(api|access|private|account)[_-]?key)>[^\\s<>]{6,256}</',
].join('|');

/** Finds the secrets in a short text: sorted, and apart from each other. For long texts there is `secretPlaces`. */
export function findSecrets(text: string): readonly SecretPlace[] {
  if (!hint.test(text)) {
    return [];
  }
  const found: SecretPlace[] = [...keyBlocks(text), ...keyRests(text)];
  for (const shape of shapes) {
    for (const { 0: secret, index } of text.matchAll(shape)) {
      found.push({ from: index, to: index + secret.length });
    }
  }
  for (const { 0: whole, 1: before = '', index } of text.matchAll(urlPassword)) {
    if (!isPlaceholder(whole.slice(before.length))) {
      found.push({ from: index + before.length, to: index + whole.length });
    }
  }
  for (const { 0: whole, 1: before = '', index } of text.matchAll(authorization)) {
    if (/[\dA-Z]/.test(whole.slice(before.length))) {
      found.push({ from: index + before.length, to: index + whole.length });
    }
  }
  for (const secret of assignedSecrets(text)) {
    found.push(secret);
  }
  for (const { 0: whole, 1: before = '', 2: value = '', index } of text.matchAll(element)) {
    if (/[^\p{L}]/u.test(value) && !isPlaceholder(value)) {
      found.push({ from: index + before.length, to: index + whole.length });
    }
  }
  return apart(found);
}

const urlPassword = /(:\/\/[^\s/:@'"`<>]{0,256}:)[^\s/@'"`<>]{1,256}(?=@)/g;
const authorization = /\b((?:bearer|basic)[ \t]{1,4})[A-Za-z0-9._~+/-]{16,20000}={0,2}/gi;

/** An XML element whose name says that its text is a secret. Letters alone are rather a word for people. */
const element = /((?:password|passwd|pwd|passphrase|secret|token|(?:api|access|private|account)[_-]?key)>)([^\s<>]{6,256})(?=<\/)/gi;

/** Merges places that overlap: several rules may find the same secret. */
function apart(found: readonly SecretPlace[]): SecretPlace[] {
  const spans: SecretPlace[] = [];
  for (const { from, to } of [...found].sort((one, other) => one.from - other.from)) {
    const last = spans.at(-1);
    if (last !== undefined && from < last.to) {
      spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else if (from < to) {
      spans.push({ from, to });
    }
  }
  return spans;
}

/** `name = value` and its relatives, where the end of the name says that the value is a secret. The value itself is read by `valueAt`. */
const assignment =
  /(password|passwd|pwd|passphrase|secret|token|(?:api|access|private|account)[_-]?key)["'`]?(?:\][ \t]?)?([ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}|[ \t]{1,2})(?=[^\s,;&()<>[\]{}])/gi;

/** What languages write right before a quotation mark, as in `b'…'`, `f"…"` and `@"…"`. */
const beforeQuote = /(?:[A-Za-z]{1,2}|[@$]{1,2})(?=["'`])/y;
/** By the first mark: in three marks; with marks inside that a backslash or a second one keeps from ending the value; as it stands. */
const quotedValues: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ['"', [/(""")([^\r\n]{1,500}?)"""/y, /(")((?:[^"\\\r\n]|\\[^\r\n]){1,500})"/y, /(")([^"\r\n]{1,500})"/y]],
  ["'", [/(''')([^\r\n]{1,500}?)'''/y, /(')((?:[^'\\\r\n]|\\[^\r\n]|''){1,500})'/y, /(')([^'\r\n]{1,500})'/y]],
  ['`', [/(`)((?:[^`\\\r\n]|\\[^\r\n]){1,500})`/y, /(`)([^`\r\n]{1,500})`/y]],
]);
/** The longest unquoted value that is taken for a secret. */
const maxBareLength = 256;

/**
 * Finds values that are secrets by the name before them. A value is looked at once, however many names stand in it:
 * `password=password=…` would otherwise cost as much as the longest value at every name.
 */
function* assignedSecrets(text: string): Generator<SecretPlace> {
  const bareEnd = endsOfBareValues(text);
  const names = new RegExp(assignment);
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const { 0: whole, 1: name = '', 2: between = '', index } = match;
    const at = index + whole.length;
    const isOption = between.trim() === '';
    const value = valueAt(text, at, bareEnd);
    const isSecret =
      value !== undefined &&
      (value.isQuoted ? isQuotedSecret(name, value.text) : isBareSecret(name, between, value.text, value.after)) &&
      !isPlaceholder(value.text) &&
      (!isOption || followsDashes(text, index));
    if (isSecret) {
      yield { from: value.from, to: value.from + value.text.length };
      names.lastIndex = value.from + value.text.length;
    } else {
      names.lastIndex = at; // the value may be the next name
    }
  }
}

interface Value {
  readonly from: number;
  readonly text: string;
  readonly isQuoted: boolean;
  /** The character after it; none at the end of the text. */
  readonly after: string | undefined;
}

function valueAt(text: string, at: number, bareEnd: (at: number) => number): Value | undefined {
  beforeQuote.lastIndex = at;
  const quoteAt = at + (beforeQuote.exec(text)?.[0].length ?? 0);
  const patterns = quotedValues.get(text[quoteAt] ?? '');
  if (patterns !== undefined) {
    return quotedAt(text, quoteAt, patterns);
  }
  const end = bareEnd(at);
  const after = text[end];
  const isWhole = after === undefined || /[\s&;,"'`)]/.test(after);
  const length = end - at;
  return isWhole && length >= 4 && length <= maxBareLength ? { from: at, text: text.slice(at, end), isQuoted: false, after } : undefined;
}

/** Reads a value in quotation marks in each way, and takes the first that has no white space in it: another one is a sentence, or reaches too far. */
function quotedAt(text: string, at: number, patterns: readonly RegExp[]): Value | undefined {
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    const [, mark = '', value] = pattern.exec(text) ?? [];
    if (value !== undefined && !/\s/.test(value)) {
      return { from: at + mark.length, text: value, isQuoted: true, after: undefined };
    }
  }
  return undefined;
}

/** Returns a function that says where an unquoted value ends. Called for ascending places, it looks at no character twice. */
function endsOfBareValues(text: string): (at: number) => number {
  const bareEnd = /[\s"'`,;&()<>[\]{}]/g;
  let end = -1;
  return (at) => {
    if (at > end) {
      bareEnd.lastIndex = at;
      end = bareEnd.exec(text)?.index ?? text.length;
    }
    return end;
  };
}

/** Whether the name is an option, as in `--token VALUE`. Without the dashes it is prose. */
function followsDashes(text: string, nameAt: number): boolean {
  return /--[A-Za-z-]{0,40}$/.test(text.slice(Math.max(0, nameAt - 42), nameAt));
}

function isQuotedSecret(name: string, value: string): boolean {
  return value.length >= 6 && !/\s/.test(value) && value.toLowerCase() !== name.toLowerCase();
}

/** Whether an unquoted value is a secret: it may also be code, such as a type, a variable or a call. */
function isBareSecret(name: string, between: string, value: string, after: string | undefined): boolean {
  const isToken = /token|key/i.test(name);
  const hasDigit = /\d/.test(value);
  const isType = /^[A-Z][A-Za-z]*\d+[A-Za-z]*$/.test(value);
  if (isType || /^[\d.]+$/.test(value) || after === ',' || after === ')' || value.toLowerCase() === name.toLowerCase()) {
    return false;
  }
  if (between === '=') {
    return isToken || after === ';' ? hasDigit && value.length >= 8 : value.length >= 6;
  }
  return hasDigit && value.length >= (isToken ? 16 : 6) && !/[.?!]\w*\(|^\w+\.\w+/.test(value);
}

function isPlaceholder(value: string): boolean {
  return /^(?:\$|%\w+%|<|\{|\*+$|x+$|\.+$|\[redacted\]|(?:your|my|example|changeme|placeholder|undefined|null|true|false|process\.env)\b)/i.test(
    value,
  );
}

const blockStart = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/**
 * Finds PEM blocks of private keys, whole or cut off at the end: then they reach to the last line that may be of the key. Code that
 * only mentions the marks of such a block stays.
 */
function* keyBlocks(text: string): Generator<SecretPlace> {
  const starts = [...text.matchAll(blockStart)].map(({ 0: mark, index }) => index + mark.length);
  for (const [position, from] of starts.entries()) {
    // Up to the next mark at most, so that no text is looked at twice.
    const body = text.slice(from, starts[position + 1] ?? text.length);
    yield* wordsIn(body.slice(0, lengthOfKey(body)), from);
  }
}

/** Yields all but white space and written line breaks, so that the lines of the text stay what they are. */
function* wordsIn(body: string, offset: number): Generator<SecretPlace> {
  for (const { 0: word, 1: lineBreak, index } of body.matchAll(/(\\[nr])|(?:[^\s\\]|\\(?![nr]))+/g)) {
    if (lineBreak === undefined) {
      yield { from: offset + index, to: offset + index + word.length };
    }
  }
}

function lengthOfKey(body: string): number {
  const end = body.indexOf('-----END');
  if (end >= 0) {
    return keyRun.test(body.slice(0, end)) ? end : 0;
  }
  const lines = linesIn(body);
  const [first] = lines;
  if (first === undefined || !isDecoration(body.slice(first.from, first.to))) {
    return 0;
  }
  let last = 0;
  for (const { from, to } of lines.slice(1)) {
    const line = body.slice(from, to);
    if (isKeyLine(line)) {
      last = to;
    } else if (!isDecoration(line) && !keyHeader.test(line)) {
      break;
    }
  }
  return keyRun.test(body.slice(0, last)) ? last : 0;
}

const keyRun = /[A-Za-z0-9+/]{32}/;
const keyHeader = /^[^A-Za-z]{0,24}[A-Za-z-]{1,40}: /;
/** What programs put before and behind the lines of a key: signs of a diff, numbers, quotation marks. */
const before = /^[\s\d+\-|>#*:.,"'`→]{0,24}/;
const behind = /["'`,;+\\\s]{0,8}$/;

function isKeyLine(line: string): boolean {
  return /^[A-Za-z0-9+/=]{1,200}$/.test(line.replace(before, '').replace(behind, '')) || /^[A-Za-z0-9+/=]{1,200}$/.test(line.trim());
}

function isDecoration(line: string): boolean {
  return line.replace(before, '').replace(behind, '') === '';
}

/** The lines of a text, which may be written as one with `\\n` in it. */
function linesIn(text: string): SecretPlace[] {
  const lines: SecretPlace[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/\\[nr]|\r?\n|\r/g)) {
    lines.push({ from, to: index });
    from = index + end.length;
  }
  return [...lines, { from, to: text.length }];
}

const blockEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Finds the rest of a private key whose beginning was cut off: the lines before the mark of its end. */
function* keyRests(text: string): Generator<SecretPlace> {
  let earliest = 0;
  for (const { 0: mark, index } of text.matchAll(blockEnd)) {
    const start = earliest;
    const body = text.slice(start, index);
    const [last, ...lines] = linesIn(body).reverse();
    let from = body.length;
    if (last !== undefined && isDecoration(body.slice(last.from, last.to))) {
      for (const line of lines) {
        if (!isKeyLine(body.slice(line.from, line.to))) {
          break;
        }
        from = line.from;
      }
    }
    const rest = body.slice(from);
    if (keyRun.test(rest)) {
      yield* wordsIn(rest, start + from);
    }
    earliest = index + mark.length;
  }
}

/** Stands before a stretch of a long text that lies within a private key, so that the key is known there. */
export const keyGoesOn = '-----BEGIN PRIVATE KEY-----\n';

/** Whether a private key that began before `from` reaches to `to`: exports of many keys are longer than what is looked at at once. */
export function isWithinKey(text: string, { from, to }: SecretPlace): boolean {
  const mark = text.lastIndexOf('-----BEGIN', from);
  const isOpen = mark >= 0 && text.lastIndexOf('-----END', to) < mark && text.slice(mark, mark + 100).search(blockStart) === 0;
  return isOpen && linesIn(text.slice(from, to)).every((line) => isPartOfKey(text.slice(from + line.from, from + line.to)));
}

function isPartOfKey(line: string): boolean {
  return isKeyLine(line) || isDecoration(line);
}

/** Known secrets that are shorter stand in many texts that hold no secret, so they do not count. */
const minKnownLength = 4;

/** Whether arguments hold what must not be kept in a file: a secret by its shape, by its name, or because it is `known` from the server's definition. */
export function holdSecret(args: JsonObject, known: readonly string[]): boolean {
  const secrets = known.filter(({ length }) => length >= minKnownLength);
  const waiting: (readonly [string, JsonValue])[] = [['', args]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next;
    if (isSecretField(name) && isSomething(value)) {
      return true;
    }
    if (typeof value === 'string') {
      if (isPlainSecret(name, value) || hasSecret(value) || secrets.some((secret) => value.includes(secret))) {
        return true;
      }
    } else if (Array.isArray(value)) {
      (value as readonly JsonValue[]).forEach((item) => waiting.push([name, item]));
    } else if (isJsonObject(value)) {
      Object.entries(value).forEach(([key, member]) => waiting.push([key, member ?? null]));
    }
  }
  return hasSecret(JSON.stringify(args));
}

function hasSecret(text: string): boolean {
  return findSecrets(text).length > 0;
}

/** Whether a value with the name of a secret is one. It is, whatever its type, unless it is empty or only says whether there is a secret. */
function isSomething(value: JsonValue): boolean {
  return typeof value === 'object' ? value !== null && Object.keys(value).length > 0 : typeof value !== 'boolean' && value !== '';
}
