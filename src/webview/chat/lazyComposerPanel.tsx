import type { JSX } from 'preact';
import { PagePart, usePart } from '../shared/pagePart.ts';
import type { ComposerPanelProps } from './composerPanel.tsx';

const panelPart = new PagePart(() => import('./composerPanel.tsx'));

/** The code of the panel comes when it is first opened. */
export function LazyComposerPanel(props: ComposerPanelProps): JSX.Element | null {
  return props.panel.name === undefined ? null : <Loaded {...props} />;
}

function Loaded(props: ComposerPanelProps): JSX.Element | null {
  const part = usePart(panelPart);
  return part === undefined ? null : <part.ComposerPanel {...props} />;
}
