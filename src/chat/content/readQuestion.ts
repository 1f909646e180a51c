import { type JsonObject, parsedObject } from '../../base/json.ts';
import { escapeInvisible, revealInvisible } from '../../base/visibleText.ts';
import type { ConsentInquiry } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/openQuestions.ts';
import type { CallToolQuestion } from '../../contract/questions/toolQuestions.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import { contentRequest, rememberable } from './contentQuestion.ts';
import type { ChatContent, ChatToolCall, ReadDecider } from './hostPorts.ts';

export type ResourceWish = Extract<ContentWish, { kind: 'resource' }>;

/** The longest address that the person is asked about; nobody could check a longer one. */
export const maxAddressLength = 2_000;

/** How often the model may have resources read in one answer, whatever comes of it. */
const maxReadsPerTurn = 20;

/**
 * Counts what the model reads in one turn. Which of many addresses it reads says something to their server, also when nothing comes
 * back, so a reading that fails, finds nothing or is refused counts like any other.
 */
export class ReadAllowance {
  #left = maxReadsPerTurn;

  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }
}

export type ReadDecision =
  | { readonly kind: 'read'; readonly wish: ResourceWish; readonly decidedBy: ReadDecider }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean }
  /** The person changed the address into something that is none. */
  | { readonly kind: 'unusable' };

/**
 * Asks whether the model may have a server read something: which address it names is a message to that server, like the arguments of a
 * tool call. One answer can hold for all addresses that the server lists; any other address is the model's own text and is asked about
 * each time. A resource whose content is allowed for longer is not asked about twice.
 */
export async function askToRead(
  wish: ResourceWish,
  isListed: boolean,
  { gate, identityOf, isEditor }: Pick<ChatContent, 'gate' | 'identityOf' | 'isEditor'>,
  call: Pick<ChatToolCall, 'ask' | 'signal' | 'heard' | 'destination'>,
): Promise<ReadDecision> {
  const identity = identityOf(wish.serverId);
  const atServer = readRequest(wish.serverId, identity);
  if (gate.verdict(atServer).kind !== 'deny') {
    if (isEditor(wish.serverId)) {
      return { kind: 'read', wish, decidedBy: 'nobody' };
    }
    if (gate.verdict(contentRequest(wish, identity, call.destination)).kind !== 'ask') {
      // A refusal takes effect where the resource would be read.
      return { kind: 'read', wish, decidedBy: 'remembered' };
    }
  }
  const inquiry: Pick<ConsentInquiry, 'request' | 'refusal' | 'choices'> = isListed
    ? { request: atServer, choices: rememberable }
    : { request: addressRequest(atServer, wish.uri), refusal: atServer, choices: ['deny', 'denyAlways', 'allowOnce'] };
  const decision = await gate.check({
    ...inquiry,
    detail: await readingQuestion(wish, isListed, call),
    // The identity of a server is no text for people.
    differencesFrom: () => [{ field: 'server' }],
    ask: call.ask,
    signal: call.signal,
  });
  if (decision.kind === 'denied') {
    return { kind: 'denied', byStoredAnswer: decision.by === 'ledger' };
  }
  if (decision.by === 'ledger') {
    return { kind: 'read', wish, decidedBy: 'remembered' };
  }
  const changed = decision.answer.arguments;
  const uri = changed === undefined ? wish.uri : addressIn(changed);
  return uri === undefined
    ? { kind: 'unusable' }
    : { kind: 'read', wish: uri === wish.uri ? wish : { ...wish, uri, name: uri }, decidedBy: 'person' };
}

/**
 * The permission to have a server read what it lists. Its subject lies below the server, so that a refusal of the whole server covers
 * it, and it is bound to the server as it was approved.
 */
function readRequest(serverId: string, identity: string): ConsentRequest {
  const material: JsonObject = { server: identity };
  const subject = ['server', serverId, 'resources'];
  return { principal: 'chat', action: 'callTool', subject, fingerprint: fingerprintOf(material), material };
}

/** The permission for one address that the server does not list. */
function addressRequest(atServer: ConsentRequest, uri: string): ConsentRequest {
  const material: JsonObject = { ...atServer.material, uri };
  return { ...atServer, subject: [...atServer.subject, uri], fingerprint: fingerprintOf(material), material };
}

async function readingQuestion(
  { serverId, server, uri }: ResourceWish,
  isListed: boolean,
  { heard, destination }: Pick<ChatToolCall, 'heard' | 'destination'>,
): Promise<CallToolQuestion> {
  const { carried, compared, isPartly } = await heard.findIn({ uri }, serverId);
  return {
    kind: 'callTool',
    asker: shownAsker(destination.kind === 'model' ? { kind: 'model', name: destination.name } : { kind: 'guide' }),
    server: revealInvisible(server),
    tool: 'resources/read',
    reads: isListed ? 'listed' : 'unlisted',
    description: '',
    claims: [],
    arguments: escapeInvisible(JSON.stringify({ uri }, undefined, 2)),
    risk: 'unknown',
    knows: { carried: [...carried], compared, isPartly },
  };
}

function addressIn(text: string): string | undefined {
  const uri = parsedObject(text)?.['uri'];
  return typeof uri === 'string' && uri !== '' && uri.length <= maxAddressLength ? uri : undefined;
}
