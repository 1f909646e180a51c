import type { Disposable } from '../../base/lifecycle.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { AllowedApp, ShownApp } from './appPort.ts';
import type { TabShowing } from './tabShowing.ts';

/** An app that a chat shows, or asks about. */
export interface LiveApp {
  readonly conversation: Conversation;
  readonly itemId: string;
  readonly gone: AbortController;
  app?: AllowedApp;
  /** The showing in the chat. */
  shown?: ShownApp | undefined;
  /** The showing in a tab of the editor, where it is there instead. */
  tab?: TabShowing | undefined;
  /** How often the app itself has changed between the two. */
  changes: number;
  /** How many questions of it are open. */
  asking: number;
  isSeen: boolean;
  hasFocus: boolean;
  /** When it was seen last, or when it came into view. */
  seenAt: number;
  /** The height that it has asked for. */
  height?: number;
  /** Puts it to sleep if it stays out of view. */
  away?: Disposable | undefined;
  /** Whether the app is being told to tidy up. */
  isLeaving: boolean;
}

export function newLiveApp(place: Pick<LiveApp, 'conversation' | 'itemId'>, now: number): LiveApp {
  return { ...place, gone: new AbortController(), changes: 0, asking: 0, isSeen: true, hasFocus: false, seenAt: now, isLeaving: false };
}

/** Whether an app can go to sleep without taking anything from the person: nothing of it is open or under way, and their keys do not go to it. */
export function canRest({ app, tab, asking, hasFocus, isLeaving, shown }: LiveApp): boolean {
  return app !== undefined && tab === undefined && asking === 0 && !hasFocus && !isLeaving && shown?.isBusy !== true;
}

/** The app that was out of view for longest; one that is in view only where all are. Undefined when none can go to sleep. */
export function leastSeen<K>(live: Iterable<readonly [K, LiveApp]>): readonly [K, LiveApp] | undefined {
  const [first] = [...live]
    .filter(([, each]) => canRest(each))
    .sort(([, one], [, other]) => Number(one.isSeen) - Number(other.isSeen) || one.seenAt - other.seenAt);
  return first;
}

/** Ends whatever there is of it, at once. */
export function dropLive({ gone, shown, tab, away }: LiveApp): void {
  gone.abort();
  away?.dispose();
  shown?.dispose();
  tab?.dispose();
}
