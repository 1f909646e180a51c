import { removeApiKey, setApiKey } from '../../views/apiKeyCommands.ts';
import { useEndpoint } from '../../views/endpointCommands.ts';
import { pickModel } from '../../views/modelPick.ts';
import { useVscodeModels } from '../../views/vscodeModelsCommand.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type ChatCommand = 'openChat' | 'newConversation' | 'setApiKey' | 'removeApiKey' | 'chooseModel' | 'useVsCodeModels' | 'useEndpoint';

/** The chat and the key of its model. */
export function chatCommands({ chat, chatView, keys, settings }: CommandContext): Pick<CommandHandlers, ChatCommand> {
  return {
    openChat: () => chatView.focus(),
    newConversation: async () => {
      await chat.session.newConversation();
      await chatView.focus();
    },
    setApiKey: () => setApiKey(keys, chat.baseUrl()),
    removeApiKey: () => removeApiKey(keys, chat.baseUrl()),
    chooseModel: () =>
      pickModel({
        ...chat.models,
        settings,
        setKey: () => setApiKey(keys, chat.baseUrl()),
        useEndpoint: () => useEndpoint(keys, settings),
        useVscodeModels: () => useVscodeModels(chat.models.editorModels, settings),
      }),
    useVsCodeModels: () => useVscodeModels(chat.models.editorModels, settings),
    useEndpoint: () => useEndpoint(keys, settings),
  };
}
