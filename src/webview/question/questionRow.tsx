import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Choice, PersonAnswer, Question } from '../../contract/questions/questions.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { AllowWhen, useRules } from './allowWhen.tsx';
import { type AnswerDraft, useAnswerDraft } from './answerDraft.ts';
import { type AnsweringCard, useAnswering } from './answering.ts';
import { AnswerButton } from './answers.tsx';
import { answerRow } from './arming.ts';
import { nothingUnusual } from './details/knowledgeTexts.ts';
import { Changes } from './questionCard.tsx';
import { Findings, knownOf, QuestionDetails, QuestionFolds } from './details/questionDetails.tsx';
import { shortTitle } from './details/callTexts.ts';
import { arrangeChoices, buttonLabel, isAllowing, rowName } from './details/questionTexts.ts';
import { endMark } from './reading.tsx';

/** What the person has made of one row so far. */
export interface RowDraft {
  /** The arguments as JSON, where they are others than the model asked for. */
  readonly changed: string | undefined;
  /** What keeps the row from being allowed. */
  readonly problem: string | undefined;
}

export interface QuestionRowProps {
  readonly question: Question;
  readonly generation: string;
  /** Whether all rows were answered at once. */
  readonly isOver: boolean;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
  readonly onDraft: (askId: string, draft: RowDraft) => void;
}

/** One of several calls that are asked about on one card: its arguments and the two nearest answers; the rest is in its details. */
export function QuestionRow({ question, generation, isOver, onAnswer, onDraft }: QuestionRowProps): JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  const draft = useAnswerDraft(question);
  const answering = useAnswering({ card: row, question, draft, generation, onAnswer });
  const { arguments: changed } = draft.toAnswer('allowOnce');
  useLayoutEffect(() => onDraft(question.askId, { changed, problem: draft.problem }), [changed, draft.problem]);
  const title = shortTitle(question);
  return (
    <div
      ref={row}
      class="question-row"
      role="group"
      aria-label={rowName(question)}
      tabIndex={-1}
      data-question={question.askId}
      data-answered={answering.isAnswered || isOver ? 'yes' : undefined}
      onKeyDown={answering.onKeyDown}
    >
      <div class="row-title" role="heading" aria-level={3}>
        <strong>{title?.tool}</strong> {t('of {0}', title?.server ?? '')}
      </div>
      {question.why === 'changed' && <Changes question={question} />}
      <div class="question-material">
        <QuestionDetails question={question} draft={draft} />
        <div {...endMark} />
      </div>
      <Findings question={question} draft={draft} from="chat" />
      <RowFoot {...{ question, draft, answering, isOver }} />
    </div>
  );
}

interface RowFootProps {
  readonly question: Question;
  readonly draft: AnswerDraft;
  readonly answering: AnsweringCard;
  readonly isOver: boolean;
}

/** The answers of a row, and what can be looked up. */
function RowFoot({ question, draft, answering, isOver }: RowFootProps): JSX.Element {
  const [noteId, detailsId] = [useId(), useId()];
  const [isOpen, setOpen] = useState(false);
  const answer = (choice: Choice, style: string): JSX.Element => (
    <RowAnswer key={choice} {...{ question, choice, style, answering, isOver }} describedBy={noteId} />
  );
  const near = (['deny', 'allowOnce'] as const).filter((choice) => question.choices.includes(choice));
  return (
    <>
      <div class="row-foot">
        {answering.note !== undefined && (
          <div id={noteId} class="more-to-read is-floating" role="status">
            <Icon name="info" tone="warning" />
            {answering.note}
          </div>
        )}
        <div class="button-row" {...answerRow}>
          {near.map((choice) => answer(choice, 'is-secondary'))}
        </div>
        <button type="button" class="disclosure" aria-expanded={isOpen} aria-controls={detailsId} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <span>{t('Details')}</span>
          <Worst question={question} draft={draft} />
        </button>
      </div>
      <div id={detailsId} class="row-details" hidden={!isOpen}>
        {isOpen && <RowDetails {...{ question, draft, answering, answer }} describedBy={noteId} />}
      </div>
    </>
  );
}

interface RowAnswerProps extends Omit<RowFootProps, 'draft'> {
  readonly choice: Choice;
  readonly style: string;
  readonly describedBy: string;
}

function RowAnswer({ question, choice, style, answering, isOver, describedBy }: RowAnswerProps): JSX.Element {
  return (
    <AnswerButton
      label={buttonLabel(choice, question.detail)}
      shortcut={choice === 'deny' ? 'deny' : choice === 'allowOnce' ? 'allow' : undefined}
      isKeySilent
      style={style}
      isBlocked={isOver || answering.isBlocked(choice)}
      describedBy={isAllowing(choice) ? describedBy : undefined}
      onClick={(event) => (isOver ? undefined : answering.press(choice, event))}
    />
  );
}

/** The worst that is known of a call, if there is anything to say. A finding is said above the answers. */
function Worst({ question, draft }: { readonly question: Question; readonly draft: AnswerDraft }): JSX.Element | null {
  const known = knownOf({ question, draft, from: 'chat' });
  return known !== undefined && !known.isFinding && known.worst.text !== nothingUnusual() ? (
    <span class="disclosure-inside">{known.worst.text}</span>
  ) : null;
}

interface RowDetailsProps extends Omit<RowFootProps, 'isOver'> {
  readonly answer: (choice: Choice, style: string) => JSX.Element;
  readonly describedBy: string;
}

/** What can be looked up about one call, and the answers that reach further than this call. */
function RowDetails({ question, draft, answering, answer, describedBy }: RowDetailsProps): JSX.Element {
  const rules = useRules(question, draft);
  const { yes, more } = arrangeChoices(answering.choices);
  return (
    <>
      <div class="button-row is-quiet" role="group" aria-label={t('Remember the answer')} {...answerRow}>
        {[...yes.filter((choice) => choice !== 'allowOnce'), ...more].map((choice) => answer(choice, 'is-quiet'))}
        {rules.show !== undefined && (
          <button type="button" class="button is-quiet" onClick={rules.show}>
            {t('Allow when…')}
          </button>
        )}
      </div>
      {rules.shown !== undefined && (
        <AllowWhen offers={rules.shown} isBlocked={answering.isBlocked} describedBy={describedBy} onChoose={answering.press} />
      )}
      <QuestionFolds question={question} draft={draft} from="chat" />
    </>
  );
}
