import { removeApiKey, setApiKey } from '../../views/apiKeyCommands.ts';
import { clearConversations } from '../../views/conversationNotices.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type ChatCommand = 'openChat' | 'newConversation' | 'openConversationInEditor' | 'clearConversations' | 'setApiKey' | 'removeApiKey';

/** The chat and the key of its model. */
export function chatCommands({ chat, chatView, keys }: CommandContext): Pick<CommandHandlers, ChatCommand> {
  return {
    openChat: () => chatView.focus(),
    newConversation: async () => {
      await chat.session.newConversation();
      await chatView.focus();
    },
    openConversationInEditor: () => chatView.openInEditor(),
    clearConversations: () => clearConversations(chat.keeper),
    setApiKey: () => setApiKey(keys),
    removeApiKey: () => removeApiKey(keys),
  };
}
