import type { ChatState } from '../../contract/chatState.ts';
import { plural } from '../shared/formats.ts';
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
    text: `${plural(
      tools.length,
      () => t('1 server'),
      (count) => t('{0} servers', count),
    )} · ${plural(
      toolCount,
      () => t('1 tool'),
      (count) => t('{0} tools', count),
    )}`,
    attention: attentionOf(tools),
    tooltip: tools.map((entry) => `${entry.server}: ${stateText(entry)}`).join('\n'),
  };
}

function attentionOf(tools: readonly ToolEntry[]): string | undefined {
  const count = (state: ToolEntry['state']): number => tools.filter((entry) => entry.state === state).length;
  const [waiting, failed, starting] = [count('needsPermission'), count('failed'), count('starting')];
  if (waiting > 0) {
    return plural(
      waiting,
      () => t('1 needs permission'),
      (count) => t('{0} need permission', count),
    );
  }
  if (failed > 0) {
    return plural(
      failed,
      () => t('1 failed'),
      (count) => t('{0} failed', count),
    );
  }
  return starting > 0
    ? plural(
        starting,
        () => t('1 starting'),
        (count) => t('{0} starting', count),
      )
    : undefined;
}

function stateText({ count, state }: ToolEntry): string {
  const texts: Readonly<Record<ToolEntry['state'], string>> = {
    ready: plural(
      count,
      () => t('1 tool'),
      (count) => t('{0} tools', count),
    ),
    starting: t('starting'),
    needsPermission: t('needs permission'),
    failed: t('failed'),
    stopped: t('stopped'),
  };
  return texts[state];
}
