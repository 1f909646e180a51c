import type { ConsentGate } from '../../consent/consentGate.ts';
import type { OwnCalls } from '../../consent/ownCalls.ts';
import type { OpenQuestions } from '../../consent/openQuestions.ts';
import { askAboveRole, askToAct } from './actQuestion.ts';
import type { ClientApproval } from './clientApproval.ts';
import type { ClientPermissions } from './clientPermissions.ts';
import { askToActHere } from './ownActQuestion.ts';
import { askConnect } from './connectQuestion.ts';

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
