import * as path from 'node:path';
import { atMost } from '../base/abort.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { TextInMemory, type SharedText } from '../base/sharedText.ts';
import type { LateChat } from '../chat/lateChat.ts';
import type { AuditLog } from '../consent/audit/auditLog.ts';
import type { Ask } from '../consent/consentGate.ts';
import { listDefinitionFolders, onDidChangeFolders } from '../editor/shared/workspaceFolders.ts';
import type { FeaturePorts } from '../host/features/featurePorts.ts';
import { SamplingBudgets } from '../host/features/samplingBudget.ts';
import { SharedFile } from '../platform/sharedFile.ts';
import { findSecrets } from '../server/seen/withheld/findSecrets.ts';
import { openExternalLink } from '../views/externalLink.ts';
import type { ChatJoin } from './chatJoin.ts';

/** VS Code may wait for an extension whose models it lists. */
const modelsMs = 3_000;

export interface FeaturesJoinOptions {
  /** Where the questions that servers cause are shown: the consent panel. */
  readonly ask: Ask;
  /** Looked up at each request: the chat is made after the host it uses. */
  readonly chat: () => LateChat<ChatJoin>;
  /** What servers have spent of the model. */
  readonly budgets: SharedText;
  readonly audit: AuditLog;
  readonly log: Log;
}

/** Joins what servers may ask of this window to who answers it. Made before the registry and given to it as `features`. */
export function joinFeatures({ ask, chat, budgets, audit, log }: FeaturesJoinOptions): FeaturePorts {
  const loaded = (): ChatJoin => {
    const found = chat().loaded;
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
      const { places, modelsListed } = await chat().load();
      await Promise.all([places.restored, atMost(modelsListed, modelsMs)]);
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

/** Without a place to keep it, each window counts for itself. */
export async function openBudgets(storageFolder: string, log: Log, lifetime: DisposableStore): Promise<SharedText> {
  try {
    return lifetime.add(await SharedFile.open(path.join(storageFolder, 'samplingBudgets.json'), log));
  } catch (error) {
    log.error('What servers spend of the model is counted for this window alone.', error);
    return new TextInMemory();
  }
}
