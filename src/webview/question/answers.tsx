import type { ComponentChildren, JSX } from 'preact';
import type { Choice, Question } from '../../contract/questions/questions.ts';
import { t } from '../shared/localize.ts';
import { answerRow } from './arming.ts';
import { MoreMenu } from './moreMenu.tsx';
import { arrangeChoices, buttonLabel, type ChoiceRows, isAllowing, isPrimary } from './details/questionTexts.ts';

const isMac = /Mac/.test(navigator.platform);

/** The answer that Ctrl+Enter or Cmd+Enter gives: the yes that most people want, if it is one. */
export function keyChoice({ yes, safe }: ChoiceRows): Choice | undefined {
  return yes.find((choice) => isPrimary(choice, [...safe, ...yes]));
}

interface AnswersProps {
  readonly question: Question;
  readonly choices: readonly Choice[];
  readonly isBlocked: (choice: Choice) => boolean;
  readonly onChoose: (choice: Choice, click: Event) => void;
  /** Shows the rules by which further calls can be allowed, where there are some. */
  readonly onShowRules: (() => void) | undefined;
  /** The id of the element that says why Allow is not armed yet. */
  readonly describedBy: string;
  readonly children: ComponentChildren;
}

/**
 * The answers: the safe ones first, with the menu of the far-reaching ones beside them, then those that allow something, side by side.
 * A client's connection has no menu: each of its answers is a button.
 */
export function Answers({ question, choices, isBlocked, onChoose, onShowRules, describedBy, children }: AnswersProps): JSX.Element {
  const rows = arrangeChoices(choices);
  const { safe, yes, more } = rows;
  const draw = (choice: Choice, style: string): JSX.Element => (
    <AnswerButton
      key={choice}
      label={buttonLabel(choice, question.detail)}
      shortcut={choice === 'deny' ? 'deny' : choice === keyChoice(rows) ? 'allow' : undefined}
      style={style}
      isBlocked={isBlocked(choice)}
      describedBy={isAllowing(choice) ? describedBy : undefined}
      onClick={(event) => onChoose(choice, event)}
    />
  );
  const drawMain = (choice: Choice): JSX.Element => draw(choice, isPrimary(choice, [...safe, ...yes]) ? 'is-primary' : 'is-secondary');
  const answers = more.map((choice) => ({
    key: choice,
    label: buttonLabel(choice, question.detail),
    isBlocked: isBlocked(choice),
    onChoose: (event: Event) => onChoose(choice, event),
  }));
  // It allows nothing by itself, and stands with those that allow: before the refusal.
  const rules = onShowRules === undefined ? [] : [{ key: 'rules', label: t('Allow when…'), isBlocked: false, onChoose: onShowRules }];
  const items = [...answers.filter(({ key }) => isAllowing(key)), ...rules, ...answers.filter(({ key }) => !isAllowing(key))];
  const hasMenu = question.detail.kind !== 'connectClient' && items.length > 0;
  return (
    <>
      <div class="question-answers">
        {children}
        <div class="button-row" data-covers="" {...answerRow}>
          <div class="answer-group">
            {safe.map(drawMain)}
            {hasMenu && <MoreMenu items={items} describedBy={describedBy} />}
          </div>
          <div class="answer-group is-yes">{yes.map(drawMain)}</div>
        </div>
      </div>
      {!hasMenu && more.length > 0 && (
        <div class="button-row is-quiet question-remember" role="group" aria-label={t('Remember the answer')} {...answerRow}>
          {more.map((choice) => draw(choice, 'is-quiet'))}
        </div>
      )}
    </>
  );
}

interface AnswerButtonProps {
  readonly label: string;
  readonly shortcut: 'allow' | 'deny' | undefined;
  /** Whether its key is left unwritten, where several cards have the same. */
  readonly isKeySilent?: boolean;
  readonly style: string;
  readonly isBlocked: boolean;
  readonly describedBy: string | undefined;
  readonly onClick: (event: Event) => void;
}

/** A button with its key written on it. The key is not a part of its name: screen readers have their own way to tell it. */
export function AnswerButton({
  label,
  shortcut,
  isKeySilent = false,
  style,
  isBlocked,
  describedBy,
  onClick,
}: AnswerButtonProps): JSX.Element {
  const keys = {
    allow: [isMac ? 'Meta+Enter' : 'Control+Enter', isMac ? '⌘⏎' : t('Ctrl+Enter')],
    deny: ['Escape', t('Esc')],
  } as const;
  const [shortcuts, written] = shortcut === undefined ? [] : keys[shortcut];
  return (
    <button
      type="button"
      class={`button ${style}`}
      aria-disabled={isBlocked}
      aria-keyshortcuts={shortcuts}
      aria-describedby={describedBy}
      data-key={shortcut}
      onClick={onClick}
    >
      <span>{label}</span>
      {written !== undefined && !isKeySilent && (
        <span class="button-key" aria-hidden="true">
          {written}
        </span>
      )}
    </button>
  );
}
