import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelInfo } from '../modelProvider.ts';
import { maxModelName, modelLabel } from './modelLabel.ts';

/** What an endpoint says of a model. Gateways in front of the API leave much of it out. */
type ListedModel = { readonly [key in keyof Anthropic.ModelInfo]?: Anthropic.ModelInfo[key] | undefined };

/** None for one without a name that it could be asked for by: a part of a long one would be another's. */
export function toModelInfo(model: ListedModel): ModelInfo | undefined {
  const { id } = model;
  if (typeof id !== 'string' || id === '' || id.length > maxModelName) {
    return undefined;
  }
  const thinking = thinkingOf(model);
  return {
    id,
    label: modelLabel(typeof model.display_name === 'string' && model.display_name !== '' ? model.display_name : id),
    ...(typeof model.max_input_tokens === 'number' ? { contextTokens: model.max_input_tokens } : {}),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** Where nothing is said of it, the older way: it is the one that others than Anthropic know. */
export function thinkingOf({ capabilities }: ListedModel): ModelInfo['thinking'] {
  if (capabilities === undefined || capabilities === null) {
    return 'budgeted';
  }
  const { adaptive, enabled } = capabilities.thinking.types;
  return adaptive.supported ? 'adaptive' : enabled.supported ? 'budgeted' : undefined;
}
