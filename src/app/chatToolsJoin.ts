import type { AppError } from '../base/errors.ts';
import { chatError } from '../chat/chatSentences.ts';
import type { ChatToolOutcome, ChatTools } from '../chat/chatTools.ts';
import { editorServerName } from '../contract/identity.ts';
import type { Asker } from '../contract/questions/asker.ts';
import { builtInId } from '../definitions/serverIds.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { toResultItems } from '../host/resultItems.ts';
import { instructionsOf } from '../host/serverInstructions.ts';
import { StartOffers } from '../host/startOffers.ts';
import type { ToolCaller, ToolOutcome } from '../host/toolCaller.ts';
import { errorSentence } from '../views/errorSentence.ts';

/** Joins the tools of every running server to the chat, under the chat's own permissions. */
export function joinChatTools(registry: HostRegistry, caller: ToolCaller, asker: () => Asker): ChatTools {
  const offers = new StartOffers(registry);
  return {
    list: () => registry.modelTools(),
    instructions: () => instructionsOf(registry.servers()),
    prepare: (options) => offers.offer(options),
    call: async ({ name, ...call }) => {
      const target = registry.toolNamed(name);
      if (target === undefined) {
        return failed(chatError('chat.toolGone', { name }));
      }
      const outcome = await caller.call({ ...call, ...target, principal: 'chat', asker: asker() });
      return toChatOutcome(outcome, target.serverId === editorServerId);
    },
  };
}

/** What it answers it says in words for models. */
const editorServerId = builtInId(editorServerName);

function toChatOutcome(outcome: ToolOutcome, isTextWhole: boolean): ChatToolOutcome {
  switch (outcome.kind) {
    case 'result':
      return { kind: 'result', isError: outcome.result.isError, items: toResultItems(outcome.result, isTextWhole) };
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
