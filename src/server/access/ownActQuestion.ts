import type { ConsentGate } from '../../consent/consentGate.ts';
import type { OwnCall } from '../../consent/ownCalls.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/shownAsker.ts';
import type { OwnActQuestion } from '../../contract/questions.ts';
import { actMaterial, shownAct } from './actMaterial.ts';
import { sessionChoices } from './actQuestion.ts';
import type { ActRequest } from './actRequest.ts';
import type { OwnAct } from './clientApproval.ts';

/** May the chat, or whoever else here asks, do exactly this? The same question as an outside client's, with the same answers. */
export async function askToActHere(
  { principal, asker, ask }: OwnCall,
  { act, asksEachTime }: OwnAct,
  { gate, signal }: { readonly gate: ConsentGate; readonly signal: AbortSignal },
): Promise<'allowed' | 'denied'> {
  const detail: OwnActQuestion = { kind: 'ownAct', asker: shownAsker(asker), tool: act.tool, what: shownAct(act.what) };
  const counts = act.offersSession && !asksEachTime;
  const request = ownActRequest(principal, act);
  const decision = await gate.check({ request, detail, choices: sessionChoices(counts), asksAnew: !counts, ask, signal });
  return decision.kind;
}

function ownActRequest(principal: OwnCall['principal'], act: ActRequest): Parameters<ConsentGate['verdict']>[0] {
  const { name, material } = actMaterial(act);
  return { principal, action: 'ownAct', subject: ['editor', 'tool', act.tool, ...name], fingerprint: fingerprintOf(material), material };
}
