import type { AppLook } from '../../../contract/chat/appMessages.ts';
import type { AppLink } from './appLink.ts';
import { onLookChanged, readLook } from './appLook.ts';
import { AppShell } from './appShell.ts';

const firstHeight = 120;
const minHeight = 40;
const maxHeight = 600;

export interface AppShowing {
  readonly id: string;
  /** What the frame is called for people who cannot see it. */
  readonly title: string;
  readonly link: AppLink;
  /** Whether the app has a tab of the editor for itself: then it fills its place, and the page's policy is the app's own. */
  readonly isTab?: boolean;
}

/** Shows the app in its place until the result is called. */
export function showApp(place: HTMLElement, { id, title, link, isTab = false }: AppShowing): () => void {
  let shell: AppShell | undefined;
  if (!isTab) {
    place.style.height = `${firstHeight}px`;
  }
  const look = (): AppLook => ({ ...readLook(place.clientWidth), ...(isTab && { height: Math.round(place.clientHeight) }) });
  const stopListening = link.listen(id, (message) => {
    switch (message.name) {
      case 'app/frame': {
        shell?.dispose();
        const { html, policy } = message.body;
        const onSaid = (text: string): void => link.said(id, text);
        shell = new AppShell(place, { html, policy, title, isTab, onSaid, onBroke: (reason) => link.broke(id, reason) });
        break;
      }
      case 'app/say':
        shell?.say(message.body.text);
        break;
      case 'app/size':
        place.style.height = `${Math.min(maxHeight, Math.max(minHeight, message.body.height))}px`;
        break;
    }
  });
  const stopLooking = onLookChanged(place, () => link.look(id, look()));
  link.mounted(id, look());
  return () => {
    stopListening();
    stopLooking();
    shell?.dispose();
  };
}
