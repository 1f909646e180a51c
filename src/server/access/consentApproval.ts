import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { RecordedRequest } from '../../consent/audit/decisionRecords.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { type OpenQuestions, shownAsker } from '../../consent/openQuestions.ts';
import type { OwnCall, OwnCalls } from '../../consent/ownCalls.ts';
import type { Choice, PersonAnswer } from '../../contract/questions/questions.ts';
import type { ClientActQuestion, OwnActQuestion, ShownAct } from '../../contract/questions/clientQuestions.ts';
import type { ActAnswer, ActingClient, ActRequest, ClientApproval, OwnAct, OwnAnswer, RoleCall, RunScript } from './clientApproval.ts';
import type { ClientPermissions } from './clientPermissions.ts';
import { askConnect, ownSession, shownIdentity } from './connectQuestion.ts';
import { isEnough } from './roles.ts';

/** Approves clients by asking the person; what they answered before counts without asking. */
export function createConsentApproval(
  gate: ConsentGate,
  { ask }: OpenQuestions,
  permissions: ClientPermissions,
  ownCalls: OwnCalls,
): ClientApproval {
  return {
    ask: (client, signal) => askConnect(client, { gate, ask, signal }),
    confirm: (client, act, signal) => askToAct(client, act, { gate, ask, signal }),
    confirmOwn: async (own, signal) => {
      const call = ownCalls.find(own.callId);
      return call === undefined ? 'denied' : askToActHere(call, own, { gate, signal });
    },
    raiseRole: (client, call, signal) => askAboveRole(client, call, { gate, ask, signal }),
    standing: permissions.standing,
  };
}

