import type { AppEnding, AppLook } from '../../../contract/chat/appMessages.ts';
import { t } from '../../shared/localize.ts';
import type { AppLink } from './appLink.ts';
import { onLookChanged, readLook } from './appLook.ts';
import { AppShell } from './appShell.ts';
import type { Trouble } from './relayFrame.ts';

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
  /** Called with a sentence for the person when the app lacks something, and without one when it begins anew. */
  readonly onNote: (sentence?: string) => void;
}

function troubleText(what: Trouble): string {
  switch (what) {
    case 'code':
      return t('This app turns text into code, which no app may do here. Parts of it do not work.');
    case 'storage':
      return t('This app wants to keep data in the browser, which no app may do here. Parts of it may not work.');
    case 'address':
      return t('This app wanted to reach an address that it may not reach. Parts of it may be missing.');
  }
}

/** Shows the app in its place until the result is called. */
export function showApp(place: HTMLElement, { id, title, link, onNote, isTab = false }: AppShowing): () => void {
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
        const onBroke = (reason: AppEnding): void => link.broke(id, reason);
        const onTrouble = (what: Trouble): void => onNote(troubleText(what));
        onNote();
        shell = new AppShell(place, { html, policy, title, theme: look().theme, isTab, onSaid, onBroke, onTrouble });
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
  const stopLooking = onLookChanged(place, () => {
    shell?.setTheme(look().theme);
    link.look(id, look());
  });
  link.mounted(id, look());
  return () => {
    stopListening();
    stopLooking();
    shell?.dispose();
  };
}
