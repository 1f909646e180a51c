import { removeApiKey, setApiKey } from '../../views/apiKeyCommands.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type ChatCommand = 'openChat' | 'newConversation' | 'setApiKey' | 'removeApiKey';

/** The chat and the key of its model. */
export function chatCommands({ chat, chatView, keys }: CommandContext): Pick<CommandHandlers, ChatCommand> {
  return {
    openChat: () => chatView.focus(),
    newConversation: async () => {
      await chat.session.newConversation();
      await chatView.focus();
    },
    setApiKey: () => setApiKey(keys),
    removeApiKey: () => removeApiKey(keys),
  };
}
