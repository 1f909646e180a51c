import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { ContextBudget, ShownInstructions } from '../../contract/chat/contextBudget.ts';
import type { ChatState } from '../../contract/chatState.ts';
import type { ToolOffer } from '../../contract/chat/toolChoice.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { PageActionsContext } from '../markdown/pageActions.ts';
import { t } from '../shared/localize.ts';
import { BudgetActionsContext } from './budgetActions.ts';
import { formatTokens, shownSources, sourceLabel, wholeUse } from './contextTexts.ts';

export interface ContextDetailsProps {
  readonly budget: ContextBudget;
  readonly isRunning: boolean;
  readonly instructions: NonNullable<ChatState['instructions']>;
}

/** What fills the context, and the way to make room. */
export function ContextDetails({ budget, isRunning, instructions }: ContextDetailsProps): JSX.Element {
  const { compact } = useContext(BudgetActionsContext);
  const whole = Math.max(1, budget.used);
  const sources = shownSources(budget);
  const mayCompact = budget.canCompact && !isRunning;
  return (
    <div class="context-details">
      <p class="context-sum">{wholeUse(budget)}</p>
      <div class="context-bar" aria-hidden="true">
        {sources.map((source) => (
          <span
            key={`${source.kind} ${source.server ?? ''}`}
            class={`context-piece is-${source.kind}`}
            style={{ width: `${Math.min(100, (source.tokens / whole) * 100)}%` }}
          />
        ))}
      </div>
      <ul class="context-sources" aria-label={t('What fills the context')}>
        {sources.map((source) => (
          <li key={`${source.kind} ${source.server ?? ''}`}>
            <span class={`context-swatch is-${source.kind}`} aria-hidden="true" />
            <span class="context-label">{revealInvisible(sourceLabel(source))}</span>
            <span class="secondary">{formatTokens(source.tokens)}</span>
          </li>
        ))}
      </ul>
      {instructions.some(({ kind }) => kind === 'personal') && <OwnInstructions />}
      {instructions.map((each) => each.kind === 'project' && <ProjectInstructions key={each.path} {...each} />)}
      <SavedTokens offer={budget.tools} />
      <div class="button-row">
        <button
          type="button"
          class="button is-secondary"
          aria-disabled={!mayCompact}
          title={t('A summary stands for what was said so far. The conversation stays here, and the summary can be taken back.')}
          onClick={() => mayCompact && compact()}
        >
          {t('Compact conversation')}
        </button>
      </div>
    </div>
  );
}

function SavedTokens({ offer: { offered, total, leftOut, savedTokens } }: { readonly offer: ToolOffer }): JSX.Element | null {
  return savedTokens === 0 ? null : (
    <p class="secondary">
      {t(
        '{0} of {1} tools are offered with each request; the model finds the others by search. That saves {2} tokens.',
        offered,
        total - leftOut,
        formatTokens(savedTokens),
      )}
    </p>
  );
}

function OwnInstructions(): JSX.Element {
  const { openInstructions } = useContext(BudgetActionsContext);
  return (
    <p class="secondary">
      {t('Your own instructions go with every request.')}{' '}
      <button type="button" class="button is-quiet" onClick={openInstructions}>
        {t('Open my instructions')}
      </button>
    </p>
  );
}

/** Also when it does not go along: it is there, and the person said no. */
function ProjectInstructions({ path, isSent, isAskedFirst }: Extract<ShownInstructions, { kind: 'project' }>): JSX.Element {
  const actions = useContext(PageActionsContext);
  const name = revealInvisible(path);
  return (
    <p class="secondary">
      {isSent
        ? t('Instructions: {0}', name)
        : isAskedFirst === true
          ? t('Instructions: {0} (you are asked before a model gets it)', name)
          : t('Instructions: {0} (not sent; you have not allowed it)', name)}{' '}
      <button type="button" class="button is-quiet" onClick={() => actions.openFile({ path })}>
        {t('Open {0}', name)}
      </button>
    </p>
  );
}
