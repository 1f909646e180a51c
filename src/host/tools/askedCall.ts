import { randomUUID } from 'node:crypto';
import { isAbort } from '../../base/errors.ts';
import { inexactJson } from '../../base/jsonText.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { CallKnowledge, CallPlace } from '../../contract/questions/callKnowledge.ts';
import type { PersonAnswer, Question } from '../../contract/questions/questions.ts';
import type { ArgumentsRefusal } from '../connection/schemaChecks.ts';
import { hostError } from '../shared/hostErrors.ts';
import { readableJson } from '../shared/shownJson.ts';
import type { ToolOfServer } from './callRequest.ts';

/** What is known here about a call before it is made. `heard`: of the conversation that wants it; others have none. */
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
 * Asks again, with the reason, for as long as the arguments that the person left are refused by the tool's schema: what comes
 * from a page is never taken as checked. Arguments that they did not touch go to the server as they were asked for.
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
      // Left as they came back, they are still other ones than those that were asked for.
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
        detail: {
          ...detail,
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
  /** What the tool's schema says against them, if anything. */
  readonly refusalOf: (args: JsonObject) => Promise<ArgumentsRefusal | undefined>;
  readonly knowledgeOf: (args: JsonObject) => Promise<CallKnowledge>;
}

/** A question that the server itself asks about what would be done says too whose text the call carries. */
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
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  if (!isJsonObject(parsed)) {
    throw hostError('host.badArguments');
  }
  if (inexactJson(text) !== undefined) {
    throw hostError('host.inexactArguments');
  }
  return parsed;
}

/** Asks about a call for as long as there is a server to carry it out: a yes to one that is gone would do nothing. */
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
