import { useState } from 'preact/hooks';
import type { QuestionDetail } from '../../contract/questions.ts';

/** Which of the secrets that were found the person wants to send as they are. At first none: removing them is the safe choice. */
export interface SecretsDraft {
  readonly kept: ReadonlySet<number>;
  readonly setKept: (secrets: readonly number[], isKept: boolean) => void;
}

export function useSecretsDraft(): SecretsDraft {
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
  return {
    kept,
    setKept: (secrets, isKept) =>
      setKept((before) => {
        const after = new Set(before);
        secrets.forEach((secret) => (isKept ? after.add(secret) : after.delete(secret)));
        return after;
      }),
  };
}

export function keptInAnswer(detail: QuestionDetail, { kept }: SecretsDraft): { keptSecrets?: number[] } {
  return detail.kind === 'sendContent' && kept.size > 0 ? { keptSecrets: [...kept] } : {};
}
