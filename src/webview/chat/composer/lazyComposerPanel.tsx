import { Late } from '../../../base/late.ts';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePart } from '../../shared/page.tsx';
import type { ComposerPanelProps } from './composerPanel.tsx';

const panelPart = new Late(() => import('./composerPanel.tsx'));

/** The code of the panel comes when it is first opened. */
export function LazyComposerPanel(props: ComposerPanelProps): JSX.Element | null {
  return props.panel.name === undefined ? null : <Loaded {...props} />;
}

function Loaded(props: ComposerPanelProps): JSX.Element | null {
  const part = usePart(panelPart);
  return part === undefined ? null : <part.ComposerPanel {...props} />;
}

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
