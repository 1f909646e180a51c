import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Choice, Question } from '../../contract/questions/questions.ts';
import type { ChosenRule, RuleOffer, RuleScope } from '../../contract/questions/toolQuestions.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { AnswerDraft } from './answerDraft.ts';
import { answerRow } from './arming.ts';

export interface AllowWhenProps {
  readonly offers: readonly RuleOffer[];
  readonly isBlocked: (choice: Choice) => boolean;
  /** The id of the element that says why nothing can be allowed yet. */
  readonly describedBy: string;
  readonly onChoose: (choice: Choice, click: Event, rule: ChosenRule) => void;
}

interface Rules {
  /** Shows the rules; undefined where none is offered. */
  readonly show: (() => void) | undefined;
  readonly shown: readonly RuleOffer[] | undefined;
}

/** The rules that are offered: for this tool alone, and for the arguments as they came. */
export function useRules({ detail }: Question, draft: Pick<AnswerDraft, 'args' | 'isForAllTools'>): Rules {
  const [isShown, setShown] = useState(false);
  const { rules = [] } = detail.kind === 'callTool' && !draft.isForAllTools && !draft.args.isChanged ? detail : {};
  return rules.length === 0 ? { show: undefined, shown: undefined } : { show: () => setShown(true), shown: isShown ? rules : undefined };
}

/** The rules in words, each with the answers that allow further calls by it. The item "Allow when…" opens them. */
export function AllowWhen({ offers, isBlocked, describedBy, onChoose }: AllowWhenProps): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => panel.current?.focus(), []);
  const choose = (rule: ChosenRule, click: Event): void => onChoose('allowWhen', click, rule);
  return (
    <div ref={panel} class="question-rules" role="group" aria-label={t('Allow when…')} tabIndex={-1}>
      {offers.map((offer, index) => (
        <Rule key={index} {...{ offer, index, describedBy }} isBlocked={isBlocked('allowWhen')} onChoose={choose} />
      ))}
    </div>
  );
}

interface RuleProps extends Pick<AllowWhenProps, 'describedBy'> {
  readonly offer: RuleOffer;
  readonly index: number;
  readonly isBlocked: boolean;
  readonly onChoose: (rule: ChosenRule, click: Event) => void;
}

function Rule({ offer, index, isBlocked, describedBy, onChoose }: RuleProps): JSX.Element {
  const id = useId();
  return (
    <div class="section" role="group" aria-labelledby={id}>
      <p id={id}>{ruleSentence(offer)}</p>
      <p class="secondary">{ruleLimits(offer)}</p>
      <div class="button-row is-quiet" {...answerRow}>
        {offer.scopes.map((scope) => (
          <button
            key={scope}
            type="button"
            class="button is-quiet"
            aria-disabled={isBlocked}
            aria-describedby={describedBy}
            onClick={(event) => onChoose({ offer: index, scope }, event)}
          >
            {scopeLabel(scope)}
          </button>
        ))}
      </div>
    </div>
  );
}

function scopeLabel(scope: RuleScope): string {
  return scope === 'session' ? t('Allow these for this session') : t('Allow these in this workspace');
}

/** Says which calls the rule covers. */
function ruleSentence({ what }: RuleOffer): string {
  if (what.kind === 'exactArguments') {
    return t('Calls of this tool with exactly these arguments');
  }
  const folder = wholeText(what.folder);
  return what.realFolder === undefined
    ? t('Calls of this tool whose “path” is inside {0}', folder)
    : t('Calls of this tool whose “path” is inside {0}, which is {1}', folder, wholeText(what.realFolder));
}

/** Says what the rule leaves free, what it does not cover, and when it ends. */
function ruleLimits({ what }: RuleOffer): string {
  return what.kind === 'exactArguments'
    ? t('Until the definition of the tool changes.')
    : t(
        'Whatever the other arguments are, until the definition of the tool changes. Not through links, and not for a second path, a list, hidden or sensitive files, or server configuration.',
      );
}
