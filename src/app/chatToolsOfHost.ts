import type { AppError } from '../base/errors.ts';
import { chatError } from '../chat/chatSentences.ts';
import type { ChatToolCall, ChatToolOutcome, ChatTools } from '../chat/chatTools.ts';
import { instructionsOf } from './featuresJoin.ts';
import { needsPermission } from './hostJoin.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { toResultItems } from '../host/resultItems.ts';
import type { ToolCaller, ToolOutcome } from '../host/toolCaller.ts';
import { errorSentence } from '../views/errorSentence.ts';

/** The tools of every running server, for the chat, under the chat's own permissions. */
export function chatToolsOfHost(registry: HostRegistry, caller: ToolCaller): ChatTools {
  // Offered once in this window's life: somebody who said no is not asked again with every message.
  const offered = new Set<string>();
  return {
    list: () => registry.modelTools(),
    instructions: () => instructionsOf(registry),
    prepare: async ({ ask, signal }) => {
      const servers = registry.servers();
      // One that ran in between has changed since, and is offered again.
      servers.filter(({ state }) => state.kind === 'ready').forEach(({ id }) => offered.delete(id));
      const waiting = servers.filter((server) => needsPermission(server) && !offered.has(server.id));
      waiting.forEach(({ id }) => offered.add(id));
      await Promise.all(waiting.map((server) => registry.start(server.id, { ask, signal })));
    },
    call: async (call) => {
      const target = registry.modelTools().find((tool) => tool.name === call.name);
      if (target === undefined) {
        return failed(chatError('chat.toolGone', { name: call.name }));
      }
      return toChatOutcome(await caller.call({ ...forHost(call), principal: 'chat', serverId: target.serverId, tool: target.tool }));
    },
  };
}

function forHost({
  arguments: args,
  ask,
  signal,
  onStart,
  onProgress,
}: ChatToolCall): Omit<Parameters<ToolCaller['call']>[0], 'principal' | 'serverId' | 'tool'> {
  return { arguments: args, ask, signal, onStart, onProgress };
}

function toChatOutcome(outcome: ToolOutcome): ChatToolOutcome {
  switch (outcome.kind) {
    case 'result':
      return { kind: 'result', isError: outcome.result.isError, items: toResultItems(outcome.result) };
    case 'denied':
      return { kind: 'denied', byStoredAnswer: outcome.by === 'ledger' };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'failed':
      return failed(outcome.error);
  }
}

/** The model reads English, the person their own language. */
function failed(error: AppError): ChatToolOutcome {
  return { kind: 'failed', message: error.message, sentence: errorSentence(error) };
}
