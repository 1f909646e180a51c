import { useEffect, useState } from 'preact/hooks';
import type { Choice, PersonAnswer, Question, QuestionDetail } from '../../contract/questions/questions.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import { type ArgumentsDraft, useArgumentsDraft } from '../forms/argumentsDraft.ts';
import { changedArguments } from '../shared/jsonText.ts';
import { type FormDraft, useFormDraft } from '../forms/flatForm.tsx';
import { type SamplingDraft, useSamplingDraft } from './details/samplingDraft.ts';

/** What the person has filled in so far on one card. */
export interface AnswerDraft {
  readonly args: ArgumentsDraft;
  readonly problem: string | undefined;
  readonly role: Role | undefined;
  readonly setRole: (role: Role) => void;
  readonly form: FormDraft;
  /** Whether the answer is meant for the other tools of the server too. */
  readonly isForAllTools: boolean;
  readonly setForAllTools: (isFor: boolean) => void;
  readonly secrets: SecretsDraft;
  readonly sampling: SamplingDraft;
  /** Whether the server is to run confined. */
  readonly isConfined: boolean;
  readonly setConfined: (isConfined: boolean) => void;
  toAnswer(choice: Choice): PersonAnswer;
}

/** What the person typed on cards of calls that may come to be rows of one card, which is drawn anew then. */
const typedBefore = new Map<string, string>();

function useKeptArguments({ askId, detail, group }: Question): ArgumentsDraft {
  const args = useArgumentsDraft(detail.kind === 'callTool' ? { ...detail, typed: typedBefore.get(askId) } : undefined);
  useEffect(() => {
    if (group !== undefined && args.isChanged) {
      typedBefore.set(askId, args.text);
    } else {
      typedBefore.delete(askId);
    }
  }, [args.text]);
  return args;
}

export function useAnswerDraft(question: Question): AnswerDraft {
  const { askId, detail } = question;
  const original = detail.kind === 'callTool' ? detail.arguments : undefined;
  const args = useKeptArguments(question);
  const [role, setRole] = useState<Role | undefined>(() => (detail.kind === 'connectClient' ? leastRole(detail.roles) : undefined));
  const fields = detail.kind === 'elicitation' && detail.request.mode === 'form' ? detail.request.fields : undefined;
  const form = useFormDraft(fields ?? []);
  const [isForAllTools, setForAllTools] = useState(false);
  const secrets = useSecretsDraft();
  const sampling = useSamplingDraft(detail);
  const box = detail.kind === 'startServer' && detail.box?.obstacle === undefined ? detail.box : undefined;
  const [isConfined, setConfined] = useState(box?.isPreselected ?? false);
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
    isConfined,
    setConfined,
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
        ...(box === undefined ? {} : { isConfined }),
      };
    },
  };
}

/** Names what a yes covers. When it covers something else, that has an end of its own which must be seen before Allow is armed. */
export function extentOf(
  isForAllTools: boolean,
  { usesContext }: Pick<SamplingDraft['values'], 'usesContext'>,
  isConfined = false,
): string {
  return isForAllTools ? 'server' : isConfined ? 'confined' : usesContext ? 'context' : 'tool';
}

function leastRole(roles: readonly Role[]): Role | undefined {
  return (['reader', 'editor', 'runner'] as const).find((role) => roles.includes(role));
}

/** The secrets, by number, that the person wants to send as they are. At first there are none: removing them is the safe choice. */
export interface SecretsDraft {
  readonly kept: ReadonlySet<number>;
  readonly setKept: (secrets: readonly number[], isKept: boolean) => void;
}

function useSecretsDraft(): SecretsDraft {
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

function keptInAnswer(detail: QuestionDetail, { kept }: SecretsDraft): { keptSecrets?: number[] } {
  return detail.kind === 'sendContent' && kept.size > 0 ? { keptSecrets: [...kept] } : {};
}
