import type { JSX } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { CompactionPart } from '../../../contract/chat/contextBudget.ts';
import type { ThinkingPart, TurnCost, TurnUsage, WaitingPart } from '../../../contract/chat/answerParts.ts';
import type { AssistantItem, ChatPart, ToolCallPart, ToolCallState } from '../../../contract/chat/chatState.ts';
import { Disclosure, Icon } from '../../shared/elements.tsx';
import { formatDollars, formatElapsed, formatNumber, plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { PlainText, shortened } from '../../shared/plainText.tsx';
import { BudgetActionsContext, type ChatIntents } from '../chatIntents.ts';
import { LazyMarkdown } from '../chatParts.tsx';
import { formatTokens } from '../contextTexts.ts';

/** The model's thinking, folded: whoever reads the answer need not read how it came about. */
export function Thinking({ part, isRunning }: { readonly part: ThinkingPart; readonly isRunning: boolean }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isUnderWay = isRunning && part.elapsedMs === undefined;
  return (
    <div class="thought" role="group" aria-label={t('Thinking')}>
      <button type="button" class="thought-line secondary" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <Icon name={isUnderWay ? 'loading' : 'lightbulb'} spin={isUnderWay} />
        <span>{titleOf(part, isUnderWay)}</span>
      </button>
      {/* Not announced while it streams: screen readers read it when somebody opens it. */}
      <div id={id} class="thought-text secondary" hidden={!isOpen} aria-live="off">
        {isOpen && <LazyMarkdown text={part.text} isStreaming={isUnderWay} />}
      </div>
    </div>
  );
}

function titleOf({ elapsedMs }: ThinkingPart, isUnderWay: boolean): string {
  if (isUnderWay) {
    return t('Thinking…');
  }
  return elapsedMs === undefined || elapsedMs < 1000 ? t('Thought for a moment') : t('Thought for {0}', formatElapsed(elapsedMs));
}

/** Says that the provider makes the chat wait: why, how much longer, and a button not to wait. */
export function Waiting({ part, intents }: { readonly part: WaitingPart; readonly intents: ChatIntents }): JSX.Element {
  return (
    <div class="waiting">
      <div class="note secondary">
        <Icon name="history" />
        {/* Screen readers say the reason once; the seconds are only to be seen. */}
        <span>
          {reasonOf(part)}{' '}
          <span class="waiting-seconds" aria-live="off" role="timer">
            {t('Trying again in {0} s.', part.seconds)}
          </span>
        </span>
      </div>
      <div class="button-row">
        <button type="button" class="button" onClick={() => intents.retryNow()}>
          {t('Retry now')}
        </button>
      </div>
    </div>
  );
}

function reasonOf({ reason }: WaitingPart): string {
  switch (reason) {
    case 'rateLimited':
      return t('The rate limit of the model provider is reached.');
    case 'overloaded':
      return t('The model provider is overloaded.');
    case 'serverError':
      return t('The model provider had an internal error.');
  }
}

/** A note that the window of an answer closed in the middle: what was there is kept, and the answer can go on from there. */
export function Interrupted({ canAct, intents }: { readonly canAct: boolean; readonly intents: ChatIntents }): JSX.Element {
  return (
    <div class="pause-note">
      <div class="note secondary">
        <Icon name="debug-disconnect" />
        <span>{t('This answer was interrupted: its window was closed or reloaded.')}</span>
      </div>
      {canAct && (
        <div class="button-row">
          <button type="button" class="button is-primary" onClick={() => intents.retry()}>
            {t('Continue')}
          </button>
        </div>
      )}
    </div>
  );
}

/** The mark from which on a summary stands for everything above it. */
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
        {isOpen && <PlainText text={part.summary} />}
      </pre>
    </div>
  );
}

