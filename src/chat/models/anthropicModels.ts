import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelInfo } from '../modelProvider.ts';

/** What an endpoint says of a model. Gateways in front of the API leave much of it out. */
type ListedModel = Pick<Anthropic.ModelInfo, 'id'> & Partial<Anthropic.ModelInfo>;

export function toModelInfo(model: ListedModel): ModelInfo {
  const thinking = thinkingOf(model);
  return {
    id: model.id,
    label: typeof model.display_name === 'string' && model.display_name !== '' ? model.display_name : model.id,
    ...(typeof model.max_input_tokens === 'number' ? { contextTokens: model.max_input_tokens } : {}),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** Where nothing is said of it, the older way: it is the one that others than Anthropic know. */
function thinkingOf({ capabilities }: ListedModel): ModelInfo['thinking'] {
  if (capabilities === undefined || capabilities === null) {
    return 'budgeted';
  }
  const { adaptive, enabled } = capabilities.thinking.types;
  return adaptive.supported ? 'adaptive' : enabled.supported ? 'budgeted' : undefined;
}
