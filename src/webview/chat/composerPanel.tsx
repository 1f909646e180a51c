import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PickableTool } from '../../contract/chat/toolChoice.ts';
import type { ChatState } from '../../contract/chatState.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { ContextDetails } from './contextDetails.tsx';
import { composerPanelId, type OpenPanel } from './useComposerPanel.ts';
import { ToolPicker } from './toolPicker.tsx';

export interface ComposerPanelProps {
  readonly panel: OpenPanel;
  readonly state: ChatState | undefined;
  readonly tools: readonly PickableTool[] | undefined;
  readonly onServers: () => void;
}

/** Opens above the message: the tools, or what fills the context. Escape closes it. */
export function ComposerPanel({ panel: { name, close }, state, tools, onServers }: ComposerPanelProps): JSX.Element | null {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    (panel.current?.querySelector<HTMLElement>('input') ?? panel.current)?.focus();
  }, [name]);
  if (name === undefined || state?.context === undefined) {
    return null;
  }
  const label = name === 'tools' ? t('Choose tools') : t('What fills the context');
  return (
    <section
      ref={panel}
      id={composerPanelId}
      class="composer-panel"
      role="region"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
      }}
    >
      <header class="composer-panel-head">
        <h2>{name === 'tools' ? t('Tools') : t('Context')}</h2>
        <button type="button" class="icon-button" aria-label={t('Close')} title={t('Close (Escape)')} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {name === 'tools' ? (
        <ToolPicker tools={tools} offer={state.context.tools} onServers={onServers} />
      ) : (
        <ContextDetails budget={state.context} isRunning={state.isRunning} />
      )}
    </section>
  );
}
