import { unreachable } from '../base/errors.ts';
import type { Choice } from '../contract/questions/answers.ts';
import type { AnswerScope } from './consentModel.ts';

/** A plain "Deny" refuses this one request and is remembered nowhere; a plain "Allow" holds until the fingerprint changes. */
export function meaningOf(choice: Choice): { readonly allows: boolean; readonly scope?: AnswerScope } {
  switch (choice) {
    case 'allow':
    case 'allowAlways':
      return { allows: true, scope: 'always' };
    case 'allowOnce':
    case 'raiseRole':
    case 'saveAndRun':
      return { allows: true };
    case 'allowSession':
      return { allows: true, scope: 'session' };
    case 'allowWorkspace':
      return { allows: true, scope: 'workspace' };
    case 'deny':
    case 'cancel':
    case 'newConversation':
      return { allows: false };
    case 'denyAlways':
      return { allows: false, scope: 'always' };
    default:
      return unreachable(choice);
  }
}
