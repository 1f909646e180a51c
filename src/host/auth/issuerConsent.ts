import { revealInvisible } from '../../base/visibleText.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Choice } from '../../contract/questions/questions.ts';
import type { SignInQuestion } from '../../contract/questions/serverQuestions.ts';
import type { IssuerConsent, IssuerUse } from './authPorts.ts';
import { revealDeep } from '../shared/shownJson.ts';

const choices: readonly Choice[] = ['deny', 'allow'];

export function createIssuerConsent(gate: ConsentGate, ask: Ask): IssuerConsent {
  return {
    allow: async (use, signal) => {
      const decision = await gate.check({ request: requestFor(use), detail: questionOf(use), choices, ask, signal });
      return decision.kind === 'allowed';
    },
    isAllowed: (use) => gate.verdict(requestFor(use)).kind === 'allow',
  };
}

/** The origins to which the person has allowed this definition's secret to go. The issuer only names them. */
export function allowedToHave(gate: Pick<ConsentGate, 'verdict'>, serverId: string, secret: string): readonly string[] {
  const verdict = gate.verdict({ ...requestFor({ serverId, issuer: '', sentTo: [], secret }), fingerprint: '' });
  const { sentTo, clientSecret } = (verdict.kind === 'ask' ? verdict.previous : undefined) ?? {};
  const isTheSame = Array.isArray(sentTo) && clientSecret === revealInvisible(secret);
  return isTheSame ? sentTo.filter((origin) => typeof origin === 'string') : [];
}

function requestFor({ serverId, issuer, sentTo, secret }: Pick<IssuerUse, 'serverId' | 'issuer' | 'sentTo' | 'secret'>): ConsentRequest {
  const material = { issuer, sentTo: [...sentTo], clientSecret: secret };
  return {
    principal: 'host',
    action: 'useIssuer',
    subject: ['server', serverId, 'issuer'],
    fingerprint: fingerprintOf(material),
    material: revealDeep(material),
  };
}

function questionOf({ label, issuer, sentTo, secret, earlierIssuer }: IssuerUse): SignInQuestion {
  return {
    kind: 'signIn',
    server: revealInvisible(label),
    issuer: revealInvisible(issuer),
    ...(secret === undefined ? {} : { secret: { name: revealInvisible(secret), sentTo: sentTo.map(revealInvisible) } }),
    ...(earlierIssuer === undefined || earlierIssuer === issuer ? {} : { earlierIssuer: revealInvisible(earlierIssuer) }),
  };
}