export interface ActPorts {
  readonly gate: ConsentGate;
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

/** Asks whether a client may use a tool above its role, or one that the policy wants a question for. Nothing of it is stored here. */
async function askAboveRole(client: ActingClient, call: RoleCall, ports: ActPorts): Promise<ActAnswer> {
  const what =
    call.arguments === undefined
      ? { kind: 'read' as const, uri: revealInvisible(call.tool) }
      : { kind: 'call' as const, arguments: revealInvisible(call.arguments) };
  return askNow(client, { ...detailOf(client, call), what }, ports);
}

/**
 * Asks whether a client may do exactly this. If its role is high enough, an earlier permission for this session counts, but only
 * for the identical act. If the role is too low, the question is about the role, too, and no earlier answer counts.
 */
async function askToAct(client: ActingClient, act: ActRequest, ports: ActPorts): Promise<ActAnswer> {
  const detail: ClientActQuestion = { ...detailOf(client, act), what: shownAct(act.what), ...shownUnsaved(act) };
  if (!isEnough(client.role, act.role)) {
    return askNow(client, detail, ports);
  }
  const counts = act.offersSession && client.canBeRemembered && !client.asksEachTime;
  const decision = await ports.gate.check({
    request: actRequest(client, act),
    detail,
    choices: actChoices(act, counts),
    // An earlier permission does not count then, but the question shows what has changed since.
    asksAnew: !counts,
    ask: ports.ask,
    signal: ports.signal,
  });
  if (decision.kind === 'denied') {
    return 'denied';
  }
  return decision.by === 'ledger' ? 'allowedForSession' : toActAnswer(decision.answer);
}

/** The answers that are offered; none of them holds beyond this window. */
function actChoices({ unsaved = [] }: Pick<ActRequest, 'unsaved'>, offersSession: boolean): readonly Choice[] {
  return [
    'deny',
    'allowOnce',
    ...(unsaved.length === 0 ? [] : ['saveAndRun' as const]),
    ...(offersSession ? ['allowSession' as const] : []),
  ];
}

async function askNow(client: ActingClient, detail: ClientActQuestion, { gate, ask, signal }: ActPorts): Promise<ActAnswer> {
  const mayRaise = detail.neededRole !== undefined && client.canBeRemembered && (client.roles?.includes(detail.neededRole) ?? true);
  const choices: Choice[] = [...actChoices(detail, false), ...(mayRaise ? ['raiseRole' as const] : [])];
  await gate.demandRecord();
  const answer = await ask({ askId: randomUUID(), detail, why: 'new', differences: [], choices }, signal);
  const decided = choices.includes(answer.choice) ? toActAnswer(answer) : 'denied';
  const request = roleRequest(client, detail, decided === 'roleRaised' ? 'raiseRole' : 'clientAct');
  await gate.record({ request, detail, outcome: decided === 'denied' ? 'denied' : 'allowed', by: 'person' });
  return decided;
}

/** The request for the audit record. A permission above the role is remembered nowhere, except as a raised role. */
function roleRequest(client: ActingClient, { tool, what }: ClientActQuestion, action: 'raiseRole' | 'clientAct'): RecordedRequest {
  const material: JsonObject = { tool, what: JSON.stringify(what) };
  return { principal: `client:${client.credentialId}`, action, subject: ['client', client.credentialId, 'tool', tool], material };
}

function toActAnswer({ choice }: PersonAnswer): ActAnswer {
  switch (choice) {
    case 'allowOnce':
      return 'allowedOnce';
    case 'saveAndRun':
      return 'allowedAfterSaving';
    case 'allowSession':
      return 'allowedForSession';
    case 'raiseRole':
      return 'roleRaised';
    case 'allow':
    case 'allowWorkspace':
    case 'allowAlways':
    case 'allowWhen':
    case 'deny':
    case 'denyAlways':
    case 'cancel':
    case 'newConversation':
      return 'denied'; // a choice that is not offered, or a refusal
  }
}

function detailOf(
  client: ActingClient,
  { tool, role }: { tool: string; role: ActRequest['role'] },
): Omit<ClientActQuestion, 'what' | 'unsaved'> {
  const neededRole = isEnough(client.role, role) ? undefined : role;
  return {
    kind: 'clientAct',
    ...shownIdentity(client),
    tool,
    role: client.role,
    ...(neededRole === undefined ? {} : { neededRole }),
  };
}

function actRequest(client: ActingClient, act: ActRequest): ConsentRequest {
  const { name, material } = actMaterial(act);
  return {
    principal: `client:${client.credentialId}`,
    action: 'clientAct',
    subject: ['client', client.credentialId, 'tool', act.tool, ...name, ...ownSession(client)],
    fingerprint: fingerprintOf(material),
    material,
  };
}

/**
 * Asks whether the chat, or another part of Duplex itself, may do exactly this. Question and answers are the same as for outside
 * clients.
 */
async function askToActHere(
  { principal, asker, ask }: OwnCall,
  { act, asksEachTime }: OwnAct,
  { gate, signal }: { readonly gate: ConsentGate; readonly signal: AbortSignal },
): Promise<OwnAnswer> {
  const shown = { what: shownAct(act.what), ...shownUnsaved(act) };
  const detail: OwnActQuestion = { kind: 'ownAct', asker: shownAsker(asker), tool: act.tool, ...shown };
  const counts = act.offersSession && !asksEachTime;
  const request = ownActRequest(principal, act);
  const decision = await gate.check({ request, detail, choices: actChoices(act, counts), asksAnew: !counts, ask, signal });
  const isAfterSaving = decision.kind === 'allowed' && decision.by === 'person' && decision.answer.choice === 'saveAndRun';
  return isAfterSaving ? 'allowedAfterSaving' : decision.kind;
}

function ownActRequest(principal: OwnCall['principal'], act: ActRequest): Parameters<ConsentGate['verdict']>[0] {
  const { name, material } = actMaterial(act);
  return { principal, action: 'ownAct', subject: ['editor', 'tool', act.tool, ...name], fingerprint: fingerprintOf(material), material };
}

/**
 * What a permission for the session covers. The name says what would be done, the material has all of it: if a script keeps its
 * name and changes its text, it is the same subject with other content, and the question shows the difference. Saving is one
 * subject for all files.
 */
function actMaterial({ tool, what }: ActRequest): { readonly name: readonly string[]; readonly material: JsonObject } {
  switch (what.kind) {
    case 'command': {
      const { earlier = [], moreEarlier = 0, ...rest } = what;
      return { name: [what.commandLine], material: { tool, ...rest, earlier: [...earlier], moreEarlier } };
    }
    case 'input':
      return { name: [what.text], material: { tool, ...what } };
    case 'script': {
      const { next = [], ...first } = what;
      const material = { tool, ...chainMaterial(first), ...(next.length > 0 && { next: next.map(chainMaterial) }) };
      return { name: [what, ...next].map(({ commandLine }) => commandLine), material };
    }
    case 'task':
      return { name: [what.name], material: { tool, ...chainMaterial(what) } };
    case 'save':
      return { name: [], material: { tool, kind: what.kind } };
    case 'codeAction':
      return { name: [what.title], material: { tool, ...what } };
    case 'debug': {
      const { code = [], ...launch } = what;
      return { name: [what.name], material: { tool, ...chainMaterial(launch), code: code.map((each) => ({ ...each })) } };
    }
    case 'debugCode': {
      const { session = '', code } = what;
      return { name: [session, ...code.map(({ text }) => text)], material: { tool, session, code: code.map((each) => ({ ...each })) } };
    }
    case 'debugSession':
      return { name: [what.session], material: { tool, ...what } };
  }
}

type Launched = Omit<Extract<ActRequest['what'], { readonly kind: 'debug' }>, 'code'>;

function chainMaterial({ chain, ...rest }: RunScript | Extract<ActRequest['what'], { readonly kind: 'task' }> | Launched): JsonObject {
  const scripts = Object.fromEntries(chain.steps.map(({ name, text }) => [name, text]));
  return { ...rest, runs: scripts, unknown: [...chain.unknown] };
}

/** The unsaved files, as a question shows them beside the act. */
function shownUnsaved({ unsaved = [] }: ActRequest): { readonly unsaved?: string[] } {
  return unsaved.length === 0 ? {} : { unsaved: unsaved.map(revealInvisible) };
}

/** The act as the person sees it: complete, with invisible characters made visible. */
function shownAct(what: ActRequest['what']): ShownAct {
  return reveal(what) as ShownAct;
}

function reveal(value: unknown): unknown {
  if (typeof value === 'string') {
    return revealInvisible(value);
  }
  if (Array.isArray(value)) {
    return value.map(reveal);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reveal(member)]))
    : value;
}
