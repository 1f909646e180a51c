import type { ChatState } from '../../contract/chatState.ts';
import { formatCount } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

export interface ToolSummary {
  /** "2 servers · 14 tools" */
  readonly text: string;
  /** The one thing that needs attention, if any. */
  readonly attention: string | undefined;
  /** One line per server. */
  readonly tooltip: string;
}

type ToolEntry = ChatState['tools'][number];

export function summariseTools(tools: ChatState['tools']): ToolSummary {
  if (tools.length === 0) {
    return { text: t('No servers yet'), attention: undefined, tooltip: t('Add a server to give the chat tools.') };
  }
  const ready = tools.filter(({ state }) => state === 'ready');
  const toolCount = ready.reduce((sum, { count }) => sum + count, 0);
  return {
    text: `${formatCount(tools.length, '1 server', '{0} servers')} · ${formatCount(toolCount, '1 tool', '{0} tools')}`,
    attention: attentionOf(tools),
    tooltip: tools.map((entry) => `${entry.server}: ${stateText(entry)}`).join('\n'),
  };
}

function attentionOf(tools: readonly ToolEntry[]): string | undefined {
  const count = (state: ToolEntry['state']): number => tools.filter((entry) => entry.state === state).length;
  const [waiting, failed, starting] = [count('needsPermission'), count('failed'), count('starting')];
  if (waiting > 0) {
    return formatCount(waiting, '1 needs permission', '{0} need permission');
  }
  if (failed > 0) {
    return formatCount(failed, '1 failed', '{0} failed');
  }
  return starting > 0 ? formatCount(starting, '1 starting', '{0} starting') : undefined;
}

function stateText({ count, state }: ToolEntry): string {
  const texts: Readonly<Record<ToolEntry['state'], string>> = {
    ready: formatCount(count, '1 tool', '{0} tools'),
    starting: t('starting'),
    needsPermission: t('needs permission'),
    failed: t('failed'),
    stopped: t('stopped'),
  };
  return texts[state];
}
