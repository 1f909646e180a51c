import { Late } from '../../../base/late.ts';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePart } from '../../shared/page.tsx';
import type { ComposerPanelProps } from './composerPanel.tsx';

const panelPart = new Late(() => import('./composerPanel.tsx'));

/** Draws the panel above the message, whose code is loaded when it is first opened. */
export function LazyComposerPanel(props: ComposerPanelProps): JSX.Element | null {
  return props.panel.name === undefined ? null : <Loaded {...props} />;
}

function Loaded(props: ComposerPanelProps): JSX.Element | null {
  const part = usePart(panelPart);
  return part === undefined ? null : <part.ComposerPanel {...props} />;
}

export type ComposerPanelName = 'tools' | 'context' | 'commands';
export const composerPanelId = 'composer-panel';

export interface OpenPanel {
  readonly name: ComposerPanelName | undefined;
  readonly toggle: (name: ComposerPanelName) => void;
  readonly close: () => void;
}

/** Which panel is open above the message: at most one. `onClosed` is called so that the focus gets a place. */
export function useComposerPanel(onClosed: () => void): OpenPanel {
  const [name, setName] = useState<ComposerPanelName>();
  const close = (): void => {
    setName(undefined);
    onClosed();
  };
  return { name, close, toggle: (wanted) => (name === wanted ? close() : setName(wanted)) };
}
