import { decodedAddress } from '../../base/addresses.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ResourcePart } from '../../host/features/resources.ts';
import type { Translate } from '../sentences/translate.ts';

/** A resource as the editor shows it. */
export interface ResourceFile {
  /** The file name. Its ending decides the language, or which viewer shows it. */
  readonly name: string;
  /** Pictures, sound and videos are shown by viewers of the editor; everything else is text, if need be as hex. */
  readonly viewer: 'text' | 'media';
  readonly shown: Uint8Array;
  /** The bytes that are saved. */
  readonly raw: Uint8Array;
  /** The name under which it is saved. */
  readonly rawName: string;
}

/** What the server's list says of a resource. */
export interface ShownResource {
  readonly name: string;
  readonly mimeType: string | undefined;
}

/** How many bytes that are no text are shown as hex. */
const maxHexBytes = 64 * 1024;
/** The most bytes of each part that are shown as hex, where a resource has several parts. */
const maxPartHexBytes = 1_024;
/** The most characters of the name of a file that a resource is saved as: those at its end. */
const maxNameLength = 80;

const mediaEndings: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/bmp': ['bmp'],
  'image/x-icon': ['ico'],
  'image/vnd.microsoft.icon': ['ico'],
  'image/avif': ['avif'],
  'audio/mpeg': ['mp3'],
  'audio/mp3': ['mp3'],
  'audio/wav': ['wav'],
  'audio/x-wav': ['wav'],
  'audio/ogg': ['ogg', 'oga'],
  'video/mp4': ['mp4'],
  'video/webm': ['webm'],
};

const textEndings: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/ld+json': 'json',
  'application/javascript': 'js',
  'application/typescript': 'ts',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'application/sql': 'sql',
  'application/x-sh': 'sh',
  'image/svg+xml': 'svg',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/typescript': 'ts',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'text/x-python': 'py',
  'text/x-java': 'java',
  'text/x-c': 'c',
  'text/x-go': 'go',
  'text/x-rust': 'rs',
  'text/x-shellscript': 'sh',
  'text/xml': 'xml',
  'text/yaml': 'yaml',
  'text/x-diff': 'diff',
};

/** Converts a resource into a file. The type that the server states decides the name; the bytes decide whether it is text. */
export function resourceFile(
  uri: string,
  contents: readonly ResourcePart[],
  listed: ShownResource | undefined,
  t: Translate,
): ResourceFile {
  const base = baseName(uri, listed?.name);
  const [only, ...others] = contents;
  if (only === undefined || others.length > 0) {
    const text = Buffer.from(contents.map((content) => partText(content, t)).join('\n\n'));
    return { name: withEnding(base, 'txt'), viewer: 'text', shown: text, raw: text, rawName: withEnding(base, 'txt') };
  }
  const mimeType = pureMime(only.mimeType ?? listed?.mimeType ?? '');
  if (only.kind === 'text') {
    const raw = Buffer.from(only.text);
    const name = textName(base, mimeType);
    return { name, viewer: 'text', shown: raw, raw, rawName: name };
  }
  return binaryFile(base, mimeType, Buffer.from(only.data, 'base64'), t);
}

function binaryFile(base: string, mimeType: string, raw: Buffer, t: Translate): ResourceFile {
  const endings = memberOf(mediaEndings, mimeType) ?? (mimeType === '' ? mediaEndingsNamed(base) : undefined);
  if (endings !== undefined) {
    const name = endings.includes(endingOf(base)) ? base : `${base}.${endings[0] ?? ''}`;
    return { name, viewer: 'media', shown: raw, raw, rawName: name };
  }
  if (isText(raw)) {
    const name = textName(base, mimeType);
    return { name, viewer: 'text', shown: raw, raw, rawName: name };
  }
  return { name: `${base}.hex`, viewer: 'text', shown: Buffer.from(hexDump(raw, maxHexBytes, t)), raw, rawName: base };
}

/** Writes sixteen bytes in each line: their offset, their values, and what they would be as text. */
function hexDump(bytes: Uint8Array, maxBytes: number, t: Translate): string {
  const lines: string[] = [];
  const end = Math.min(bytes.length, maxBytes);
  for (let start = 0; start < end; start += 16) {
    const row = [...bytes.subarray(start, Math.min(start + 16, end))];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')].join('  ').padEnd(48);
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${start.toString(16).padStart(8, '0')}  ${halves}  ${text}`);
  }
  const more = bytes.length > end ? [t('… and {0} more bytes; they are not shown.', bytes.length - end)] : [];
  return `${[...lines, ...more].join('\n')}\n`;
}

function partText(content: ResourcePart, t: Translate): string {
  const text = content.kind === 'text' ? content.text : hexDump(Buffer.from(content.data, 'base64'), maxPartHexBytes, t);
  return `===== ${revealInvisible(content.uri)} =====\n${text}`;
}

function textName(base: string, mimeType: string): string {
  const ending = memberOf(textEndings, mimeType) ?? (mimeType.endsWith('+json') ? 'json' : mimeType.endsWith('+xml') ? 'xml' : undefined);
  if (ending === undefined) {
    return base;
  }
  // The type that the server states counts more than an ending that names no language, as in `notes.v2`.
  return Object.values(textEndings).includes(endingOf(base)) ? base : `${base}.${ending}`;
}

/** Looks a server's word up in a table, without finding what every object inherits. */
function memberOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function mediaEndingsNamed(base: string): readonly string[] | undefined {
  return Object.values(mediaEndings).find((endings) => endings.includes(endingOf(base)));
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) {
    return false;
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The last part of the address that is not empty, or else the name that the server gives. */
function baseName(uri: string, listedName = ''): string {
  const [address = ''] = uri.split(/[?#]/, 1);
  const last = address.split('/').findLast((part) => part !== '' && !part.endsWith(':')) ?? '';
  return [decodedAddress(last), listedName, 'resource'].map(fileNameOf).find((name) => name !== '') ?? 'resource';
}

function fileNameOf(text: string): string {
  const clean = revealInvisible(text)
    .replace(/[\\/:*?"<>|%]+/g, ' ')
    .trim();
  return /^\.*$/.test(clean) ? '' : clean.slice(-maxNameLength).trim();
}

function pureMime(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase();
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

function withEnding(name: string, ending: string): string {
  return endingOf(name) === ending ? name : `${name}.${ending}`;
}
