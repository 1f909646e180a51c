// question/: a permission question as a card, the same on every page: who asks, for what, what changed, and the answers.
import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Choice, PersonAnswer, Question } from '../../contract/questions/questions.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { useExpiring } from '../shared/timers.ts';
import { extentOf, useAnswerDraft } from './answerDraft.ts';
import { AllTools } from './callToolDetails.tsx';
import { Differences } from './differences.tsx';
import { QuestionDetails } from './questionDetails.tsx';
import {
  arrangeChoices,
  buttonChoices,
  buttonLabel,
  changeNote,
  isAllowing,
  isPrimary,
  questionName,
  questionTitle,
  whatHappens,
  whoAsks,
} from './questionTexts.ts';
import { endMark, MoreToRead, useReading } from './reading.tsx';
import { shownDifferences } from './sendContentTexts.ts';

export interface QuestionCardProps {
  readonly question: Question;
  readonly from: 'chat' | 'panel';
  /** A text that changes whenever questions come or go: see `useArming`. */
  readonly generation: string;
  /** `card` is passed along so that the page can move the focus on. */
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

/** How long, in ms, the buttons stay disabled after an answer, should the host not take the question away. */
const answerGrace = 4000;

export function QuestionCard({ question, from, generation, onAnswer }: QuestionCardProps): JSX.Element {
  const card = useRef<HTMLDivElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const draft = useAnswerDraft(question);
  // When an answer covers something else, that has to be looked at anew.
  const extent = extentOf(draft.isForAllTools, draft.sampling.values);
  const isArmed = useArming(buttons, `${generation} ${extent}`);
  const { reading, goOn } = useReading(card, extent);
  const moreId = useId();
  const [isAnswered, markAnswered] = useExpiring(answerGrace);

  const isBlocked = (choice: Choice): boolean =>
    isAnswered || (isAllowing(choice) && (!isArmed || reading.kind !== 'whole' || draft.problem !== undefined));
  const answer = (choice: Choice): void => {
    if (!isBlocked(choice) && card.current !== null) {
      markAnswered();
      onAnswer(draft.toAnswer(choice), card.current);
    }
  };

  // "Allow once" is for one call, and so for one tool only.
  const choices = buttonChoices(question).filter((choice) => !draft.isForAllTools || choice !== 'allowOnce');
  const { otherTools = [], refusedTools = 0 } = question.detail.kind === 'callTool' ? question.detail : {};
  return (
    <div
      ref={card}
      class={`question is-${question.detail.kind}`}
      role="group"
      aria-label={questionName(question)}
      tabIndex={-1}
      data-question={question.askId}
      data-answered={isAnswered ? 'yes' : undefined}
    >
      <div class="question-title" role="heading" aria-level={2}>
        <Icon name="shield" tone="warning" />
        <span>{questionTitle(question)}</span>
      </div>
      <p class="question-effect">{whatHappens(question)}</p>
      <p class="secondary">{whoAsks(question, from)}</p>
      {question.why === 'changed' && <Changes question={question} />}
      <div class="question-material">
        <QuestionDetails question={question} draft={draft} />
        <div {...endMark} />
      </div>
      {otherTools.length > 0 && <AllTools tools={otherTools} refused={refusedTools} draft={draft} />}
      <Choices question={question} choices={choices} isBlocked={isBlocked} onChoose={answer} row={buttons} describedBy={moreId}>
        <MoreToRead id={moreId} reading={reading} problem={question.detail.kind === 'callTool' ? draft.problem : undefined} onGoOn={goOn} />
      </Choices>
    </div>
  );
}

function Changes({ question }: { readonly question: Question }): JSX.Element {
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

interface ChoicesProps {
  readonly question: Question;
  readonly choices: readonly Choice[];
  readonly isBlocked: (choice: Choice) => boolean;
  readonly onChoose: (choice: Choice) => void;
  readonly row: RefObject<HTMLDivElement | null>;
  /** The id of the element that says why Allow is not armed yet. */
  readonly describedBy: string;
  readonly children: ComponentChildren;
}

function Choices({ question, choices, isBlocked, onChoose, row, describedBy, children }: ChoicesProps): JSX.Element {
  const { main, more } = arrangeChoices(choices);
  const draw = (choice: Choice, style: string): JSX.Element => (
    <button
      key={choice}
      type="button"
      class={`button ${style}`}
      aria-disabled={isBlocked(choice)}
      {...(isAllowing(choice) ? { 'aria-describedby': describedBy } : {})}
      onClick={() => onChoose(choice)}
    >
      {buttonLabel(choice, question.detail)}
    </button>
  );
  return (
    <>
      <div class="question-answers">
        {children}
        <div class="button-row" ref={row} data-covers="">
          {main.map((choice) => draw(choice, isPrimary(choice, main) ? 'is-primary' : 'is-secondary'))}
        </div>
      </div>
      {more.length > 0 && (
        <div class="button-row is-quiet question-remember" role="group" aria-label={t('Remember the answer')}>
          {more.map((choice) => draw(choice, 'is-quiet'))}
        </div>
      )}
    </>
  );
}

const armingDelay = 500;

/**
 * Whether Allow is armed. It is not until the buttons have been in view for a moment, and again whenever they come back into view
 * or the set of questions on the page changes: a click meant for something else, or for the card that was here before, allows
 * nothing.
 */
function useArming(buttons: RefObject<Element | null>, generation: string): boolean {
  const [armedFor, setArmedFor] = useState<string | undefined>(undefined);
  useEffect(() => {
    const element = buttons.current;
    if (element === null) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isInView = false;
    const update = (): void => {
      if (isInView && document.visibilityState === 'visible') {
        timer ??= setTimeout(() => setArmedFor(generation), armingDelay);
      } else {
        clearTimeout(timer);
        timer = undefined;
        setArmedFor(undefined);
      }
    };
    const observer = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting ?? false;
      update();
    });
    observer.observe(element);
    document.addEventListener('visibilitychange', update);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', update);
      clearTimeout(timer);
    };
  }, [buttons, generation]);
  return armedFor === generation;
}
