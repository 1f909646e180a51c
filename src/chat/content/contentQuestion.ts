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

export type ResourceWish = Extract<ContentWish, { kind: 'resource' }>;

/** Longer ones are nothing that a person could read. */
export const maxAddressLength = 2_000;

export type AddressDecision =
  | { readonly kind: 'read'; readonly wish: ResourceWish }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean }
  /** What the person made of it is no address. */
  | { readonly kind: 'unusable' };

/**
 * An address that its server does not list is the model's own words to that server: it is asked about before it is sent, as
 * the call of a tool is. Never remembered by itself; what the person lets into the conversation for longer is not asked twice.
 */
export async function askAboutAddress(
  wish: ResourceWish,
  { gate, identityOf }: Pick<ChatContent, 'gate' | 'identityOf'>,
  call: Pick<ChatToolCall, 'ask' | 'signal' | 'heard' | 'destination'>,
): Promise<AddressDecision> {
  const known = gate.verdict(contentRequest(wish, identityOf(wish.serverId), call.destination));
  if (known.kind !== 'ask') {
    // Of what is refused, nothing is read: that is seen to where it would be.
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

/** Below its server, so that who is refused as a whole stays refused. */
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
