import { createSamplingModel, type SamplingOptions } from '../chat/sampling.ts';
import type { Ask } from '../consent/consentGate.ts';
import { listDefinitionFolders, onDidChangeFolders } from '../editor/shared/workspaceFolders.ts';
import type { FeaturePorts } from '../host/features/featurePorts.ts';
import { openExternalLink } from '../views/externalLink.ts';

export interface FeaturesJoinOptions extends SamplingOptions {
  /** Where the questions that servers cause are shown: the consent panel. */
  readonly ask: Ask;
}

/**
 * Joins what servers may ask of this window to who answers it. Made before the registry and given to it as `features`; the
 * chat comes later, so `provider` is looked up at each request.
 */
export function joinFeatures({ ask, provider }: FeaturesJoinOptions): FeaturePorts {
  return {
    ask,
    folders: listDefinitionFolders,
    onDidChangeFolders,
    samplingModel: createSamplingModel({ provider }),
    openExternal: openExternalLink,
  };
}
