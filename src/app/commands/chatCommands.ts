import {
  addToChatTargets,
  isProblem,
  problemAtCursor,
  problemDraft,
  problemRefs,
  type ProblemWish,
  resourceTarget,
  sayNoProblem,
} from '../../views/chat/chatAttachments.ts';
import { askAboutProblem } from '../../views/chat/askAboutProblem.ts';
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

/** The chat and the key of its model. */
export function chatCommands(context: CommandContext): Pick<CommandHandlers, ChatCommand> {
  return { ...conversationCommands(context), ...modelCommands(context) };
}

function conversationCommands({
  chat,
  chatView,
  lastTextEditor,
  resources,
}: CommandContext): Pick<CommandHandlers, Exclude<ChatCommand, ModelCommand>> {
  const askAbout = async (argument: unknown, wish: ProblemWish): Promise<void> => {
    const target = isProblem(argument) ? argument : problemAtCursor(lastTextEditor.editor);
    await askAboutProblem(target, {
      draft: () => chatView.draft(problemDraft(wish)),
      attach: async (problem) => chat.places.sidebar.context.attach(await problemRefs(problem)),
      sayNone: sayNoProblem,
    });
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
    fixWithDuplex: (target) => askAbout(target, 'fix'),
    explainWithDuplex: (target) => askAbout(target, 'explain'),
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
  return {
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
