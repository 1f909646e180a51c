import { useRef } from 'preact/hooks';
import type { ChatPart, ToolCallPart } from '../../../contract/chat/chatState.ts';
import type { Question } from '../../../contract/questions/questions.ts';

/** The calls of an answer that are asked about on one card. */
export interface Together {
  /** The part before which the card stands; undefined while there is none. */
  readonly at: string | undefined;
  readonly parts: readonly ChatPart[];
  readonly questions: readonly Question[];
}

const none: Together = { at: undefined, parts: [], questions: [] };

/**
 * Finds the calls that share a card: two or more of a group. The card stays until the last of them is answered, and where it began, so
 * that what the others become stands below it and does not push it.
 */
export function useTogether(parts: readonly ChatPart[]): Together {
  const at = useRef<string | undefined>(undefined);
  const asked = askedTogether(parts);
  const questions = asked.flatMap(({ question }) => question ?? []);
  const canBe = questions.length > 1 && questions.every(({ choices }) => choices.includes('allowOnce'));
  const kept = questions.length > 0 && parts.some(({ id }) => id === at.current) ? at.current : undefined;
  at.current = kept ?? (canBe ? asked[0]?.id : undefined);
  return at.current === undefined ? none : { at: at.current, parts: asked, questions };
}

/** Pure: the calls whose questions are of the first group that is open. */
function askedTogether(parts: readonly ChatPart[]): readonly ToolCallPart[] {
  const calls = parts.filter((part) => part.kind === 'toolCall');
  const group = calls.find(({ question }) => question?.group !== undefined)?.question?.group;
  return group === undefined ? [] : calls.filter(({ question }) => question?.group === group);
}
