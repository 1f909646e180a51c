import { useState } from 'preact/hooks';

export type ComposerPanelName = 'tools' | 'context';
export const composerPanelId = 'composer-panel';

export interface OpenPanel {
  readonly name: ComposerPanelName | undefined;
  readonly toggle: (name: ComposerPanelName) => void;
  readonly close: () => void;
}

/** At most one panel above the message. `onClosed` gives the focus a place. */
export function useComposerPanel(onClosed: () => void): OpenPanel {
  const [name, setName] = useState<ComposerPanelName>();
  const close = (): void => {
    setName(undefined);
    onClosed();
  };
  return { name, close, toggle: (wanted) => (name === wanted ? close() : setName(wanted)) };
}
