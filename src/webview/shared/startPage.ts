import type { ComponentChild } from 'preact';
import { loadBundle } from './localize.ts';
import { openPageRoot } from './pageRoot.tsx';

/** A page that draws what the host sent last; before that, nothing is known. */
export function startPage<Message>(
  link: { listen(listener: (message: Message) => void): void },
  sayReady: () => void,
  draw: (message: Message | undefined) => ComponentChild,
): void {
  const root = document.getElementById('root');
  if (root === null) {
    return;
  }
  loadBundle(document.getElementById('l10n')?.textContent);
  const drawPage = openPageRoot(root);
  const show = (message?: Message): void => drawPage(draw(message));
  show();
  link.listen(show);
  sayReady();
}
