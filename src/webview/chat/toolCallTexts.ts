import type { ToolCallPart, ToolCallState } from '../../contract/chatState.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { formatBytes, formatElapsed } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

export function stateIcon(state: ToolCallState): { readonly icon: string; readonly tone: string } {
  const icons: Readonly<Record<ToolCallState, { readonly icon: string; readonly tone: string }>> = {
    waiting: { icon: 'shield', tone: 'warning' },
    running: { icon: 'loading', tone: 'quiet' },
    done: { icon: 'check', tone: 'good' },
    failed: { icon: 'error', tone: 'error' },
    denied: { icon: 'circle-slash', tone: 'quiet' },
    cancelled: { icon: 'debug-stop', tone: 'quiet' },
  };
  return icons[state];
}

export function stateWord({ state, question }: ToolCallPart): string {
  const words: Readonly<Record<ToolCallState, string>> = {
    waiting: question === undefined ? t('Waiting') : t('Waiting for you'),
    running: t('Running'),
    done: t('Done'),
    failed: t('Failed'),
    denied: t('Denied'),
    cancelled: t('Cancelled'),
  };
  return words[state];
}

/** The right end of the line: "1.2 s · 3 KB", or the state when there is more to say than "done". */
export function callMeta(part: ToolCallPart, runningMs: number | undefined): string {
  const elapsed = part.elapsedMs ?? (part.state === 'running' ? runningMs : undefined);
  const pieces = [
    part.state === 'done' || (part.state === 'running' && elapsed !== undefined) ? undefined : stateWord(part),
    elapsed === undefined ? undefined : formatElapsed(elapsed),
    part.state === 'done' && part.resultBytes > 0 ? formatBytes(part.resultBytes) : undefined,
  ];
  return pieces.filter((piece) => piece !== undefined).join(' · ');
}

/** Arguments on one line: what is folded inside. */
export function argumentsPreview(json: string): string {
  const flat = revealInvisible(json.slice(0, 300)).replace(/\s+/g, ' ').trim();
  return flat === '{}' ? '' : flat;
}
