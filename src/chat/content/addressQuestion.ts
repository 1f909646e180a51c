import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { escapeInvisible, revealInvisible } from '../../base/visibleText.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/shownAsker.ts';
import type { CallToolQuestion } from '../../contract/questions/toolQuestions.ts';
import type { ChatToolCall } from '../chatTools.ts';
import type { ChatContent, ContentWish } from './chatContent.ts';
import { contentRequest } from './contentQuestion.ts';

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
