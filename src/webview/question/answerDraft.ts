import { useState } from 'preact/hooks';
import type { Question } from '../../contract/questions.ts';
import type { Choice, PersonAnswer } from '../../contract/questions/answers.ts';
import type { Role } from '../../contract/questions/role.ts';
import { useSamplingDraft, type SamplingDraft } from './samplingDraft.ts';
import { useFormDraft, type FormDraft } from './formDraft.ts';
import { keptInAnswer, useSecretsDraft, type SecretsDraft } from './secretsDraft.ts';
import { useArgumentsDraft, type ArgumentsDraft } from '../arguments/argumentsDraft.ts';
import { changedArguments } from '../shared/jsonText.ts';

/** What the person has filled in so far on one card. */
export interface AnswerDraft {
  readonly args: ArgumentsDraft;
  readonly problem: string | undefined;
  readonly role: Role | undefined;
  readonly setRole: (role: Role) => void;
  readonly form: FormDraft;
  /** Meant for the other tools of the server too. */
  readonly isForAllTools: boolean;
  readonly setForAllTools: (isFor: boolean) => void;
  readonly secrets: SecretsDraft;
  readonly sampling: SamplingDraft;
  toAnswer(choice: Choice): PersonAnswer;
}

export function useAnswerDraft({ askId, detail }: Question): AnswerDraft {
  const original = detail.kind === 'callTool' ? detail.arguments : undefined;
  const args = useArgumentsDraft(detail.kind === 'callTool' ? detail : undefined);
  const [role, setRole] = useState<Role | undefined>(() => (detail.kind === 'connectClient' ? leastRole(detail.roles) : undefined));
  const fields = detail.kind === 'elicitation' && detail.request.mode === 'form' ? detail.request.fields : undefined;
  const form = useFormDraft(fields ?? []);
  const [isForAllTools, setForAllTools] = useState(false);
  const secrets = useSecretsDraft();
  const sampling = useSamplingDraft(detail);
  return {
    args,
    problem: original === undefined ? (form.problem ?? sampling.problem) : args.problem,
    role,
    setRole,
    form,
    isForAllTools,
    setForAllTools,
    secrets,
    sampling,
    toAnswer: (choice) => {
      if ((detail.kind === 'sampling' || detail.kind === 'samplingResponse') && choice === 'allowOnce') {
        return { askId, choice: sampling.choice(), sampling: sampling.toEdit() };
      }
      if (detail.kind === 'sampling') {
        const refusal = sampling.toRefusal();
        return { askId, choice, ...(refusal !== undefined && { sampling: refusal }) };
      }
      if (fields !== undefined) {
        return { askId, choice, ...(choice === 'allowOnce' ? { form: form.values } : {}) };
      }
      const changed = original === undefined || choice.startsWith('deny') ? undefined : changedArguments(original, args.text);
      return {
        askId,
        choice,
        ...keptInAnswer(detail, secrets),
        ...(role === undefined ? {} : { role }),
        ...(changed === undefined ? {} : { arguments: changed }),
        ...(isForAllTools ? { allTools: true } : {}),
      };
    },
  };
}

/** Pure: another one whenever a yes covers something else, which has an end of its own to be seen. */
export function extentOf(isForAllTools: boolean, { usesContext }: Pick<SamplingDraft['values'], 'usesContext'>): string {
  return isForAllTools ? 'server' : usesContext ? 'context' : 'tool';
}

function leastRole(roles: readonly Role[]): Role | undefined {
  return (['reader', 'editor', 'runner'] as const).find((role) => roles.includes(role));
}
