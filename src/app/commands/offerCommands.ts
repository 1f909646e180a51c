import { neverAborted } from '../../base/abort.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { insertIntoLastEditor } from '../../views/chat/workspaceFiles.ts';
import { openResource, saveResource } from '../../views/resources/openResource.ts';
import { promptInsertion } from '../../views/resources/promptText.ts';
import { runPrompt } from '../../views/resources/runPrompt.ts';
import { runTool } from '../../views/runner/runTool.ts';
import { completionsOf } from '../chatPartsJoin.ts';
import type { CommandContext } from './commandContext.ts';

type OfferCommand = 'runTool' | 'runPrompt' | 'sendPromptToChat' | 'insertPrompt' | 'openResource' | 'saveResourceAs';

/** The commands that use tools, prompts and resources of servers by hand. */
export function offerCommands(context: CommandContext): Pick<CommandHandlers, OfferCommand> {
  const { host, questions, chat, chatView, lastTextEditor, resources, previews, byHand } = context;
  const { registry, reader, caller } = host;
  const completions = completionsOf(registry);
  const ports = { registry, reader, ask: questions.askOwn, completions, documents: resources, previews };
  return {
    runTool: (argument) => runTool({ registry, caller, questions, ...byHand }, argument),
    runPrompt: (argument) => runPrompt(ports, argument, neverAborted()),
    sendPromptToChat: async (argument) => {
      const { wish } = previews.requirePrompt(argument);
      await chatView.focus();
      await chat.places.sidebar.context.attachOfServer(wish);
    },
    insertPrompt: (argument) => insertIntoLastEditor(lastTextEditor, promptInsertion(previews.requirePrompt(argument).content)),
    openResource: (argument) => openResource(ports, argument, neverAborted()),
    saveResourceAs: (argument) => saveResource(resources, argument),
  };
}
