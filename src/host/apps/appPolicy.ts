import type { AppDeclaration } from './appMeta.ts';

/** The policy under which an app is shown, and what the person is told about it. */
export interface AppPolicy {
  /** The text of a content security policy. */
  readonly text: string;
  /** The sources that the app gets; empty: it reaches nothing. */
  readonly connect: readonly string[];
  readonly resources: readonly string[];
  /** What was declared and is not given. */
  readonly refused: readonly string[];
}

/**
 * Makes the policy of an app from the domains that its page declares: closed, and opened only for sources that are certainly public
 * names. Frames, base addresses, forms, workers and devices are never given, and neither is `eval`. An app could leave by navigating
 * itself wherever frames may go, which is why no declared frame domain is given.
 */
export function appPolicy({ connect, resources, other }: AppDeclaration): AppPolicy {
  const reached = unique(connect.filter((source) => isPublicSource(source, ['https:', 'wss:'])));
  const loaded = unique(resources.filter((source) => isPublicSource(source, ['https:'])));
  const from = (...fixed: string[]): string => [...fixed, ...loaded].join(' ');
  const text = [
    `default-src 'none'`,
    // A violation then says what was tried, which the person is told of.
    `script-src ${from("'unsafe-inline'", "'report-sample'")}`,
    `style-src ${from("'unsafe-inline'")}`,
    `img-src ${from('data:', 'blob:')}`,
    `font-src ${from('data:')}`,
    `media-src ${from('data:', 'blob:')}`,
    `connect-src ${reached.length === 0 ? "'none'" : reached.join(' ')}`,
    `frame-src 'none'`,
    `worker-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const given = new Set([...reached, ...loaded]);
  return {
    text,
    connect: reached,
    resources: loaded,
    refused: unique([...connect, ...resources, ...other].filter((each) => !given.has(each))),
  };
}

/** One label of a name: no `_`, no hyphen at an end. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that mean this machine or a private network. */
const privateEnds: ReadonlySet<string> = new Set([
  'localhost',
  'local',
  'internal',
  'lan',
  'home',
  'corp',
  'private',
  'intranet',
  'arpa',
  'test',
  'onion',
]);

/**
 * Whether a declared source is exactly a scheme and a public name, with a port if wanted, and nothing that a policy would read
 * otherwise. `*.` may stand before a name of two labels. Addresses in numbers are refused, whatever they mean.
 */
export function isPublicSource(source: string, schemes: readonly string[]): boolean {
  const match = /^([a-z]+:)\/\/(\*\.)?([a-z0-9.-]{1,253})(?::([0-9]{1,5}))?$/.exec(source);
  const [, scheme = '', , host = '', port] = match ?? [];
  if (match === null || !schemes.includes(scheme) || (port !== undefined && Number(port) > 65_535)) {
    return false;
  }
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  const isName = labels.length >= 2 && labels.every((each) => label.test(each)) && /[a-z]/.test(last) && !/^0x/.test(last);
  return isName && !privateEnds.has(last);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
