import type { ContextRef } from '../../chat/context/contextSources.ts';
import { addToChatTargets, resourceTarget } from '../../views/chat/chatAttachments.ts';
import { askAboutProblem } from '../../views/chat/problems.ts';
import { removeApiKey, setApiKey, useEndpoint, useVscodeModels } from '../../views/models/modelProviders.ts';
import { pickModel } from '../../views/models/modelPick.ts';
import { clearConversations } from '../../views/chat/conversationsPage.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type ChatCommand =
  | 'openChat'
  | 'newConversation'
  | 'openConversationInEditor'
  | 'compactConversation'
  | 'clearConversations'
  | 'addToChat'
  | 'fixWithDuplex'
  | 'explainWithDuplex'
  | 'setApiKey'
  | 'removeApiKey'
  | 'chooseModel'
  | 'useVsCodeModels'
  | 'useEndpoint';

type ModelCommand = 'setApiKey' | 'removeApiKey' | 'chooseModel' | 'useVsCodeModels' | 'useEndpoint';

/** The commands of the chat and of its models. */
export function chatCommands(context: CommandContext): Pick<CommandHandlers, ChatCommand> {
  return { ...conversationCommands(context), ...modelCommands(context) };
}

function conversationCommands({
  chat,
  chatView,
  lastTextEditor,
  resources,
}: CommandContext): Pick<CommandHandlers, Exclude<ChatCommand, ModelCommand>> {
  const asked = {
    draft: (text: string) => chatView.draft(text),
    attach: (refs: readonly ContextRef[]) => chat.places.sidebar.context.attach(refs),
  };
  return {
    openChat: () => chatView.focus(),
    newConversation: async () => {
      await chat.places.showInSidebar(undefined);
      await chatView.focus();
    },
    addToChat: async (...args) => {
      const resource = resourceTarget(args, lastTextEditor.editor, resources);
      if (resource !== undefined) {
        await chatView.focus();
        await chat.places.sidebar.context.attachOfServer(resource);
        return;
      }
      const targets = await addToChatTargets(args, lastTextEditor.editor);
      await chatView.focus();
      await chat.places.sidebar.context.attach(targets);
    },
    fixWithDuplex: (target) => askAboutProblem(target, 'fix', lastTextEditor.editor, asked),
    explainWithDuplex: (target) => askAboutProblem(target, 'explain', lastTextEditor.editor, asked),
    openConversationInEditor: () => chatView.openInEditor(),
    compactConversation: () => chatView.current.session.room.compact(),
    clearConversations: () =>
      clearConversations({
        clear: async (which) => {
          await chatView.closeTabs();
          return chat.places.sidebar.keeper.clear(which);
        },
      }),
  };
}

function modelCommands({ chat, keys, settings }: CommandContext): Pick<CommandHandlers, ModelCommand> {
  const setKey = async (): Promise<boolean> => {
    const isSet = await setApiKey(keys, chat.baseUrl());
    if (isSet) {
      await chat.learnModels();
    }
    return isSet;
  };
  const chooseEndpoint = async (): Promise<void> => {
    if (await useEndpoint(keys, settings)) {
      await chat.learnModels();
    }
  };
  return {
    setApiKey: setKey,
    removeApiKey: () => removeApiKey(keys, chat.baseUrl()),
    chooseModel: () =>
      pickModel({
        ...chat.models,
        settings,
        setKey,
        useEndpoint: chooseEndpoint,
        useVscodeModels: () => useVscodeModels(chat.models.editorModels, settings),
      }),
    useVsCodeModels: () => useVscodeModels(chat.models.editorModels, settings),
    useEndpoint: chooseEndpoint,
  };
}
