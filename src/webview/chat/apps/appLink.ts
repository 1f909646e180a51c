// apps/: the pages that servers give to their tools, on the cards of calls: what goes between a frame and the extension (this file), the
// card (appCard.tsx), the page of a tab (appTab.ts), and the frames that an app is in (appShell.ts, relayFrame.ts).
import { createContext } from 'preact';
import type { chatToHost, chatToView } from '../../../contract/chat/chatMessages.ts';
import type { AppEnding, AppLook, appToView } from '../../../contract/chat/appMessages.ts';
import type { MessageOf } from '../../../contract/pages/messageLink.ts';
import type { HostLink } from '../../shared/hostLink.ts';

export type AppMessage = MessageOf<typeof appToView>;

/** What the frames of apps say to the extension, and how they hear of it. Each is named by the card of its call. */
export interface AppLink {
  wake(partId: string): void;
  close(partId: string): void;
  enlarge(partId: string): void;
  back(partId: string): void;
  mounted(partId: string, look: AppLook): void;
  look(partId: string, look: AppLook): void;
  /** Tells whether the person can see the app, and whether their keys go to it. */
  view(partId: string, view: { readonly isSeen: boolean; readonly hasFocus: boolean }): void;
  said(partId: string, text: string): void;
  broke(partId: string, reason: AppEnding): void;
  /** Hears what the extension says to one app; the result ends that. */
  listen(partId: string, listener: (message: AppMessage) => void): () => void;
}

/** The end of the link that the frames of apps share. */
export class AppLinks implements AppLink {
  readonly #link: Pick<HostLink<typeof chatToHost, typeof chatToView>, 'send'>;
  readonly #listeners = new Map<string, (message: AppMessage) => void>();

  constructor(link: Pick<HostLink<typeof chatToHost, typeof chatToView>, 'send'>) {
    this.#link = link;
  }

  /** Gives a message to the frame that it is for; what is for none is dropped. */
  receive(message: AppMessage): void {
    this.#listeners.get(message.body.partId)?.(message);
  }

  listen(partId: string, listener: (message: AppMessage) => void): () => void {
    this.#listeners.set(partId, listener);
    return () => {
      if (this.#listeners.get(partId) === listener) {
        this.#listeners.delete(partId);
      }
    };
  }

  wake(partId: string): void {
    this.#link.send('app/wake', { partId });
  }

  close(partId: string): void {
    this.#link.send('app/close', { partId });
  }

  enlarge(partId: string): void {
    this.#link.send('app/enlarge', { partId });
  }

  back(partId: string): void {
    this.#link.send('app/back', { partId });
  }

  mounted(partId: string, look: AppLook): void {
    this.#link.send('app/mounted', { partId, look });
  }

  look(partId: string, look: AppLook): void {
    this.#link.send('app/look', { partId, look });
  }

  view(partId: string, view: { readonly isSeen: boolean; readonly hasFocus: boolean }): void {
    this.#link.send('app/view', { partId, ...view });
  }

  said(partId: string, text: string): void {
    this.#link.send('app/said', { partId, text });
  }

  broke(partId: string, reason: AppEnding): void {
    this.#link.send('app/broke', { partId, reason });
  }
}

/** Whether a message of the extension is for the frame of an app. */
export function isAppMessage(message: MessageOf<typeof chatToView>): message is AppMessage {
  return message.name === 'app/frame' || message.name === 'app/say' || message.name === 'app/size';
}

export const AppLinkContext = createContext<AppLink | undefined>(undefined);
