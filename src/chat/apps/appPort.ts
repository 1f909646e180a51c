import type { JsonObject } from '../../base/json.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AppEnding, AppLook } from '../../contract/chat/appMessages.ts';
import type { AppFrame, WantedApp } from '../../contract/chat/appShowing.ts';

/** What the chat needs of the host to show an app. */
export interface AppPort {
  /** The result of a call as the server sent it, while it is kept. */
  resultOf(key: string): KeptAppResult | undefined;
  /** Reads the app's page and asks the person. Never rejects but with an AbortError. */
  open(wanted: WantedApp): Promise<AppAnswer>;
}

export interface KeptAppResult {
  readonly arguments: JsonObject;
  readonly result: JsonObject;
}

export type AppAnswer =
  | { readonly kind: 'opened'; readonly app: AllowedApp }
  | { readonly kind: 'denied'; readonly by: 'person' | 'ledger' }
  /** Why it cannot be shown, for the person, in their language. */
  | { readonly kind: 'failed'; readonly sentence: string };

export interface AllowedApp {
  readonly html: string;
  readonly policy: string;
  /** The fingerprint of what the person allowed. */
  readonly fingerprint: string;
  /** Whether they allowed it for this once; otherwise a remembered answer stands for it, which they can take back. */
  readonly isOnce: boolean;
  begin(look: AppLook, frame: AppFrame): ShownApp;
}

/** One showing of an app, in one frame. */
export interface ShownApp extends Disposable {
  /** Something that the app asked for, or that it was asked for, is under way. */
  readonly isBusy: boolean;
  receive(text: string): void;
  setLook(look: AppLook): void;
  /** Lets the app tidy up first. */
  end(): Promise<void>;
}

/** Shows apps alone in tabs of the editor. */
export interface AppTabs {
  openTab(tab: WantedTab): Promise<AppTab>;
}

/** The tab that an app is to be shown in, and who hears of it. */
export interface WantedTab {
  readonly server: string;
  readonly tool: string;
  readonly html: string;
  readonly policy: string;
  /** Whether the person asked for it: only then it takes the focus. */
  readonly isPressed: boolean;
  /** Whether it has a way back into the chat. */
  readonly hasBack: boolean;
  mounted(look: AppLook): void;
  look(look: AppLook): void;
  said(text: string): void;
  broke(reason: AppEnding): void;
  /** The person wants the app back in the chat. */
  back(): void;
  /** The tab is gone, and the app with it. */
  closed(): void;
}

/** An open tab. Disposing closes it, and nobody is told. */
export interface AppTab extends Disposable {
  say(text: string): void;
}
