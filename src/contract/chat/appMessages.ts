import * as z from 'zod';

/** The longest message between an app and the extension, in characters, in either direction. */
export const maxAppMessage = 1_000_000;

/** The page that a server gave to a tool, on the card of a call. Its HTML is never part of the conversation. */
export const callApp = z.object({
  /** The address of the page at its server. */
  uri: z.string(),
  /** Under this key the extension has the result as the server sent it, for a while. */
  key: z.string().optional(),
  /** `new`: nobody has shown it yet. `asleep`: it was shown before, and the person can wake it. */
  state: z.enum(['new', 'opening', 'live', 'tab', 'asleep']),
  /** The app can also be shown in a tab of the editor. */
  canBeLarge: z.boolean().optional(),
  /** The height that it had before it went to sleep by itself: its place keeps it, so that nothing moves. */
  height: z.number().int().min(0).max(600).optional(),
  /** Why it is not shown, in one sentence. */
  note: z.string().optional(),
});
export type CallApp = z.infer<typeof callApp>;

/** How the chat looks around an app, and how much room it has. */
const appLook = z.object({
  theme: z.enum(['light', 'dark']),
  variables: z.record(z.string().max(60), z.string().max(300)),
  width: z.number().int().min(0).max(20_000),
  /** The height where it is fixed; without it the app may ask for one. */
  height: z.number().int().min(0).max(20_000).optional(),
  touch: z.boolean(),
  hover: z.boolean(),
  timeZone: z.string().max(60),
});
export type AppLook = z.infer<typeof appLook>;

/** Why the page has ended an app by itself. */
const appEnding = z.enum(['tooLarge', 'tooMany', 'reloaded', 'notLoaded', 'notIsolated']);
export type AppEnding = z.infer<typeof appEnding>;

const partId = z.string().max(200);

/** The messages from the chat's page to the extension host about apps. An app is named by the card of its call. */
export const appToHost = {
  'app/wake': z.object({ partId }),
  'app/close': z.object({ partId }),
  /** Moves the app into a tab of the editor; `app/back` moves it back into the chat. */
  'app/enlarge': z.object({ partId }),
  'app/back': z.object({ partId }),
  /** The page has a place for the app, which begins anew. */
  'app/mounted': z.object({ partId, look: appLook }),
  'app/look': z.object({ partId, look: appLook }),
  /** Whether the person can see the app, and whether their keys go to it. Told when it changes. */
  'app/view': z.object({ partId, isSeen: z.boolean(), hasFocus: z.boolean() }),
  /** What the app said: JSON text of one message. Nothing in it is trusted. */
  'app/said': z.object({ partId, text: z.string().max(maxAppMessage) }),
  'app/broke': z.object({ partId, reason: appEnding }),
} as const;

export const appToView = {
  /** The app's HTML, and the policy that it is shown under. */
  'app/frame': z.object({ partId: z.string(), html: z.string(), policy: z.string() }),
  'app/say': z.object({ partId: z.string(), text: z.string() }),
  'app/size': z.object({ partId: z.string(), height: z.number() }),
} as const;
