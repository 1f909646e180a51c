import { useState } from 'preact/hooks';
import type { QuestionDetail } from '../../contract/questions.ts';

/** Which of the secrets that were found the person wants to send as they are. At first none: removing them is the safe choice. */
export interface SecretsDraft {
  readonly kept: readonly number[];
  readonly setKept: (secrets: readonly number[], isKept: boolean) => void;
}

export function useSecretsDraft(): SecretsDraft {
  const [kept, setKept] = useState<readonly number[]>([]);
  return {
    kept,
    setKept: (secrets, isKept) =>
      setKept((before) => [...before.filter((each) => !secrets.includes(each)), ...(isKept ? secrets : [])].sort((a, b) => a - b)),
  };
}

export function keptInAnswer(detail: QuestionDetail, { kept }: SecretsDraft): { keptSecrets?: number[] } {
  return detail.kind === 'sendContent' && kept.length > 0 ? { keptSecrets: [...kept] } : {};
}
