import type { ContextBudget, ContextSource } from '../../contract/chat/contextBudget.ts';
import { formatNumber } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

/** Formats a count of tokens, which is never exact: "950", "12k", "1.2M". */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) {
    return String(Math.round(tokens));
  }
  const [value, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M'];
  return `${formatNumber(Number(value.toFixed(value < 9.95 ? 1 : 0)))}${unit}`;
}

export function sourceLabel({ kind, server }: ContextSource): string {
  switch (kind) {
    case 'instructions':
      return t('Instructions');
    case 'tools':
      return server === undefined ? t('Tools') : t('Tools of {0}', server);
    case 'attachments':
      return t('Attachments');
    case 'results':
      return t('Results of tools');
    case 'conversation':
      return t('Conversation');
  }
}

/** How full the context is, for the line below the message, where there is little room. It is an estimate until the provider counted. */
export function shortUse(budget: ContextBudget): string {
  const share = contextShare(budget);
  const use = share === undefined ? formatTokens(budget.used) : `${Math.round(share * 100)} %`;
  return budget.isCounted ? use : `≈ ${use}`;
}

/** How full the context is, in one sentence, also for screen readers. */
export function wholeUse({ used, limit, isCounted }: ContextBudget): string {
  const about = isCounted ? t('as the provider counts') : t('estimated');
  const tokens = isCounted ? formatNumber(used) : t('about {0}', formatNumber(used));
  return limit === undefined
    ? t('{0} tokens, {1}; the limit of this model is not known', tokens, about)
    : t('{0} of {1} tokens, {2}', tokens, formatNumber(limit), about);
}

/** The share of the context that is used, from 0 to 1; undefined when the limit is not known. */
export function contextShare({ used, limit }: ContextBudget): number | undefined {
  return limit === undefined || limit <= 0 ? undefined : Math.min(1, used / limit);
}

const nearlyFull = 0.8;

export function isNearlyFull(budget: ContextBudget): boolean {
  return (contextShare(budget) ?? 0) >= nearlyFull;
}

/** What fills the context, the largest first. */
export function shownSources({ sources }: ContextBudget): readonly ContextSource[] {
  return [...sources].sort((one, other) => other.tokens - one.tokens);
}
