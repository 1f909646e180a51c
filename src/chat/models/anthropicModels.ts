import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelInfo } from '../modelProvider.ts';
import { maxModelName, modelLabel } from './modelLabel.ts';

/** What an endpoint says of a model. Gateways in front of the API leave much of it out. */
type ListedModel = { readonly [key in keyof Anthropic.ModelInfo]?: Anthropic.ModelInfo[key] | undefined };

/** None for one without a name that it could be asked for by: a part of a long one would be another's. */
export function toModelInfo(listed: ListedModel | null): ModelInfo | undefined {
  const model = typeof listed === 'object' && listed !== null ? listed : {};
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
  const thinking = memberOf(capabilities, 'thinking');
  const types = memberOf(thinking, 'types');
  const isSaid = (type: string): unknown => memberOf(memberOf(types, type), 'supported');
  if (isSaid('adaptive') === true) {
    return 'adaptive';
  }
  const isRuledOut = isSaid('enabled') === false || memberOf(thinking, 'supported') === false;
  return isRuledOut ? undefined : 'budgeted';
}

/** Of what anybody may have written. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
