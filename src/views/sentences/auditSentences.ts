import type { auditErrorTable } from '../../consent/audit/auditLog.ts';
import type { Sentences, Translate } from './translate.ts';

/** Why something that was allowed is not done. */
export function auditSentences(t: Translate): Sentences<typeof auditErrorTable> {
  return {
    'audit.notWritten': ({ reason }) => t('Duplex cannot write its audit log, so nothing that acts is done: {0}', reason),
  };
}
