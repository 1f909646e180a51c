import type { ServerUsage, TurnCost, TurnUsage } from '../../contract/chat/answerParts.ts';
import { cacheShares, estimateTokens, priceOf, pricesAsOf } from '../../contract/chat/modelPrices.ts';
import type { ModelMessage, RequestUsage } from '../models/modelProvider.ts';
import { estimateParts } from './contextUse.ts';

/** Adds the usage of the running request to that of the answer so far. */
export function addUsage(before: TurnUsage | undefined, now: RequestUsage): TurnUsage {
  const cacheReadTokens = (before?.cacheReadTokens ?? 0) + (now.cacheReadTokens ?? 0);
  const cacheWrittenTokens = (before?.cacheWrittenTokens ?? 0) + (now.cacheWrittenTokens ?? 0);
  return {
    inputTokens: (before?.inputTokens ?? 0) + now.inputTokens,
    outputTokens: (before?.outputTokens ?? 0) + now.outputTokens,
    ...(cacheReadTokens === 0 ? {} : { cacheReadTokens }),
    ...(cacheWrittenTokens === 0 ? {} : { cacheWrittenTokens }),
  };
}

/**
 * The cost of one request, in US dollars; some prices depend on its length. Undefined for a model without a known price, or without
 * usage.
 */
export function requestCost(usage: RequestUsage | undefined, model: string): number | undefined {
  const price = usage === undefined ? undefined : priceOf(model, usage.inputTokens);
  if (usage === undefined || price === undefined) {
    return undefined;
  }
  const { inputTokens, outputTokens, cacheReadTokens: read = 0, cacheWrittenTokens: written = 0 } = usage;
  const input = inputTokens - read - written + read * cacheShares.read + written * cacheShares.written;
  return (input * price.input + outputTokens * price.output) / 1_000_000;
}

/** Adds the cost of a request to that of the answer. When one request has no known cost, the answer has none. */
export function addCost(
  before: TurnCost | undefined,
  usage: RequestUsage | undefined,
  { model, messages }: { readonly model: string; readonly messages: readonly ModelMessage[] },
): TurnCost {
  const now = requestCost(usage, model);
  const usd = before === undefined ? now : before.usd === undefined || now === undefined ? undefined : before.usd + now;
  return { model, pricesAsOf, servers: [...serverUsages(messages, model)], ...(usd === undefined ? {} : { usd }) };
}

/** Estimates what each server's tools cost, from what the model wrote to them and read of them. */
function serverUsages(messages: readonly ModelMessage[], model: string): readonly ServerUsage[] {
  const inputs = new Map(
    messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'toolUse' ? [[block.id, block.input] as const] : []))),
  );
  const byServer = new Map<string, { calls: number; read: number; written: number }>();
  for (const block of messages.flatMap(({ content }) => [...content])) {
    if (block.type === 'toolResult' && block.called !== undefined) {
      const sum = byServer.get(block.called.server) ?? { calls: 0, read: 0, written: 0 };
      byServer.set(block.called.server, {
        calls: sum.calls + 1,
        read: sum.read + estimateParts(block.content),
        written: sum.written + estimateTokens([JSON.stringify(inputs.get(block.toolUseId) ?? {})]),
      });
    }
  }
  return [...byServer].map(([server, { calls, read, written }]) => {
    const usd = requestCost({ inputTokens: read, outputTokens: written }, model);
    return { server, calls, tokens: read + written, ...(usd === undefined ? {} : { usd }) };
  });
}
