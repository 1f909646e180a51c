import type { Event } from '../../base/events.ts';
import type { AuditLog } from '../../consent/audit/auditLog.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { SamplingModel } from '../../contract/sampling.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import type { SamplingBudgets } from './samplingBudget.ts';
import type { FindSecrets } from './samplingQuestion.ts';

/** What servers may ask of this side, and who answers. Without it none of it is offered to a server. */
export interface FeaturePorts {
  /** Where the questions that servers cause are shown, when no call of the chat is what they are about. */
  readonly ask: Ask;
  folders(): readonly WorkspaceFolder[];
  readonly onDidChangeFolders: Event<void>;
  /** Settles when the model and the conversation below are there to be asked: they may have to be loaded. */
  readonly prepareModel?: (() => Promise<void>) | undefined;
  readonly samplingModel: SamplingModel;
  readonly samplingBudgets: SamplingBudgets;
  readonly findSecrets: FindSecrets;
  /** What the tools of one server have returned in the conversation of this window, as text. */
  resultsOf(serverId: string): ServerResults;
  /** Where the use of the model is noted; nowhere without it. */
  readonly audit?: Pick<AuditLog, 'note'> | undefined;
  /** Called only after the person pressed "Open link", with an https (or loopback http) address. */
  openExternal(url: string): Promise<void>;
}

export interface ServerResults {
  readonly count: number;
  readonly text: string;
}
