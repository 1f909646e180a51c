import type { JsonObject } from '../../base/json.ts';
import type { PersonAnswer, Question } from '../questions/questions.ts';

/** How an app can be shown here: in the conversation, or alone in a tab of the editor. */
export type DisplayMode = 'inline' | 'fullscreen';

/** The frame of one showing of an app. */
export interface AppFrame {
  /** How the app is shown in it. */
  readonly mode: DisplayMode;
  send(text: string): void;
  resize(height: number): void;
  /** The app asked to be closed. */
  close(): void;
  /** Called once with the modes in which the app can be shown. */
  declared?(modes: readonly DisplayMode[]): void;
  /** Shows the app in another mode, in a frame of its own, after the app was told. Without it there is no other mode. */
  readonly change?: ((mode: DisplayMode) => void) | undefined;
}

/** An app that is to be shown, and those who hear of what it wants. */
export interface WantedApp {
  readonly serverId: string;
  readonly tool: string;
  /** The address of its page. */
  readonly uri: string;
  /** The call that it shows. The result is as the protocol has it; without one the call was cancelled. */
  readonly call: { readonly arguments: JsonObject; readonly result: JsonObject | undefined };
  /** The conversation that shows it, and the card of the call: there the model is told of the tools that it offers. */
  readonly place?: { readonly conversation: string; readonly card: string } | undefined;
  /** Shows a question to the person. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<PersonAnswer>;
  /** Sends a message in the person's name, who was asked. */
  readonly say?: ((text: string) => void) | undefined;
  /** Attaches a text to the message that the person writes next, in place of the one before. */
  readonly tellModel?: ((text: string) => Promise<void>) | undefined;
  /** The fingerprint of what the person allowed once, when the app was only put to sleep since: for that they are not asked again. */
  readonly allowed?: string | undefined;
  readonly signal: AbortSignal;
}
