import { render, type ComponentChild } from 'preact';
import { loadBundle } from './localize.ts';

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
  const show = (message?: Message): void => render(draw(message), root);
  show();
  link.listen(show);
  sayReady();
}
