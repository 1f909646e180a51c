// question/: a permission question as a card, the same on every page: who asks, for what, what changed, and the answers.
import type { JSX, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { PersonAnswer, Question } from '../../contract/questions/questions.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { AllowWhen, useRules } from './allowWhen.tsx';
import { useAnswerDraft } from './answerDraft.ts';
import { useAnswering } from './answering.ts';
import { Answers } from './answers.tsx';
import { Differences } from './details/differences.tsx';
import { Findings, QuestionDetails, QuestionFolds } from './details/questionDetails.tsx';
import { shortTitle } from './details/callTexts.ts';
import { changeNote, questionName, questionTitle, whatHappens, whatPasses, whoAsks } from './details/questionTexts.ts';
import { endMark, lid, MoreToRead } from './reading.tsx';
import { shownDifferences } from './details/sendContentTexts.ts';

export interface QuestionCardProps {
  readonly question: Question;
  readonly from: 'chat' | 'panel';
  /** A text that changes whenever questions come or go: see `useArming`. */
  readonly generation: string;
  /** `card` is passed along so that the page can move the focus on. */
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

export function QuestionCard({ question, from, generation, onAnswer }: QuestionCardProps): JSX.Element {
  const card = useRef<HTMLDivElement>(null);
  const draft = useAnswerDraft(question);
  const answering = useAnswering({ card, question, draft, generation, onAnswer });
  const { reading, note, goOn, choices, isAnswered } = answering;
  const moreId = useId();
  const rules = useRules(question, draft);
  const problem = question.detail.kind === 'callTool' ? draft.problem : undefined;
  return (
    <div
      ref={card}
      class={`question is-${question.detail.kind}`}
      role="group"
      aria-label={questionName(question)}
      tabIndex={-1}
      data-question={question.askId}
      data-answered={isAnswered ? 'yes' : undefined}
      onKeyDown={answering.onKeyDown}
    >
      <Title question={question} />
      <div class="question-body">
        <Effect question={question} from={from} />
        {question.why === 'changed' && <Changes question={question} />}
        <div class="question-material">
          <QuestionDetails question={question} draft={draft} />
          <div {...endMark} key={draft.isConfined ? 'confined' : 'open'} />
        </div>
        <Findings question={question} draft={draft} from={from} />
        <Answers
          question={question}
          choices={choices}
          isBlocked={answering.isBlocked}
          onChoose={answering.press}
          onShowRules={rules.show}
          describedBy={moreId}
        >
          <MoreToRead id={moreId} reading={reading} problem={problem} note={note} onGoOn={goOn} />
          <div class="screen-reader-only" role="status">
            {note}
          </div>
        </Answers>
        {rules.shown !== undefined && (
          <AllowWhen offers={rules.shown} isBlocked={answering.isBlocked} describedBy={moreId} onChoose={answering.press} />
        )}
        <QuestionFolds question={question} draft={draft} from={from} />
      </div>
    </div>
  );
}

/** What happens, who asks, and what an outside program gets: as far as the title does not say it. */
function Effect({ question, from }: Pick<QuestionCardProps, 'question' | 'from'>): JSX.Element {
  const passes = whatPasses(question);
  return (
    <>
      {!isShort(question) && <p class="question-effect">{whatHappens(question)}</p>}
      {question.detail.kind !== 'callTool' && <p class="secondary">{whoAsks(question, from)}</p>}
      {passes !== undefined && <p class="secondary">{passes}</p>}
    </>
  );
}

/** Whether the question is told by its title and its arguments alone. That an address is read tells the server something, which must be said. */
function isShort({ detail }: Question): boolean {
  return detail.kind === 'callTool' && detail.reads === undefined;
}

/** The longest title that stays in view while the rest scrolls; a longer one would leave no room to read. */
const maxSticking = 160;

/** The title, which stays in view as long as anything of its card does. */
function Title({ question }: { readonly question: Question }): JSX.Element {
  const whole = questionTitle(question);
  const short = shortTitle(question);
  const title = useRef<HTMLDivElement>(null);
  useTitleHeight(title);
  return (
    <div
      ref={title}
      class={whole.length > maxSticking ? 'question-title' : 'question-title is-sticking'}
      role="heading"
      aria-level={2}
      {...(short === undefined ? {} : { 'aria-label': whole, title: whole })}
      {...(whole.length > maxSticking ? {} : lid)}
    >
      <Icon name="shield" tone="warning" />
      {short === undefined ? (
        <span>{whole}</span>
      ) : (
        <span class="short-title">
          <span class="short-who">
            {short.who} →{'\u00A0'}
          </span>
          <strong>{short.tool}</strong> <span class="short-server">{t('of {0}', short.server)}</span>
        </span>
      )}
    </div>
  );
}

/** Tells the style of the card how high its title is: the answers stick below it. */
export function useTitleHeight(title: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = title.current;
    if (element === null) {
      return undefined;
    }
    const tell = (): void =>
      element.parentElement?.style.setProperty('--lid', `${element.hasAttribute('data-lid') ? element.offsetHeight : 0}px`);
    const resizes = new ResizeObserver(tell);
    resizes.observe(element);
    tell();
    return () => resizes.disconnect();
  }, [title]);
}

export function Changes({ question }: { readonly question: Question }): JSX.Element {
  const differences = shownDifferences(question);
  return (
    <div class="section question-material">
      <div class="section-label change-note">
        <Icon name="diff" />
        {changeNote(question)}
      </div>
      {differences.length > 0 && <Differences differences={differences} />}
      <div {...endMark} />
    </div>
  );
}
