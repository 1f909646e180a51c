import { createHmac, timingSafeEqual } from 'node:crypto';
import { ownSchemes } from '../../contract/identity.ts';

/** What a document of a resource is made from. */
export interface ResourcePlace {
  readonly serverId: string;
  /** As people call the server. */
  readonly server: string;
  readonly uri: string;
  /** Its ending says the language, or which viewer shows it. */
  readonly fileName: string;
}

export interface AddressParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/**
 * `duplex-resource://SEAL/SERVER/RESOURCE/FILE`. Only what the person opened is read: the seal, which nobody else can make, binds
 * the address to one resource of one server and one name. A link in a repository that looks like one leads nowhere.
 */
export function resourceAddress(key: string, { serverId, server, uri, fileName }: ResourcePlace): AddressParts {
  const path = ['', segmentOf(server), segmentOf(uri), segmentOf(fileName)].join('/');
  return { scheme: ownSchemes.resource, authority: sealOf(key, serverId, uri, fileName), path };
}

/** Which resource of which of these servers it means; none for an address that was not made here. */
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
  // In lower case: VS Code compares this part of an address without regard to case.
  return createHmac('sha256', key)
    .update(JSON.stringify(['resource', serverId, uri, fileName]))
    .digest('hex')
    .slice(0, 32);
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** What stands for a slash within a segment: people read the address above the document. */
const innerSlash = '\u2215';

/** VS Code resolves `.`, `..` and empty segments of a path: no text of a server's may become one. */
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
