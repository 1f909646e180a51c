import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { escapeInvisible, revealInvisible } from '../../base/visibleText.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/openQuestions.ts';
import type { Choice, Difference } from '../../contract/questions/questions.ts';
import type { AskedSource, ContentDestination, ContentSource, SendContentQuestion } from '../../contract/questions/sentContent.ts';
import type { CallToolQuestion } from '../../contract/questions/toolQuestions.ts';
import { redactWith } from '../../secrets/redactSecrets.ts';
import type { AttachmentWish } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import type { ChatContent, ChatToolCall } from './hostPorts.ts';
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

export type ResourceWish = Extract<ContentWish, { kind: 'resource' }>;

/** The longest address that the person is asked about; nobody could check a longer one. */
export const maxAddressLength = 2_000;

export type AddressDecision =
  | { readonly kind: 'read'; readonly wish: ResourceWish }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean }
  /** The person changed the address into something that is none. */
  | { readonly kind: 'unusable' };

/**
 * Asks about an address that its server does not list: it is text from the model to that server, like the arguments of a tool call. The
 * answer is not remembered; a resource whose content is allowed for longer is not asked about twice.
 */
export async function askAboutAddress(
  wish: ResourceWish,
  { gate, identityOf }: Pick<ChatContent, 'gate' | 'identityOf'>,
  call: Pick<ChatToolCall, 'ask' | 'signal' | 'heard' | 'destination'>,
): Promise<AddressDecision> {
  const known = gate.verdict(contentRequest(wish, identityOf(wish.serverId), call.destination));
  if (known.kind !== 'ask') {
    // A refusal takes effect where the resource would be read.
    return { kind: 'read', wish: { ...wish, decidedBy: 'remembered' } };
  }
  const decision = await gate.check({
    request: addressRequest(wish, identityOf(wish.serverId)),
    detail: await addressQuestion(wish, call),
    choices: ['deny', 'allowOnce'],
    ask: call.ask,
    signal: call.signal,
  });
  if (decision.kind === 'denied') {
    return { kind: 'denied', byStoredAnswer: decision.by === 'ledger' };
  }
  const changed = decision.by === 'person' ? decision.answer.arguments : undefined;
  const uri = changed === undefined ? wish.uri : addressIn(changed);
  return uri === undefined
    ? { kind: 'unusable' }
    : { kind: 'read', wish: { ...wish, uri, name: uri, decidedBy: decision.by === 'person' ? 'person' : 'remembered' } };
}

/** The permission to ask a server for an address. Its subject lies below the server, so that a refusal of the whole server covers it. */
function addressRequest({ serverId, uri }: ResourceWish, identity: string): ConsentRequest {
  const material: JsonObject = { server: identity, uri };
  const subject = ['server', serverId, 'resource', uri];
  return { principal: 'chat', action: 'callTool', subject, fingerprint: fingerprintOf(material), material };
}

async function addressQuestion(
  { serverId, server, uri }: ResourceWish,
  { heard, destination }: Pick<ChatToolCall, 'heard' | 'destination'>,
): Promise<CallToolQuestion> {
  const { carried, compared, isPartly } = await heard.findIn({ uri }, serverId);
  return {
    kind: 'callTool',
    asker: shownAsker(destination.kind === 'model' ? { kind: 'model', name: destination.name } : { kind: 'guide' }),
    server: revealInvisible(server),
    tool: 'resources/read',
    description: '',
    claims: [],
    arguments: escapeInvisible(JSON.stringify({ uri }, undefined, 2)),
    risk: 'unknown',
    knows: { carried: [...carried], compared, isPartly },
  };
}

function addressIn(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const uri = isJsonObject(parsed) ? parsed['uri'] : undefined;
    return typeof uri === 'string' && uri !== '' && uri.length <= maxAddressLength ? uri : undefined;
  } catch {
    return undefined;
  }
}
