import { revealInvisible } from '../../base/visibleText.ts';
import type { AuditLine } from '../../consent/audit/auditLine.ts';
import { noNetwork } from '../../consent/audit/decisionRecords.ts';
import type { ChainVerdict, namesByClient } from '../../consent/audit/auditReading.ts';
import { principalWords } from '../permissions/permissionRows.ts';
import type { Translate } from '../sentences/translate.ts';

/** Says a line of the audit log in words. A client is told with the names that it gave itself, unless the line itself has one of them. */
export function auditWords(
  { principal, action, subject, peer }: AuditLine,
  t: Translate,
  clients: ReturnType<typeof namesByClient>,
): { readonly who: string; readonly what: string } {
  const names = clients.get(principal) ?? [];
  const called =
    names.length === 0 || names.includes(peer) ? '' : ` (${names.map((name) => t('“{0}”', revealInvisible(name))).join(', ')})`;
  return { who: `${principalWords(principal, t)}${called}`, what: whatWords(action, subject, t) };
}

function whatWords(action: string, subject: string, t: Translate): string {
  switch (action) {
    case 'startServer':
      return startWords(subject, t);
    case 'callTool':
      return t('Call {0}', subject);
    case 'readResource':
      return t('Read {0}', subject);
    case 'getPrompt':
      return t('Get the prompt {0}', subject);
    case 'connectClient':
      return t('Connect');
    case 'seeRoots':
      return t('See the workspace folders');
    case 'useModel':
      return subject === '' ? t('Use the model') : t('Use the model {0}', subject);
    case 'returnAnswer':
      return t('Return the model’s answer');
    case 'askPerson':
      return t('Ask the person');
    case 'clientAct':
    case 'ownAct':
      return t('Act: {0}', subject);
    case 'reviewChange':
      return t('Review the change of {0}', subject);
    case 'raiseRole':
      return t('Raise the role for {0}', subject);
    case 'revoke':
      return t('Revoke a remembered answer');
    case 'seeWithheld':
      return t('See what is withheld');
    case 'useIssuer':
      return t('Sign in');
    case 'seeEditor':
      return t('Read the editor: {0}', subject);
    case 'callAllTools':
      return t('Call all tools of the server');
    case 'allowCallsWhen':
      return t('Allow calls of {0} by a rule', subject);
    case 'sendContent':
      return t('Send {0} to the model', subject);
    case 'showApp':
      return t('Show the app of {0}', subject);
    case 'appAct':
      return t('Let the app of {0} act', subject);
    default:
      return action === 'downloadBundle' ? t('Download a bundle: {0}', subject) : `${action} ${subject}`;
  }
}

export function chainWords(verdict: ChainVerdict, t: Translate): string {
  switch (verdict.kind) {
    case 'broken':
      return t(
        'The chain is broken: line {0} of {1} is not what was written, or a line beside it is missing.',
        verdict.number,
        verdict.part,
      );
    case 'emptied':
      return t('The chain is broken: lines were written, and all of them are gone.');
    case 'holds':
      return verdict.count === 0 ? t('Nothing has been recorded yet.') : t('The chain holds: {0} lines, none was changed.', verdict.count);
    case 'unsealed':
      return t(
        'The lines follow each other, {0} in all. Whether some are missing at the end is not known: the mark there is missing or was made with another key.',
        verdict.count,
      );
  }
}

function startWords(subject: string, t: Translate): string {
  const [confined, hosts] = subject.split(', ');
  if (confined !== 'confined') {
    return t('Start the server');
  }
  if (hosts === undefined) {
    return t('Start the server, confined');
  }
  return hosts === noNetwork
    ? t('Start the server, confined, without a network')
    : t('Start the server, confined, with a way to {0}', hosts.split(' ').join(', '));
}
