const marker = '[redacted]';

/**
 * A shape starts only where a run of its own characters starts, so that a long run is looked at once: time stays linear.
 * With an end to every run: one of many millions of characters would be more than the engine's stack holds.
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

/** Everything below begins with one of these: most text has none and is passed on after one look. */
const hint =
  /gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|A(?:KIA|SIA|BIA|CCA)|AIza|sk-|[sr]k_|xox|eyJ|:\/\/|-----(?:BEGIN|END)|bearer|basic|passw|pwd|passphrase|secret|token|(?:api|access|private|account)[_-]?key/i;

/** Secrets inside text become `[redacted]`. Line breaks stay, so that line numbers keep their meaning. */
export function redactSecrets(text: string): string {
  if (!hint.test(text)) {
    return text;
  }
  let shown = redactKeyRests(redactKeyBlocks(text));
  for (const shape of shapes) {
    shown = shown.replace(shape, marker);
  }
  return shown
    .replace(/(:\/\/[^\s/:@'"`<>]{0,256}:)([^\s/@'"`<>]{1,256})(?=@)/g, (whole, before: string, value: string) =>
      isPlaceholder(value) ? whole : `${before}${marker}`,
    )
    .replace(/\b(bearer|basic)([ \t]{1,4})([A-Za-z0-9._~+/-]{16,20000}={0,2})/gi, (whole, scheme: string, gap: string, value: string) =>
      /\d/.test(value) || /[A-Z]/.test(value) ? `${scheme}${gap}${marker}` : whole,
    )
    .replace(assignment, redactAssignment);
}

const blockStart = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const maxBlockLength = 20_000;

/** PEM blocks of private keys, whole or cut off at the end; code that only mentions the marks stays. */
function redactKeyBlocks(text: string): string {
  const starts = [...text.matchAll(blockStart)].map(({ 0: mark, index }) => index + mark.length);
  let shown = '';
  let done = 0;
  starts.forEach((from, position) => {
    // Up to the next mark at most, so that no text is looked at twice.
    const body = text.slice(from, Math.min(from + maxBlockLength, starts[position + 1] ?? text.length));
    const length = lengthOfKey(body);
    shown +=
      text.slice(done, from) +
      body.slice(0, length).replace(/(\\[nr])|(?:[^\s\\]|\\(?![nr]))+/g, (_, lineBreak?: string) => lineBreak ?? marker);
    done = from + length;
  });
  return shown + text.slice(done);
}

function lengthOfKey(body: string): number {
  const end = body.indexOf('-----END');
  if (end >= 0) {
    return /[A-Za-z0-9+/]{32}/.test(body.slice(0, end)) ? end : 0;
  }
  return /^(?:\r?\n[ \t]*|\\[nr])+[A-Za-z0-9+/=]{30,}(?:(?:\r?\n[ \t]*|\\[nr])+[A-Za-z0-9+/=]{4,}(?=\s|\\|$))*/.exec(body)?.[0].length ?? 0;
}

const blockEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyLine = /^[ \t]*[A-Za-z0-9+/=]{1,200}\r?\n$/;

/** What is left of a key whose beginning was cut off: the lines before the mark of its end. */
function redactKeyRests(text: string): string {
  let shown = '';
  let done = 0;
  for (const { index } of text.matchAll(blockEnd)) {
    const from = startOfKeyLines(text, index, done);
    const rest = text.slice(from, index);
    if (/[A-Za-z0-9+/]{32}/.test(rest)) {
      shown += text.slice(done, from) + rest.replace(/\S{1,200}/g, marker);
      done = index;
    }
  }
  return shown + text.slice(done);
}

function startOfKeyLines(text: string, end: number, earliest: number): number {
  let from = end;
  while (from > earliest && text[from - 1] === '\n') {
    const start = from === 1 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
    if (start < earliest || !keyLine.test(text.slice(start, from))) {
      break;
    }
    from = start;
  }
  return from;
}

/** `name = value` and its relatives: the name's end says that the value is a secret. */
const assignment =
  /(password|passwd|pwd|passphrase|secret|token|(?:api|access|private|account)[_-]?key)(["'`]?(?:\][ \t]?)?)([ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}|[ \t]{1,2})(?:"([^"\r\n]{1,500})"|'([^'\r\n]{1,500})'|`([^`\r\n]{1,500})`|([^\s"'`,;&()<>[\]{}]{4,256})(?=([\s&;,"'`)]|$)))/gi;

function redactAssignment(whole: string, ...groups: unknown[]): string {
  const [name = '', close = '', between = '', double, single, tick, bare, after] = groups as (string | undefined)[];
  const quoted = double ?? single ?? tick;
  const value = quoted ?? bare ?? '';
  const isOption = between.trim() === '';
  const isSecret = quoted === undefined ? isBareSecret(name, between, value, after) : isQuotedSecret(name, value);
  if (!isSecret || isPlaceholder(value) || (isOption && !followsDashes(groups))) {
    return whole;
  }
  const quote = double === undefined ? (single === undefined ? (tick === undefined ? '' : '`') : "'") : '"';
  return `${name}${close}${between}${quote}${marker}${quote}`;
}

/** `--token VALUE`: without the dashes it is prose. */
function followsDashes(groups: readonly unknown[]): boolean {
  const text = groups.at(-1);
  const offset = groups.at(-2);
  return typeof text === 'string' && typeof offset === 'number' && /--[A-Za-z-]{0,40}$/.test(text.slice(Math.max(0, offset - 42), offset));
}

function isQuotedSecret(name: string, value: string): boolean {
  return value.length >= 6 && !/\s/.test(value) && value.toLowerCase() !== name.toLowerCase();
}

/** Without quotes it may be code: a type, a variable, a call. */
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
