import type { RefObject } from 'preact';
import type { Choice, PersonAnswer, Question } from '../../contract/questions/questions.ts';
import type { ChosenRule } from '../../contract/questions/toolQuestions.ts';
import { t } from '../shared/localize.ts';
import { useExpiring } from '../shared/timers.ts';
import { type AnswerDraft, extentOf } from './answerDraft.ts';
import { keyChoice } from './answers.tsx';
import { type Arming, useArming } from './arming.ts';
import { arrangeChoices, buttonChoices, isAllowing } from './questionTexts.ts';
import { type Reading, type ReadingOfCard, useReading, wordsOf } from './reading.tsx';

/** How long, in ms, the buttons stay disabled after an answer, should the host not take the question away. */
const answerGrace = 4000;
/** How long, in ms, a note stays that says why a press did nothing, and how long the second Escape may take. */
const noteTime = 4000;

export interface AnsweringOptions {
  readonly card: RefObject<HTMLElement | null>;
  readonly question: Question;
  readonly draft: AnswerDraft;
  readonly generation: string;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

export interface Answering extends ReadingOfCard {
  readonly choices: readonly Choice[];
  readonly isAnswered: boolean;
  readonly isBlocked: (choice: Choice) => boolean;
  /** What is to be said right now: why a press did nothing, or what the next Escape does. */
  readonly note: string | undefined;
  readonly press: (choice: Choice, click: Event, rule?: ChosenRule) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** How one card is answered: which answers count by now, what a press and a key do, and what is said when they do nothing. */
export function useAnswering({ card, question, draft, generation, onAnswer }: AnsweringOptions): Answering {
  // When an answer covers something else, that has to be looked at anew.
  const extent = extentOf(draft.isForAllTools, draft.sampling.values);
  const arming = useArming(card, `${generation} ${extent}`);
  const ofCard = useReading(card, extent);
  const [isAnswered, markAnswered] = useExpiring(answerGrace);
  const [isPressedInVain, markPressedInVain] = useExpiring(noteTime);
  const [isDenying, markDenying] = useExpiring(noteTime);
  // "Allow once" is for one call, and so for one tool only.
  const choices = buttonChoices(question).filter((choice) => !draft.isForAllTools || choice !== 'allowOnce');
  const isReady = arming.isArmed && ofCard.reading.kind === 'whole' && draft.problem === undefined;
  const isBlocked = (choice: Choice): boolean => isAnswered || (isAllowing(choice) && !isReady);
  const give = (choice: Choice, counts: () => boolean, rule?: ChosenRule): void => {
    if (isAnswered || card.current === null) {
      return;
    }
    const isTaken = !isAllowing(choice) || counts();
    if (isTaken && !isBlocked(choice)) {
      markAnswered();
      onAnswer({ ...draft.toAnswer(choice), ...(rule !== undefined && { rule }) }, card.current);
    } else {
      markPressedInVain();
      leadToObstacle(card.current, ofCard, draft.problem);
    }
  };
  const keys: AnswerKeys = {
    onAllow: () => {
      const choice = keyChoice(arrangeChoices(choices));
      const button = card.current?.querySelector('[data-key="allow"]');
      if (choice !== undefined && button !== null && button !== undefined) {
        give(choice, () => arming.takesKeys(button));
      }
    },
    onDeny: () => (isDenying && choices.includes('deny') ? give('deny', () => true) : markDenying()),
    onTab: () => ofCard.reading.kind === 'hidden' && card.current !== null && readsOn(card.current, ofCard),
  };
  return {
    ...ofCard,
    choices,
    isAnswered,
    isBlocked,
    note: isAnswered
      ? undefined
      : isDenying
        ? t('Press Escape again to deny.')
        : isPressedInVain
          ? obstacle(ofCard.reading, draft.problem, arming)
          : undefined,
    press: (choice, click, rule) => give(choice, () => arming.takes(click), rule),
    onKeyDown: (event) => onCardKey(event, keys),
  };
}

/** Says why an answer that allows something does not count yet, or that it does by now. */
function obstacle(reading: Reading, problem: string | undefined, { isArmed }: Arming): string {
  if (reading.kind === 'hidden') {
    return t('Not yet: {0}', wordsOf(reading));
  }
  return problem ?? (isArmed ? t('Now it counts. Press again.') : t('Not yet: the buttons have just appeared or moved.'));
}

/** Brings what keeps an answer from counting into view. */
function leadToObstacle(card: HTMLElement, { reading, goOn }: ReadingOfCard, problem: string | undefined): void {
  if (reading.kind === 'hidden') {
    goOn();
  } else if (problem !== undefined) {
    card.querySelector('[aria-invalid="true"]')?.scrollIntoView({ block: 'nearest' });
  }
}

interface AnswerKeys {
  readonly onAllow: () => void;
  readonly onDeny: () => void;
  /** Returns whether it did something else instead of moving the focus on. */
  readonly onTab: () => boolean;
}

/** What a key does with the focus anywhere in a question, where nothing inside has a use for it. */
function onCardKey(event: KeyboardEvent, keys: AnswerKeys): void {
  if (event.isComposing || event.defaultPrevented || event.altKey || event.shiftKey) {
    return;
  }
  const hasModifier = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter' && hasModifier) {
    event.preventDefault();
    keys.onAllow();
  } else if (event.key === 'Escape' && !hasModifier) {
    // The turn goes on: this key is for the question.
    event.preventDefault();
    if (!event.repeat) {
      leaveField(event);
      keys.onDeny();
    }
  } else if (event.key === 'Tab' && !hasModifier && keys.onTab()) {
    event.preventDefault();
  }
}

function leaveField({ target, currentTarget }: KeyboardEvent): void {
  if (target instanceof Element && target.matches('textarea, input, select') && currentTarget instanceof HTMLElement) {
    currentTarget.focus({ preventScroll: true });
  }
}

/** Scrolls one page on where the Tab key would skip lines that nobody has seen; returns whether it did. */
function readsOn(card: HTMLElement, { goOn, goOnTo }: ReadingOfCard): boolean {
  const stops = [...card.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]')].filter(
    (each) => each.tabIndex >= 0 && each.checkVisibility(),
  );
  const next = stops[stops.findIndex((each) => each === document.activeElement) + 1];
  // The answers are in view wherever the card is scrolled to.
  if (next?.closest('.question-answers') !== null) {
    return goOn();
  }
  if (goOnTo(next)) {
    return true;
  }
  // The browser would scroll to the end of a text that is higher than the page.
  const isHigh = next.offsetHeight > window.innerHeight / 2;
  if (isHigh) {
    next.focus({ preventScroll: true });
  }
  return isHigh;
}
