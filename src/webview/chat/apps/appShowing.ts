import type { AppEnding, AppLook } from '../../../contract/chat/appMessages.ts';
import { t } from '../../shared/localize.ts';
import type { AppLink } from './appLink.ts';
import { onLookChanged, readLook } from './appLook.ts';
import { AppShell } from './appShell.ts';
import type { Trouble } from './relayFrame.ts';

const firstHeight = 120;
const minHeight = 40;
/** The greatest height, in pixels, of an app's place in the chat. */
const maxHeight = 600;

export interface AppShowing {
  readonly id: string;
  /** What the frame is called for people who cannot see it. */
  readonly title: string;
  readonly link: AppLink;
  /** The height that it begins with, where it was shown before. */
  readonly height?: number | undefined;
  /** Whether the app has a tab of the editor for itself: then it fills its place, and the page's policy is the app's own. */
  readonly isTab?: boolean;
  /** Called with a sentence for the person when the app lacks something, and without one when it begins anew. */
  readonly onNote: (sentence?: string) => void;
  /** The person wants to leave the app by the keyboard: something around it that no key does anything to gets the focus. */
  readonly onLeave: () => void;
}

type AppLinkView = (view: Parameters<AppLink['view']>[1]) => void;

/** The height of an app's place, whatever it asked for. */
export function shownHeight(height: number): number {
  return Math.min(maxHeight, Math.max(minHeight, height));
}

function setHeight(place: HTMLElement, height: number): void {
  place.style.height = `${shownHeight(height)}px`;
}

/** Says which key leads out of an app: in few words, since there is little room, and in all of them. */
export function leaveTexts(): { readonly short: string; readonly whole: string } {
  return { short: t('Esc leaves'), whole: t('Esc leaves the app; twice where the app uses Esc') };
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

/** How often it is looked whether the keys of the person go to an app: nothing tells when they go from one frame to another. */
const focusEveryMs = 1_000;

/** Tells whether the person can see the app and whether their keys go to it, at first and when that changes. The result ends it. */
function tellOfView(place: HTMLElement, tell: AppLinkView): () => void {
  let isSeen = true;
  let told: boolean | undefined;
  const look = (seen: boolean): void => {
    const hasFocus = document.hasFocus() && place.contains(document.activeElement);
    if (seen !== isSeen || hasFocus !== told) {
      [isSeen, told] = [seen, hasFocus];
      // A frame whose page has the focus does not count as focused for styles.
      place.toggleAttribute('data-keys', hasFocus);
      tell({ isSeen, hasFocus });
    }
  };
  const watch = new IntersectionObserver((entries) => look(entries.at(-1)?.isIntersecting ?? isSeen));
  watch.observe(place);
  const timer = setInterval(() => look(isSeen), focusEveryMs);
  return () => {
    watch.disconnect();
    clearInterval(timer);
  };
}

/** Shows the app in its place until the result is called. */
export function openAppFrame(
  place: HTMLElement,
  { id, title, link, onNote, onLeave, height = firstHeight, isTab = false }: AppShowing,
): () => void {
  let shell: AppShell | undefined;
  if (!isTab) {
    setHeight(place, height);
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
        shell = new AppShell(place, { html, policy, title, theme: look().theme, isTab, onSaid, onBroke, onTrouble, onLeave });
        break;
      }
      case 'app/say':
        shell?.say(message.body.text);
        break;
      case 'app/size':
        setHeight(place, message.body.height);
        break;
    }
  });
  const stopLooking = onLookChanged(place, () => {
    shell?.setTheme(look().theme);
    link.look(id, look());
  });
  link.mounted(id, look());
  const stopTelling = tellOfView(place, (view) => link.view(id, view));
  return () => {
    stopTelling();
    stopListening();
    stopLooking();
    shell?.dispose();
  };
}
