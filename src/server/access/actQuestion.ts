import { randomUUID } from 'node:crypto';
import { revealInvisible } from '../../base/visibleText.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RecordedRequest } from '../../consent/audit/decisionRecords.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Choice, PersonAnswer } from '../../contract/questions/answers.ts';
import type { ClientActQuestion } from '../../contract/questions/clientQuestions.ts';
import { actMaterial, shownAct, shownUnsaved } from './actMaterial.ts';
import type { ActRequest } from './actRequest.ts';
import type { ActAnswer, ActingClient, RoleCall } from './clientApproval.ts';
import { ownSession, shownIdentity } from './connectQuestion.ts';
import { isEnough } from './roles.ts';

export interface ActPorts {
  readonly gate: ConsentGate;
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

/** May a client use a tool above its role, or one the policy asks about? Nothing of it is stored here. */
export async function askAboveRole(client: ActingClient, call: RoleCall, ports: ActPorts): Promise<ActAnswer> {
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
export async function askToAct(client: ActingClient, act: ActRequest, ports: ActPorts): Promise<ActAnswer> {
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
export function actChoices({ unsaved = [] }: Pick<ActRequest, 'unsaved'>, offersSession: boolean): readonly Choice[] {
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
