import type { Event } from '../../base/events.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';

/** What servers may ask of this side, and who answers. Without it none of it is offered to a server. */
export interface FeaturePorts {
  /** Where the questions that servers cause are shown, when no call of the chat is what they are about. */
  readonly ask: Ask;
  folders(): readonly WorkspaceFolder[];
  readonly onDidChangeFolders: Event<void>;
  readonly samplingModel: SamplingModel;
  /** Called only after the person pressed "Open link", with an https (or loopback http) address. */
  openExternal(url: string): Promise<void>;
}

/** A language model that answers a server's request, once the person agreed. */
export interface SamplingModel {
  /**
   * Which model would answer, found out without a request: the person has not agreed to any yet. '' for the provider's first,
   * where only the provider knows which that is. Throws an AppError when none can answer.
   */
  chooseModel(hints: readonly string[]): string;
  /** Throws an AppError, or an AbortError when `signal` fired. */
  complete(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
}

export interface SamplingRequest {
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
}

export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface SamplingAnswer {
  readonly model: string;
  readonly text: string;
  readonly stopReason: 'endTurn' | 'maxTokens';
}
