import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ContextBudget } from '../../../contract/chat/contextBudget.ts';
import type { ChatState } from '../../../contract/chat/chatState.ts';
import { Icon } from '../../shared/elements.tsx';
import { plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import type { ChatIntents } from '../chatIntents.ts';
import { contextShare, isNearlyFull, shortUse, wholeUse } from '../contextTexts.ts';
import { composerPanelId, type OpenPanel } from './lazyComposerPanel.tsx';

export interface ComposerFootProps {
  readonly state: ChatState;
  readonly intents: ChatIntents;
  /** Shows who answers, and opens the choice of another model. */
  readonly model?: ComponentChildren;
  /** Shows how full the context is, and opens what fills it. */
  readonly context?: ComponentChildren;
}

/**
 * The line below the message: who answers, how full the context is, and what needs the person. Each is a button. Where there is
 * little room, names are shortened and what needs the person stays.
 */
export function ComposerFoot({ state, intents, model, context }: ComposerFootProps): JSX.Element {
  return (
    <div class="composer-foot secondary">
      <span class="foot-model">{model ?? <Provider state={state} />}</span>
      {context !== undefined && <span class="foot-context">{context}</span>}
      <span class="spacer" />
      <Needs state={state} intents={intents} />
    </div>
  );
}

function Provider({ state: { provider } }: { readonly state: ChatState }): JSX.Element {
  const label = provider.kind === 'offline' ? t('Offline guide · not an AI') : provider.label;
  return (
    <span class="foot-text" title={label}>
      {label}
    </span>
  );
}

/** Shows how many tools there are, or the one thing about them that needs the person. */
function Needs({ state, intents }: Pick<ComposerFootProps, 'state' | 'intents'>): JSX.Element {
  const { text, attention, shortly, tooltip } = summariseTools(state.tools);
  const needsServer = state.tools.length === 0;
  return (
    <button
      type="button"
      class="foot-button foot-needs"
      title={tooltip}
      aria-label={attention === undefined ? text : `${text} · ${attention}`}
      onClick={() => (needsServer ? intents.addServer() : intents.showTools())}
    >
      {attention === undefined ? (
        <span class="foot-text">{text}</span>
      ) : (
        <span class="foot-text attention">
          <Icon name="warning" tone="warning" />
          <span class="foot-whole">{attention}</span>
          <span class="foot-short">{shortly}</span>
        </span>
      )}
    </button>
  );
}

/** Shows who answers, and opens the choice of another model. */
export function ModelChoice({ state, intents }: { readonly state: ChatState; readonly intents: ChatIntents }): JSX.Element {
  const id = useId();
  const name = state.provider.kind === 'offline' ? t('Offline guide · not an AI') : state.provider.label;
  return (
    <button
      type="button"
      class="foot-button foot-choice"
      aria-label={t('Model')}
      aria-describedby={id}
      aria-haspopup="listbox"
      title={t('Choose who answers: {0}', name)}
      onClick={() => intents.chooseModel()}
    >
      <span id={id} class="foot-text">
        {name}
      </span>
      <Icon name="chevron-down" />
    </button>
  );
}

export interface ContextMeterProps {
  readonly budget: ContextBudget;
  readonly panel: OpenPanel;
}

/** Shows how full the model's context is; a click tells what fills it. */
export function ContextMeter({ budget, panel }: ContextMeterProps): JSX.Element {
  const share = contextShare(budget);
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

export interface ToolSummary {
  /** The summary, such as "2 servers · 14 tools". */
  readonly text: string;
  /** The one thing that needs the person, if any. */
  readonly attention: string | undefined;
  /** A shorter form of `attention`, for where there is little room. */
  readonly shortly: string | undefined;
  /** The tooltip, with one line per server. */
  readonly tooltip: string;
}

type ToolEntry = ChatState['tools'][number];

export function summariseTools(tools: ChatState['tools']): ToolSummary {
  if (tools.length === 0) {
    return { text: t('No servers yet'), attention: undefined, shortly: undefined, tooltip: t('Add a server to give the chat tools.') };
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
    ...attentionOf(tools),
    tooltip: tools.map((entry) => `${entry.server}: ${stateText(entry)}`).join('\n'),
  };
}

function attentionOf(tools: readonly ToolEntry[]): Pick<ToolSummary, 'attention' | 'shortly'> {
  const count = (state: ToolEntry['state']): number => tools.filter((entry) => entry.state === state).length;
  const [waiting, failed, starting] = [count('needsPermission'), count('failed'), count('starting')];
  if (waiting > 0) {
    // Nobody is asked about a server that a message does not need, so it is said here.
    return {
      attention: plural(
        waiting,
        () => t('1 server waits for permission'),
        (count) => t('{0} servers wait for permission', count),
      ),
      shortly: plural(
        waiting,
        () => t('1 needs permission'),
        (count) => t('{0} need permission', count),
      ),
    };
  }
  if (failed === 0 && starting === 0) {
    return { attention: undefined, shortly: undefined };
  }
  const words =
    failed > 0
      ? plural(
          failed,
          () => t('1 failed'),
          (count) => t('{0} failed', count),
        )
      : plural(
          starting,
          () => t('1 starting'),
          (count) => t('{0} starting', count),
        );
  return { attention: words, shortly: words };
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
