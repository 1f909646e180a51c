import type { auditErrorTable } from '../../consent/audit/auditLog.ts';
import type { Sentences, Translate } from './translate.ts';

/** Why something that was allowed is not done. */
export function auditSentences(t: Translate): Sentences<typeof auditErrorTable> {
  return {
    'audit.notWritten': () =>
      t(
        'Duplex cannot write its audit log, so nothing that acts is done. See that there is room on the disk and that its storage folder can be written.',
      ),
  };
}
