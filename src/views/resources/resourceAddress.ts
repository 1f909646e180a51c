import { createHmac, timingSafeEqual } from 'node:crypto';
import { ownSchemes } from '../../contract/identity.ts';

/** What the address of a resource's document is made from. */
export interface ResourcePlace {
  readonly serverId: string;
  /** The name of the server that people know. */
  readonly server: string;
  readonly uri: string;
  /** The file name. Its ending decides the language, or which viewer shows it. */
  readonly fileName: string;
}

export interface AddressParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/**
 * Makes the address `duplex-resource://SEAL/SERVER/RESOURCE/FILE`. Only what the person opened is ever read: the seal, which
 * nobody else can make, binds the address to one resource of one server and one name. A similar link in a repository leads
 * nowhere.
 */
export function resourceAddress(key: string, { serverId, server, uri, fileName }: ResourcePlace): AddressParts {
  const path = ['', segmentOf(server), segmentOf(uri), segmentOf(fileName)].join('/');
  return { scheme: ownSchemes.resource, authority: sealOf(key, serverId, uri, fileName), path };
}

/** The resource that an address means; undefined when the address was not made by `resourceAddress`. */
export function readResourceAddress(
  key: string,
  { authority, path }: Pick<AddressParts, 'authority' | 'path'>,
  serverIds: readonly string[],
): Pick<ResourcePlace, 'serverId' | 'uri'> | undefined {
  const [before, , resource, file, ...rest] = path.split('/');
  const uri = resource === undefined ? undefined : textOf(resource);
  const fileName = file === undefined ? undefined : textOf(file);
  if (before !== '' || uri === undefined || fileName === undefined || rest.length > 0) {
    return undefined;
  }
  const serverId = serverIds.find((id) => isEqual(sealOf(key, id, uri, fileName), authority));
  return serverId === undefined ? undefined : { serverId, uri };
}

function sealOf(key: string, serverId: string, uri: string, fileName: string): string {
  // Hexadecimal in lower case, because VS Code ignores the case of this part of an address.
  return createHmac('sha256', key)
    .update(JSON.stringify(['resource', serverId, uri, fileName]))
    .digest('hex')
    .slice(0, 32);
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** The character that replaces a slash within a segment, and looks like one: people read the address above the document. */
const innerSlash = '\u2215';

/** Escapes text of a server as one segment of a path. VS Code resolves `.`, `..` and empty segments, so no text may become one. */
function segmentOf(text: string): string {
  const escaped = text.replace(/[%\\\u2215\p{Cc}]/gu, (character) => encodeURIComponent(character)).replaceAll('/', innerSlash);
  return /^\.*$/.test(escaped) ? `%${escaped}` : escaped;
}

function textOf(segment: string): string | undefined {
  if (/^%\.*$/.test(segment)) {
    return segment.slice(1);
  }
  try {
    return decodeURIComponent(segment.replaceAll(innerSlash, '/'));
  } catch {
    return undefined;
  }
}
