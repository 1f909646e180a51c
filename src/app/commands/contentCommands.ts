import { neverAborted } from '../../base/abort.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { insertIntoLastEditor } from '../../views/insertIntoEditor.ts';
import { openResource } from '../../views/openResource.ts';
import type { PreviewedPrompt } from '../../views/promptPreviews.ts';
import { promptInsertion } from '../../views/promptText.ts';
import { runPrompt } from '../../views/runPrompt.ts';
import { saveResource } from '../../views/saveResource.ts';
import { viewError } from '../../views/sentences/viewErrors.ts';
import { completionsOf } from '../chatContextJoin.ts';
import type { CommandContext } from './commandContext.ts';

type ContentCommand = 'runPrompt' | 'sendPromptToChat' | 'insertPrompt' | 'openResource' | 'saveResourceAs';

/** Prompts and resources of servers, by hand. */
export function contentCommands(context: CommandContext): Pick<CommandHandlers, ContentCommand> {
  const { host, questions, chat, chatView, lastTextEditor, resources, previews } = context;
  const { registry, reader } = host;
  const completions = completionsOf(registry);
  const ports = { registry, reader, ask: questions.askOwn, completions, documents: resources, previews };
  const demandPrompt = (argument: unknown): PreviewedPrompt => {
    const found = previews.promptOf(argument);
    if (found === undefined) {
      throw viewError('views.noPrompt');
    }
    return found;
  };
  return {
    runPrompt: (argument) => runPrompt(ports, argument, neverAborted()),
    sendPromptToChat: async (argument) => {
      const { wish } = demandPrompt(argument);
      await chatView.focus();
      await chat.places.sidebar.context.attachOfServer(wish);
    },
    insertPrompt: (argument) => insertIntoLastEditor(lastTextEditor, promptInsertion(demandPrompt(argument).content)),
    openResource: (argument) => openResource(ports, argument, neverAborted()),
    saveResourceAs: (argument) => saveResource(resources, argument),
  };
}
