import type { RefObject } from 'preact';
import type { Choice, PersonAnswer, Question } from '../../contract/questions/questions.ts';
import type { ChosenRule } from '../../contract/questions/toolQuestions.ts';
import { t } from '../shared/localize.ts';
import { useExpiring } from '../shared/timers.ts';
import { type AnswerDraft, extentOf } from './answerDraft.ts';
import { keyChoice } from './answers.tsx';
import { type Arming, useArming } from './arming.ts';
import { arrangeChoices, buttonChoices, isAllowing } from './details/questionTexts.ts';
import { type Reading, type ReadingOfCard, useReading, readingWords } from './reading.tsx';

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

export interface AnsweringCard extends ReadingOfCard {
  readonly choices: readonly Choice[];
  readonly isAnswered: boolean;
  readonly isBlocked: (choice: Choice) => boolean;
  /** What is to be said right now: why a press did nothing, or what the next Escape does. */
  readonly note: string | undefined;
  readonly press: (choice: Choice, click: Event, rule?: ChosenRule) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** How one card is answered: which answers count by now, what a press and a key do, and what is said when they do nothing. */
export function useAnswering({ card, question, draft, generation, onAnswer }: AnsweringOptions): AnsweringCard {
  // When an answer covers something else, that has to be looked at anew.
  const extent = extentOf(draft.isForAllTools, draft.sampling.values, draft.isConfined);
  const giving = useGiving(card, { generation: `${generation} ${extent}`, extent, problem: draft.problem });
  // "Allow once" is for one call, and so for one tool only.
  const choices = buttonChoices(question).filter((choice) => !draft.isForAllTools || choice !== 'allowOnce');
  const give = (choice: Choice, counts: () => boolean, rule?: ChosenRule): void =>
    giving.give(isAllowing(choice), counts, (answered) =>
      onAnswer({ ...draft.toAnswer(choice), ...(rule !== undefined && { rule }) }, answered),
    );
  return {
    ...giving,
    choices,
    isBlocked: (choice) => giving.isBlocked(isAllowing(choice)),
    press: (choice, click, rule) => give(choice, () => giving.arming.takes(click), rule),
    onKeyDown: (event) =>
      giving.onKey(event, {
        allowsAt: '[data-key="allow"]',
        onAllow: (counts) => {
          const choice = keyChoice(arrangeChoices(choices));
          if (choice !== undefined) {
            give(choice, counts);
          }
        },
        onDeny: choices.includes('deny') ? () => give('deny', () => true) : undefined,
      }),
  };
}

interface GivingOptions {
  /** What the answers are for; when it changes, they are armed anew. */
  readonly generation: string;
  /** Which ends must have been in view: see `useReading`. */
  readonly extent: string;
  /** What keeps an answer that allows something from counting, even when all was seen. */
  readonly problem: string | undefined;
}

export interface Giving extends ReadingOfCard {
  readonly arming: Arming;
  readonly isAnswered: boolean;
  readonly isBlocked: (allows: boolean) => boolean;
  readonly note: string | undefined;
  /** Lets an answer be given if it counts, and says why if it does not. */
  readonly give: (allows: boolean, counts: () => boolean, act: (card: HTMLElement) => void) => void;
  readonly onKey: (event: KeyboardEvent, answers: KeyAnswers) => void;
}

/** What the keys of a card do. */
interface KeyAnswers {
  /** How the button is found that Ctrl+Enter or Cmd+Enter stands for. */
  readonly allowsAt: string;
  readonly onAllow: (counts: () => boolean) => void;
  readonly onDeny: (() => void) | undefined;
}

/** When an answer of a card counts, be it for one question or for several. */
export function useGiving(card: RefObject<HTMLElement | null>, { generation, extent, problem }: GivingOptions): Giving {
  const arming = useArming(card, generation);
  const ofCard = useReading(card, extent);
  const [isAnswered, markAnswered] = useExpiring(answerGrace);
  const [isPressedInVain, markPressedInVain] = useExpiring(noteTime);
  const denying = useDenying();
  const isReady = arming.isArmed && ofCard.reading.kind === 'whole' && problem === undefined;
  const isBlocked = (allows: boolean): boolean => isAnswered || (allows && !isReady);
  const vainNote = isPressedInVain ? obstacle(ofCard.reading, problem, arming) : undefined;
  return {
    ...ofCard,
    arming,
    isAnswered,
    isBlocked,
    note: isAnswered ? undefined : (denying.note ?? vainNote),
    give: (allows, counts, act) => {
      if (isAnswered || card.current === null) {
        return;
      }
      const isTaken = !allows || counts();
      if (isTaken && !isBlocked(allows)) {
        markAnswered();
        act(card.current);
      } else {
        markPressedInVain();
        leadToObstacle(card.current, ofCard, problem);
      }
    },
    onKey: (event, { allowsAt, onAllow, onDeny }) =>
      onCardKey(event, {
        onAllow: () => {
          const button = card.current?.querySelector(allowsAt) ?? undefined;
          if (button !== undefined) {
            onAllow(() => arming.takesKeys(button));
          }
        },
        onDeny: () => denying.press(onDeny),
        onTab: () => ofCard.reading.kind === 'hidden' && card.current !== null && readsOn(card.current, ofCard),
      }),
  };
}

/** The two presses of Escape that deny a question. */
interface Denying {
  /** What is to be said after the first. */
  readonly note: string | undefined;
  /** Calls `deny` at the second. */
  readonly press: (deny: (() => void) | undefined) => void;
}

/** Follows how often Escape was pressed in a question: the first press says what the next one does. */
export function useDenying(): Denying {
  const [isDenying, markDenying] = useExpiring(noteTime);
  return {
    note: isDenying ? t('Press Escape again to deny.') : undefined,
    press: (deny) => (isDenying && deny !== undefined ? deny() : markDenying()),
  };
}

/** Says why an answer that allows something does not count yet, or that it does by now. */
function obstacle(reading: Reading, problem: string | undefined, { isArmed }: Arming): string {
  if (reading.kind === 'hidden') {
    return t('Not yet: {0}', readingWords(reading));
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
  readonly onAllow?: () => void;
  readonly onDeny: () => void;
  /** Returns whether it did something else instead of moving the focus on. */
  readonly onTab?: () => boolean;
}

/** What a key does with the focus anywhere in a question, where nothing inside has a use for it. */
export function onCardKey(event: KeyboardEvent, keys: AnswerKeys): void {
  if (event.isComposing || event.defaultPrevented || event.altKey || event.shiftKey) {
    return;
  }
  const hasModifier = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter' && hasModifier && keys.onAllow !== undefined) {
    event.preventDefault();
    keys.onAllow();
  } else if (event.key === 'Escape' && !hasModifier) {
    // The turn goes on: this key is for the question.
    event.preventDefault();
    if (!event.repeat) {
      leaveField(event);
      keys.onDeny();
    }
  } else if (event.key === 'Tab' && !hasModifier && keys.onTab?.() === true) {
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