function textOf(part: CompactionPart): string {
  switch (part.state) {
    case 'running':
      return t('Summing up the conversation…');
    case 'failed':
      return part.error === undefined ? t('The conversation was not compacted.') : revealInvisible(shortened(part.error));
    case 'done':
      return part.by === 'itself'
        ? t('Compacted before the context was full: {0} → {1} tokens', formatTokens(part.tokensBefore), formatTokens(part.tokensAfter))
        : t('Compacted: {0} → {1} tokens', formatTokens(part.tokensBefore), formatTokens(part.tokensAfter));
  }
}

interface UsageProps {
  readonly usage: TurnUsage | undefined;
  readonly cost: TurnCost | undefined;
}

/** What an answer used and cost, in one line; the details are what the cache saved and the share of each server. */
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
  return usage === undefined ? undefined : t('{0} tokens in · {1} out', formatNumber(usage.inputTokens), formatNumber(usage.outputTokens));
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

/** Formats a sum in US dollars with enough digits to tell small sums apart. */
function dollars(usd: number | undefined): string {
  if (usd === undefined) {
    return t('cost unknown');
  }
  return usd < 0.0001 ? t('under $0.0001') : formatDollars(usd, usd < 0.1 ? 4 : 2);
}

/** Shows side by side when each tool call of an answer ran, and so where the time went. */
export function TurnTimeline({ item }: { readonly item: AssistantItem }): JSX.Element | null {
  const timeline = item.state === 'streaming' ? undefined : timelineOf(item.parts);
  if (timeline === undefined) {
    return null;
  }
  const count = plural(
    timeline.bars.length,
    () => t('1 call'),
    (many) => t('{0} calls', many),
  );
  return (
    <Disclosure label={t('Timeline')} inside={`${count} · ${formatElapsed(timeline.totalMs)}`}>
      <ol class="timeline">
        {timeline.bars.map(({ id, server, tool, state, elapsedMs, from, width }) => (
          <li key={id} class={`timeline-row is-${state}`} title={`${revealInvisible(server)} ${revealInvisible(tool)}`}>
            <span class="timeline-name">{revealInvisible(tool)}</span>
            <span class="timeline-track" aria-hidden="true">
              <span class="timeline-bar" style={{ insetInlineStart: `${from * 100}%`, width: `${width * 100}%` }} />
            </span>
            <span class="timeline-time secondary">{formatElapsed(elapsedMs)}</span>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}

export interface TimelineBar {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly state: ToolCallState;
  readonly elapsedMs: number;
  /** Where the bar begins and how long it is, as shares of the whole from 0 to 1. */
  readonly from: number;
  readonly width: number;
}

export interface Timeline {
  /** The time from the start of the first call to the end of the last. */
  readonly totalMs: number;
  readonly bars: readonly TimelineBar[];
}

const minBars = 2;
/** The most tool calls that the picture of their times shows; the rest is left out. */
const maxBars = 60;

type Timed = ToolCallPart & { readonly startedAtMs: number; readonly elapsedMs: number };

/** The bars for the calls of an answer; `undefined` for fewer than two, which need no picture. */
export function timelineOf(parts: readonly ChatPart[]): Timeline | undefined {
  const calls = parts.filter(
    (part): part is Timed => part.kind === 'toolCall' && part.startedAtMs !== undefined && part.elapsedMs !== undefined,
  );
  if (calls.length < minBars) {
    return undefined;
  }
  const shown = calls.slice(0, maxBars);
  const start = Math.min(...shown.map(({ startedAtMs }) => startedAtMs));
  const totalMs = Math.max(...shown.map(({ startedAtMs, elapsedMs }) => startedAtMs + elapsedMs)) - start;
  const share = (milliseconds: number): number => (totalMs > 0 ? milliseconds / totalMs : 0);
  const bars = shown.map(({ id, server, tool, state, startedAtMs, elapsedMs }) => ({
    id,
    server,
    tool,
    state,
    elapsedMs,
    from: share(startedAtMs - start),
    width: share(elapsedMs),
  }));
  return { totalMs, bars };
}
