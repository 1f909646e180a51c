import { randomUUID } from 'node:crypto';
import { isAbort } from '../../base/errors.ts';
import { inexactJson } from '../../base/jsonText.ts';
import { type JsonObject, parsedObject } from '../../base/json.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { CallKnowledge, CallPlace } from '../../contract/questions/callKnowledge.ts';
import type { PersonAnswer, Question } from '../../contract/questions/questions.ts';
import type { ArgumentsRefusal } from '../connection/schemaChecks.ts';
import { hostError } from '../shared/hostErrors.ts';
import { readableJson } from '../shared/shownJson.ts';
import type { ToolOfServer } from './callRequest.ts';

/** What the question about a call can tell of it. `heard` holds the texts of the conversation that wants the call, if one does. */
export async function knowledgeOf(
  place: CallPlace,
  { serverId }: ToolOfServer,
  args: JsonObject,
  heard: HeardTexts | undefined,
): Promise<CallKnowledge> {
  const found = await heard?.findIn(args, serverId);
  return {
    place,
    carried: [...(found?.carried ?? [])],
    compared: found?.compared ?? 0,
    isPartly: found?.isPartly ?? false,
  };
}

/**
 * Asks again, with the reason, as long as the tool's schema refuses the arguments that the person changed: a page is never
 * trusted to have checked them. Arguments that the person did not change go to the server as they are.
 */
export function askingUntilFit(ask: Ask, { refusalOf, knowledgeOf }: ArgumentChecks): Ask {
  return async (first, signal) => {
    let question = first;
    for (;;) {
      const answer = await ask(question, signal);
      const { detail } = question;
      if (detail.kind !== 'callTool' || !isYes(answer)) {
        return answer;
      }
      // When the question comes back, arguments that the person leaves alone now are still changed ones.
      const changed = answer.arguments ?? (question === first ? undefined : detail.arguments);
      if (changed === undefined) {
        return answer;
      }
      const args = parseArguments(changed);
      const refusal = await refusalOf(args);
      if (refusal === undefined) {
        return { ...answer, arguments: changed };
      }
      question = {
        ...question,
        askId: randomUUID(),
        // The rules were offered for other arguments.
        choices: question.choices.filter((choice) => choice !== 'allowWhen'),
        detail: {
          ...detail,
          rules: undefined,
          arguments: readableJson(args),
          refusal: refusal.reason,
          refusals: [...refusal.places],
          knows: await knowledgeOf(args),
        },
      };
    }
  };
}

export interface ArgumentChecks {
  /** Why the tool's schema refuses the arguments, if it does. */
  readonly refusalOf: (args: JsonObject) => Promise<ArgumentsRefusal | undefined>;
  readonly knowledgeOf: (args: JsonObject) => Promise<CallKnowledge>;
}

/** A question that the editor's own server asks also tells whose text the call carries. */
export async function withKnowledge(question: Question, knows: () => Promise<CallKnowledge>): Promise<Question> {
  const { detail } = question;
  const known = detail.kind === 'ownAct' ? await knows() : undefined;
  return detail.kind === 'ownAct' && known !== undefined && known.compared > 0
    ? { ...question, detail: { ...detail, knows: known } }
    : question;
}

function isYes({ choice }: PersonAnswer): boolean {
  return choice !== 'deny' && choice !== 'denyAlways' && choice !== 'cancel';
}

export function parseArguments(text: string): JsonObject {
  const parsed = parsedObject(text);
  if (parsed === undefined) {
    throw hostError('host.badArguments');
  }
  if (inexactJson(text) !== undefined) {
    throw hostError('host.inexactArguments');
  }
  return parsed;
}

/** Withdraws the question when the server is gone: a yes would then do nothing. */
export function askWhileRunning(ask: Ask, server: string, closed: Promise<unknown>): Ask {
  return async (question, signal) => {
    const gone = new AbortController();
    void closed.then(() => gone.abort());
    try {
      return await ask(question, AbortSignal.any([signal, gone.signal]));
    } catch (error) {
      if (isAbort(error) && gone.signal.aborted && !signal.aborted) {
        throw hostError('host.notRunning', { server });
      }
      throw error;
    }
  };
}
