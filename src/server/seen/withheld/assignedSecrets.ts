import type { SecretSpan } from './findSecrets.ts';

/** `name = value` and its relatives: the name's end says that the value is a secret. What follows the name is looked at apart. */
const assignment =
  /(password|passwd|pwd|passphrase|secret|token|(?:api|access|private|account)[_-]?key)["'`]?(?:\][ \t]?)?([ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}|[ \t]{1,2})(?=[^\s,;&()<>[\]{}])/gi;

const quotedValue = /"[^"\r\n]{1,500}"|'[^'\r\n]{1,500}'|`[^`\r\n]{1,500}`/y;
const maxBareLength = 256;

/**
 * One pass: a value is looked at once, however many names stand in it. `password=password=…` would otherwise cost as much as
 * the longest value at every name.
 */
export function* assignedSecrets(text: string): Generator<SecretSpan> {
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
      const from = value.isQuoted ? at + 1 : at;
      yield { from, to: from + value.text.length };
      names.lastIndex = from + value.text.length;
    } else {
      names.lastIndex = at; // the value may be the next name
    }
  }
}

interface Value {
  readonly text: string;
  readonly isQuoted: boolean;
  /** The character after it; none at the end of the text. */
  readonly after: string | undefined;
}

function valueAt(text: string, at: number, bareEnd: (at: number) => number): Value | undefined {
  const first = text[at];
  if (first === '"' || first === "'" || first === '`') {
    quotedValue.lastIndex = at;
    const quoted = quotedValue.exec(text)?.[0];
    return quoted === undefined ? undefined : { text: quoted.slice(1, -1), isQuoted: true, after: undefined };
  }
  const end = bareEnd(at);
  const after = text[end];
  const isWhole = after === undefined || /[\s&;,"'`)]/.test(after);
  const length = end - at;
  return isWhole && length >= 4 && length <= maxBareLength ? { text: text.slice(at, end), isQuoted: false, after } : undefined;
}

/** Where the run of a bare value's characters ends. Asked in ascending order, it looks at no character twice. */
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

/** `--token VALUE`: without the dashes it is prose. */
function followsDashes(text: string, nameAt: number): boolean {
  return /--[A-Za-z-]{0,40}$/.test(text.slice(Math.max(0, nameAt - 42), nameAt));
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

export function isPlaceholder(value: string): boolean {
  return /^(?:\$|%\w+%|<|\{|\*+$|x+$|\.+$|\[redacted\]|(?:your|my|example|changeme|placeholder|undefined|null|true|false|process\.env)\b)/i.test(
    value,
  );
}
