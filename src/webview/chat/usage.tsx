import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { TurnCost, TurnUsage } from '../../contract/chat/models.ts';
import { plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';

interface UsageProps {
  readonly usage: TurnUsage | undefined;
  readonly cost: TurnCost | undefined;
}

/** What an answer used and cost, in one line; what the cache saved and what each server came to are behind it. */
export function Usage({ usage, cost }: UsageProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (usage === undefined && cost === undefined) {
    return null;
  }
  return (
    <div class="usage secondary">
      <button type="button" class="usage-line" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{[tokensOf(usage), costOf(cost)].filter(Boolean).join(' · ')}</span>
      </button>
      <dl id={id} class="usage-details" hidden={!isOpen}>
        {isOpen && rowsOf(usage, cost).map(([name, value]) => <Row key={name} name={name} value={value} />)}
      </dl>
    </div>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div class="usage-row">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function rowsOf(usage: TurnUsage | undefined, cost: TurnCost | undefined): readonly (readonly [name: string, value: string])[] {
  return [
    ...(cost === undefined ? [] : [[t('Model'), revealInvisible(cost.model)] as const]),
    ...(usage === undefined
      ? []
      : [
          [t('Read from the prompt cache'), tokens(usage.cacheReadTokens ?? 0)] as const,
          [t('Written to the prompt cache'), tokens(usage.cacheWrittenTokens ?? 0)] as const,
        ]),
    ...(cost?.servers ?? []).map(({ server, calls, tokens: count, usd }) => {
      const called = plural(
        calls,
        () => t('1 call'),
        (many) => t('{0} calls', many),
      );
      return [revealInvisible(server), t('{0} · about {1} · {2}', called, tokens(count), dollars(usd))] as const;
    }),
    ...(cost === undefined ? [] : [[t('Prices'), t('as of {0}; shares of servers are estimates', cost.pricesAsOf)] as const]),
  ];
}

function tokensOf(usage: TurnUsage | undefined): string | undefined {
  return usage === undefined
    ? undefined
    : t('{0} tokens in · {1} out', usage.inputTokens.toLocaleString('en'), usage.outputTokens.toLocaleString('en'));
}

function costOf(cost: TurnCost | undefined): string | undefined {
  return cost === undefined ? undefined : cost.usd === undefined ? t('cost unknown') : dollars(cost.usd);
}

function tokens(count: number): string {
  return plural(
    count,
    () => t('1 token'),
    (many) => t('{0} tokens', many),
  );
}

/** As many digits as tell one small sum from another. */
function dollars(usd: number | undefined): string {
  if (usd === undefined) {
    return t('cost unknown');
  }
  return usd < 0.0001 ? t('under $0.0001') : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
