import { neverAborted } from '../base/abort.ts';
import type { Log } from '../base/log.ts';
import type { SharedText } from '../base/sharedStorage.ts';
import type { LateChat } from '../chat/lateChat.ts';
import type { AuditLog } from '../consent/audit/auditLog.ts';
import type { Ask } from '../consent/consentGate.ts';
import { listDefinitionFolders, onDidChangeFolders } from '../editor/shared/workspaceFolders.ts';
import type { FeaturePorts } from '../host/features/handlerContext.ts';
import { SamplingBudgets } from '../host/features/sampling/samplingBudget.ts';
import { findSecrets } from '../secrets/findSecrets.ts';
import { openExternalLink } from '../views/native/externalLink.ts';
import type { ChatJoin } from './chatJoin.ts';

export interface FeaturesJoinOptions {
  /** Asks the person what servers cause, in the consent panel. */
  readonly ask: Ask;
  /** Looked up at each request, because the chat is made after the host. */
  readonly chat: () => LateChat<ChatJoin>;
  /** What servers have spent of the model. */
  readonly budgets: SharedText;
  readonly audit: AuditLog;
  readonly log: Log;
}

/** Joins what servers may ask of this window to those who answer: the person, the model, the workspace. */
export function joinFeatures({ ask, chat, budgets, audit, log }: FeaturesJoinOptions): FeaturePorts {
  const loaded = (): ChatJoin => {
    const found = chat().made;
    if (found === undefined) {
      throw new Error('The chat was not loaded.');
    }
    return found;
  };
  return {
    ask,
    folders: listDefinitionFolders,
    onDidChangeFolders,
    prepareModel: async () => {
      const { places, models } = await chat().get();
      await Promise.all([places.restored, models.answering.whenKnown(neverAborted())]);
    },
    samplingModel: {
      chooseModel: (wishes) => loaded().samplingModel.chooseModel(wishes),
      complete: (request, signal, onUsage) => loaded().samplingModel.complete(request, signal, onUsage),
    },
    samplingBudgets: new SamplingBudgets({ storage: budgets, log }),
    findSecrets,
    resultsOf: (serverId) => loaded().resultsOf(serverId),
    audit,
    openExternal: openExternalLink,
  };
}
