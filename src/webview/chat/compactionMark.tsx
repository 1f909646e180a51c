import type { JSX } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { CompactionPart } from '../../contract/chat/contextBudget.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { BudgetActionsContext } from './budgetActions.ts';
import { formatTokens } from './contextTexts.ts';

/** From here on a summary stands for what is above. */
export function CompactionMark({ part }: { readonly part: CompactionPart }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { undoCompaction } = useContext(BudgetActionsContext);
  const id = useId();
  return (
    <div class={`compaction is-${part.state}`} role="group" aria-label={t('Conversation compacted')}>
      <div class="compaction-line">
        <Icon name={part.state === 'running' ? 'loading' : part.state === 'failed' ? 'warning' : 'fold'} spin={part.state === 'running'} />
        <span class="compaction-text">{textOf(part)}</span>
        {part.state === 'done' && (
          <span class="compaction-actions">
            <button type="button" class="button is-quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
              {t('Summary')}
            </button>
            <button
              type="button"
              class="button is-quiet"
              title={t('The model gets the whole conversation again')}
              onClick={() => undoCompaction(part.id)}
            >
              {t('Undo')}
            </button>
          </span>
        )}
      </div>
      <pre id={id} class="plain compaction-summary" hidden={!isOpen} tabIndex={0} role="group" aria-label={t('Summary')}>
        {isOpen && revealInContent(part.summary)}
      </pre>
    </div>
  );
}

function textOf(part: CompactionPart): string {
  switch (part.state) {
    case 'running':
      return t('Summing up the conversation…');
    case 'failed':
      return part.error === undefined ? t('The conversation was not compacted.') : revealInvisible(part.error);
    case 'done':
      return part.by === 'itself'
        ? t('Compacted before the context was full: {0} → {1} tokens', formatTokens(part.tokensBefore), formatTokens(part.tokensAfter))
        : t('Compacted: {0} → {1} tokens', formatTokens(part.tokensBefore), formatTokens(part.tokensAfter));
  }
}
