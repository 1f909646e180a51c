import type { JSX } from 'preact';
import type { ContextBudget } from '../../contract/chat/contextBudget.ts';
import { t } from '../shared/localize.ts';
import { composerPanelId, type OpenPanel } from './useComposerPanel.ts';
import { isNearlyFull, shareOf, shortUse, wholeUse } from './contextTexts.ts';

export interface ContextMeterProps {
  readonly budget: ContextBudget;
  readonly panel: OpenPanel;
}

/** How full the model's context is; a click tells by what. */
export function ContextMeter({ budget, panel }: ContextMeterProps): JSX.Element {
  const share = shareOf(budget);
  const sentence = wholeUse(budget);
  return (
    <span class={isNearlyFull(budget) ? 'context-meter is-nearly-full' : 'context-meter'}>
      <span
        class={share === undefined ? 'screen-reader-only' : 'meter'}
        role="meter"
        aria-label={t('Context')}
        aria-valuemin={0}
        aria-valuemax={budget.limit ?? Math.max(1, budget.used)}
        aria-valuenow={budget.used}
        aria-valuetext={sentence}
      >
        {share !== undefined && <span class="meter-fill" style={{ width: `${share * 100}%` }} />}
      </span>
      <button
        type="button"
        class="foot-button"
        aria-expanded={panel.name === 'context'}
        aria-controls={composerPanelId}
        title={t('Context: {0}', sentence)}
        onClick={() => panel.toggle('context')}
      >
        <span class="screen-reader-only">{t('Context details')} </span>
        <span class="foot-text">{shortUse(budget)}</span>
      </button>
    </span>
  );
}
