import { revealInvisible } from '../../base/visibleText.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Difference } from '../../contract/questions.ts';
import type { Choice } from '../../contract/questions/answers.ts';
import type { SendContentQuestion } from '../../contract/questions/contentQuestions.ts';
import type { AskedSource, ContentDestination, ContentSource } from '../../contract/sentContent.ts';
import type { AttachmentWish, ChatContent, ContentWish } from './chatContent.ts';
import { shortText, withoutSecrets } from './contentPieces.ts';
import type { PreparedContent } from './preparedContent.ts';

/** Never "always": what is in a resource changes, and where it may go is a matter of the work at hand. */
export const rememberable: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace'];

/** What names it has a secret in it, which no file of answers may hold. */
const onceOnly: readonly Choice[] = ['deny', 'allowOnce'];

/**
 * Bound to the server as it was approved, to the resource's address or the prompt's name, and to where it goes; not to the
 * content, which is another one each time it is worth reading. So a remembered yes covers content that nobody has looked at:
 * what looks like a secret in it is always removed then, and the conversation says how much that was.
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

/** What is withheld, or looks like a secret, goes once and to this one place; the next time it is asked about again. */
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

/** Where it went before is for people; that the server is another one is only said, for its mark says nothing to anybody. */
export function contentDifferences(previous: JsonObject, now: JsonObject): Difference[] {
  const [before, after] = [previous['destination'], now['destination']];
  const isElsewhere = before !== after && typeof before === 'string' && typeof after === 'string';
  return [
    ...(previous['server'] === now['server'] ? [] : [{ field: 'server' }]),
    ...(isElsewhere ? [{ field: 'destination', before, after }] : []),
  ];
}

/** As people see it: nothing hidden, no secret, and no more of the server's own words than a name needs. */
export async function shownSource(wish: ContentWish | AttachmentWish, secretsIn: ChatContent['secretsIn']): Promise<ContentSource> {
  const show = async (text: string): Promise<string> => revealInvisible(await withoutSecrets(text, secretsIn));
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
    // For a question also the spaces that only look like one are named.
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
