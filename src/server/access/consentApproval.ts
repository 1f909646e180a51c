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
import type { ActAnswer, ActingClient, ActRequest, ClientApproval, OwnAct, OwnAnswer, RoleCall } from './clientApproval.ts';
import type { ClientPermissions } from './clientPermissions.ts';
import { askConnect, ownSession, shownIdentity } from './connectQuestion.ts';
import { isEnough } from './roles.ts';

/** The approval of clients by the person: what they answered before counts, and the rest is asked. */
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

/** May a client use a tool above its role, or one the policy asks about? Nothing of it is stored here. */
async function askAboveRole(client: ActingClient, call: RoleCall, ports: ActPorts): Promise<ActAnswer> {
  const what =
    call.arguments === undefined
      ? { kind: 'read' as const, uri: revealInvisible(call.tool) }
      : { kind: 'call' as const, arguments: revealInvisible(call.arguments) };
  return askNow(client, { ...detailOf(client, call), what }, ports);
}

/**
 * May a client do exactly this? With enough of a role, what the person allowed for this session counts again, but only
 * for the identical act; below it, the question is about the role too and nothing earlier counts.
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
    // What was allowed before does not count, and is still what a change is shown against.
    asksAnew: !counts,
    ask: ports.ask,
    signal: ports.signal,
  });
  if (decision.kind === 'denied') {
    return 'denied';
  }
  return decision.by === 'ledger' ? 'allowedForSession' : toActAnswer(decision.answer);
}

/** Never wider than this window. */
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
  const answer = await ask({ askId: randomUUID(), detail, why: 'new', differences: [], choices }, signal);
  const decided = choices.includes(answer.choice) ? toActAnswer(answer) : 'denied';
  const request = roleRequest(client, detail, decided === 'roleRaised' ? 'raiseRole' : 'clientAct');
  await gate.record({ request, detail, outcome: decided === 'denied' ? 'denied' : 'allowed', by: 'person' });
  return decided;
}

/** For the record only: what is allowed above the role is remembered nowhere but in the role. */
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
    case 'deny':
    case 'denyAlways':
    case 'cancel':
    case 'newConversation':
      return 'denied'; // never on offer, or a refusal
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

/** May the chat, or whoever else here asks, do exactly this? The same question as an outside client's, with the same answers. */
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
 * What a permission for the session holds for. The name says what would be done, the material is all of it: a script that
 * keeps its name and changes its text is the same subject with another content, and is asked about with the difference.
 * Saving is one thing whatever the file.
 */
function actMaterial({ tool, what }: ActRequest): { readonly name: readonly string[]; readonly material: JsonObject } {
  switch (what.kind) {
    case 'command':
      return { name: [what.commandLine], material: { tool, ...what } };
    case 'script':
    case 'task': {
      const { chain, ...rest } = what;
      const scripts = Object.fromEntries(chain.steps.map(({ name, text }) => [name, text]));
      const name = what.kind === 'task' ? what.name : what.commandLine;
      return { name: [name], material: { tool, ...rest, runs: scripts, unknown: [...chain.unknown] } };
    }
    case 'save':
      return { name: [], material: { tool, kind: what.kind } };
    case 'codeAction':
      return { name: [what.title], material: { tool, ...what } };
  }
}

/** What stands in a question beside the act. */
function shownUnsaved({ unsaved = [] }: ActRequest): { readonly unsaved?: string[] } {
  return unsaved.length === 0 ? {} : { unsaved: unsaved.map(revealInvisible) };
}

/** As the person sees it: whole, with what is invisible made visible. */
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
