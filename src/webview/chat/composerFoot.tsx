import type { ComponentChildren, JSX } from 'preact';
import type { ChatState } from '../../contract/chatState.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { ChatIntents } from './chatIntents.ts';
import { summariseTools } from './toolSummary.ts';

export interface ComposerFootProps {
  readonly state: ChatState;
  readonly intents: ChatIntents;
  /** Who answers, and the way to choose another. */
  readonly model?: ComponentChildren;
  /** How full the context is, and what fills it. */
  readonly context?: ComponentChildren;
}

/**
 * One line below the message: who answers, how full the context is, and what needs the person. Each can be pressed; when there is
 * little room, the names give way and what needs the person stays.
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

/** The tools there are, or the one thing about them that needs the person. */
function Needs({ state, intents }: Pick<ComposerFootProps, 'state' | 'intents'>): JSX.Element {
  const { text, attention, tooltip } = summariseTools(state.tools);
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
          {attention}
        </span>
      )}
    </button>
  );
}
