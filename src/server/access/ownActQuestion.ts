import type { ConsentGate } from '../../consent/consentGate.ts';
import type { OwnCall } from '../../consent/ownCalls.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/shownAsker.ts';
import type { OwnActQuestion } from '../../contract/questions/clientQuestions.ts';
import { actMaterial, shownAct, shownUnsaved } from './actMaterial.ts';
import { actChoices } from './actQuestion.ts';
import type { ActRequest } from './actRequest.ts';
import type { OwnAct, OwnAnswer } from './clientApproval.ts';

/** May the chat, or whoever else here asks, do exactly this? The same question as an outside client's, with the same answers. */
export async function askToActHere(
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
