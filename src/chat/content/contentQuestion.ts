import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Choice, Difference } from '../../contract/questions/questions.ts';
import type { AskedSource, ContentDestination, ContentSource, SendContentQuestion } from '../../contract/questions/sentContent.ts';
import { redactWith } from '../../secrets/redactSecrets.ts';
import type { AttachmentWish } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import type { ChatContent } from './hostPorts.ts';
import { type PreparedContent, shortText } from './preparedContent.ts';

/** The answers to a question that may be remembered. There is no "always", because the content of a resource changes. */
export const rememberable: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace'];

/** The answers to a question that must not be remembered, such as when a name has a secret in it, which would be stored with the answer. */
const onceOnly: readonly Choice[] = ['deny', 'allowOnce'];

/**
 * The permission for a resource or a prompt. It is bound to the server as it was approved, to the resource's address or the prompt's
 * name, and to where it goes, but not to the content, which changes. So a remembered allow covers content that nobody has looked at:
 * what looks like a secret in it is then always removed, and the conversation says how much that was.
 */
export function contentRequest(wish: ContentWish, identity: string, destination: ContentDestination): ConsentRequest {
  const material: JsonObject = { server: identity, destination: destination.kind === 'guide' ? '' : destination.address };
  return {
    principal: 'chat',
    action: 'sendContent',
    subject: ['server', wish.serverId, wish.kind, wish.kind === 'resource' ? wish.uri : wish.name],
    fingerprint: fingerprintOf(material),
    material,
  };
}

/**
 * The permission for an attachment that is withheld from clients or holds secrets. It covers one sending to one place; the next one is
 * asked about again.
 */
export function attachmentRequest(wish: AttachmentWish, destination: ContentDestination): ConsentRequest {
  const material: JsonObject = { destination: destination.kind === 'guide' ? '' : destination.address };
  return {
    principal: 'chat',
    action: 'sendContent',
    subject: ['attachment', wish.what, wish.name],
    fingerprint: fingerprintOf(material),
    material,
  };
}

export function contentChoices(wish: ContentWish | AttachmentWish, source: ContentSource): readonly Choice[] {
  if (wish.kind === 'attachment') {
    return onceOnly;
  }
  const name = wish.kind === 'resource' ? wish.uri : wish.name;
  const shown = source.kind === 'resource' ? source.uri : source.name;
  return revealInvisible(name) === shown ? rememberable : onceOnly;
}

/**
 * What differs from an earlier permission. Destinations are shown; of another server it is only said that it changed, because its
 * identity is no text for people.
 */
export function contentDifferences(previous: JsonObject, now: JsonObject): Difference[] {
  const [before, after] = [previous['destination'], now['destination']];
  const isElsewhere = before !== after && typeof before === 'string' && typeof after === 'string';
  return [
    ...(previous['server'] === now['server'] ? [] : [{ field: 'server' }]),
    ...(isElsewhere ? [{ field: 'destination', before, after }] : []),
  ];
}

/** Where content comes from, as people see it: without invisible characters and secrets, and with short names. */
export async function shownSource(wish: ContentWish | AttachmentWish, secretsIn: ChatContent['secretsIn']): Promise<ContentSource> {
  const show = async (text: string): Promise<string> => revealInvisible(await redactWith(text, secretsIn));
  const name = await shortText(wish.name, secretsIn);
  if (wish.kind === 'attachment') {
    return { kind: 'attachment', what: wish.what, name, isWithheld: false };
  }
  if (wish.kind === 'resource') {
    return { kind: 'resource', uri: await shortText(wish.uri, secretsIn), name };
  }
  const args = Object.entries(wish.arguments).map(async ([argument, value]) => ({
    name: await shortText(argument, secretsIn),
    value: await show(value),
  }));
  return { kind: 'prompt', name, description: await show(wish.description), arguments: await Promise.all(args) };
}

export function contentQuestion(
  server: string,
  source: AskedSource,
  destination: ContentDestination,
  prepared: PreparedContent,
): SendContentQuestion {
  const { items, secrets, bytes, totalBytes, totalParts, invisible } = prepared;
  return {
    kind: 'sendContent',
    server,
    source,
    destination,
    // In a question, unusual kinds of spaces are written out too.
    items: items.map((item) =>
      item.kind === 'text'
        ? { ...item, pieces: item.pieces.map((piece) => (typeof piece === 'string' ? revealInvisible(piece) : piece)) }
        : item,
    ),
    bytes,
    ...(totalBytes === undefined ? {} : { totalBytes }),
    ...(totalParts === undefined ? {} : { totalParts }),
    secrets: secrets.map(({ before, length }) => ({ before, length })),
    invisible,
  };
}
