import { assignedSecrets, isPlaceholder } from './assignedSecrets.ts';
import { keyBlocks, keyRests } from './privateKeys.ts';

/** Where secrets are in a text: sorted, and apart from each other. */
export interface SecretSpan {
  readonly from: number;
  readonly to: number;
}

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

export function findSecrets(text: string): readonly SecretSpan[] {
  if (!hint.test(text)) {
    return [];
  }
  const found: SecretSpan[] = [...keyBlocks(text), ...keyRests(text)];
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
  return apart(found);
}

const urlPassword = /(:\/\/[^\s/:@'"`<>]{0,256}:)[^\s/@'"`<>]{1,256}(?=@)/g;
const authorization = /\b((?:bearer|basic)[ \t]{1,4})[A-Za-z0-9._~+/-]{16,20000}={0,2}/gi;

/** Several rules may know the same secret. */
function apart(found: readonly SecretSpan[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
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
