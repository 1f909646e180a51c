import type { JSX } from 'preact';
import { useCallback, useId, useRef, useState } from 'preact/hooks';
import type { AnswerTogether, PersonAnswer, Question } from '../../contract/questions/questions.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { type Giving, useGiving } from './answering.ts';
import { AnswerButton } from './answers.tsx';
import { answerRow } from './arming.ts';
import { useTitleHeight } from './questionCard.tsx';
import { QuestionRow, type RowDraft } from './questionRow.tsx';
import { shortTitle } from './details/callTexts.ts';
import { countedCalls, togetherName } from './details/questionTexts.ts';
import { lid, MoreToRead } from './reading.tsx';

export interface TogetherCardProps {
  /** The calls that are open, each a question of its own. */
  readonly questions: readonly Question[];
  /** A text that changes whenever questions come or go: see `useArming`. */
  readonly generation: string;
  readonly onAnswer: (answer: PersonAnswer | AnswerTogether, card: HTMLElement) => void;
}

/**
 * Several calls of one turn as one card with a row each. The common answers are for exactly the rows that are drawn: one that comes,
 * goes or changes disarms them, and all that a row wants to do must have been in view.
 */
export function TogetherCard({ questions, generation, onAnswer }: TogetherCardProps): JSX.Element {
  const card = useRef<HTMLDivElement>(null);
  const keys = questions.map(rowKey);
  const { drafts, keepDraft, problem } = useRowDrafts(questions);
  const changes = questions.map(({ askId }) => drafts.get(askId)?.changed ?? '');
  const giving = useGiving(card, { generation: [generation, ...keys, ...changes].join('\n'), extent: keys.join('\n'), problem });
  const allow = (counts: () => boolean): void =>
    giving.give(true, counts, (answered) => onAnswer({ rows: questions.map((question) => rowAnswer(question, drafts)) }, answered));
  const denyEach = (answered: HTMLElement): void => questions.forEach(({ askId }) => onAnswer({ askId, choice: 'deny' }, answered));
  const deny = (): void => giving.give(false, () => true, denyEach);
  return (
    <div
      ref={card}
      class="question is-callTool is-together"
      role="group"
      aria-label={togetherName(questions.length)}
      tabIndex={-1}
      data-together=""
      data-answered={giving.isAnswered ? 'yes' : undefined}
      onKeyDown={(event) => giving.onKey(event, { allowsAt: '[data-covers] [data-key="allow"]', onAllow: allow, onDeny: deny })}
    >
      <TogetherTitle questions={questions} />
      {questions.map((question, index) => (
        <QuestionRow
          key={keys[index]}
          question={asRow(question, questions.slice(0, index))}
          generation={generation}
          isOver={giving.isAnswered}
          onAnswer={onAnswer}
          onDraft={keepDraft}
        />
      ))}
      {questions.length > 1 && <CommonAnswers count={questions.length} {...{ giving, problem, allow, deny }} />}
    </div>
  );
}

interface CommonAnswersProps {
  readonly count: number;
  readonly giving: Giving;
  readonly problem: string | undefined;
  readonly allow: (counts: () => boolean) => void;
  readonly deny: () => void;
}

function CommonAnswers({ count, giving, problem, allow, deny }: CommonAnswersProps): JSX.Element {
  const moreId = useId();
  const { reading, note, goOn, arming } = giving;
  return (
    <div class="question-answers">
      <MoreToRead id={moreId} reading={reading} problem={problem} note={note} onGoOn={goOn} />
      <div class="screen-reader-only" role="status">
        {note}
      </div>
      <div class="button-row" data-covers="" {...answerRow}>
        <AnswerButton
          label={t('Deny these {0}', count)}
          shortcut="deny"
          style="is-secondary"
          isBlocked={giving.isAnswered}
          describedBy={undefined}
          onClick={deny}
        />
        <AnswerButton
          label={t('Allow these {0}', count)}
          shortcut="allow"
          style="is-primary"
          isBlocked={giving.isBlocked(true)}
          describedBy={moreId}
          onClick={(event) => allow(() => arming.takes(event))}
        />
      </div>
    </div>
  );
}

function TogetherTitle({ questions }: Pick<TogetherCardProps, 'questions'>): JSX.Element {
  const title = useRef<HTMLDivElement>(null);
  useTitleHeight(title);
  const [first] = questions;
  const who = first === undefined ? undefined : shortTitle(first)?.who;
  return (
    <div ref={title} class="question-title is-sticking" role="heading" aria-level={2} {...lid}>
      <Icon name="shield" tone="warning" />
      <span class="short-title">
        <span class="short-who">
          {who} →{'\u00A0'}
        </span>
        <strong>{countedCalls(questions.length)}</strong>
      </span>
    </div>
  );
}

interface RowDrafts {
  readonly drafts: ReadonlyMap<string, RowDraft>;
  readonly keepDraft: (askId: string, draft: RowDraft) => void;
  /** The first problem of the rows. */
  readonly problem: string | undefined;
}

/** What the person has made of each row. A row that has not told yet cannot be allowed. */
function useRowDrafts(questions: readonly Question[]): RowDrafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, RowDraft>>(new Map());
  const keepDraft = useCallback((askId: string, draft: RowDraft) => setDrafts((before) => new Map(before).set(askId, draft)), []);
  const own = questions.map(({ askId }) => drafts.get(askId));
  const problem = own.includes(undefined) ? t('Not yet: the calls have just appeared.') : own.find((draft) => draft?.problem)?.problem;
  return { drafts, keepDraft, problem };
}

function rowAnswer({ askId }: Question, drafts: RowDrafts['drafts']): AnswerTogether['rows'][number] {
  const changed = drafts.get(askId)?.changed;
  return { askId, ...(changed !== undefined && { arguments: changed }) };
}

/** A question that comes with other arguments is another row, which nobody has seen yet. */
function rowKey({ askId, detail }: Question): string {
  return detail.kind === 'callTool' ? `${askId} ${detail.arguments}` : askId;
}

/** The question as a row has it: an answer for all tools of the server is not among several calls, and a definition is shown once. */
function asRow(question: Question, above: readonly Question[]): Question {
  if (question.detail.kind !== 'callTool') {
    return question;
  }
  const detail = { ...question.detail, otherTools: undefined };
  const isShown = question.why === 'new' && above.some((other) => other.isRead !== true && definitionOf(other) === definitionOf(question));
  return { ...question, detail, ...(isShown && { isRead: true }) };
}

function definitionOf({ detail }: Question): string | undefined {
  return detail.kind === 'callTool'
    ? JSON.stringify([detail.server, detail.tool, detail.title, detail.description, detail.parameters])
    : undefined;
}
