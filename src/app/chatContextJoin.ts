import type { ChatContent } from '../chat/content/chatContent.ts';
import type { Completions } from '../chat/context/argumentForms.ts';
import { ChatContext, type ChatContextOptions } from '../chat/context/chatContext.ts';
import { createEditorContext } from '../editor/context/editorContext.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { listWorkspaceFolders } from '../editor/shared/workspaceFolders.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { noGrants } from '../server/seen/clientGrants.ts';
import type { EditorPort } from '../server/seen/ports/editorPort.ts';
import { createVisibility } from '../server/seen/withheld/visibility.ts';
import { pickFilesToAttach } from '../views/chatContextHandlers.ts';

export interface ChatContextJoinOptions {
  readonly content: ChatContent;
  readonly tools: Pick<ChatContextOptions, 'tools' | 'chooseTool'>;
  readonly registry: HostRegistry;
  readonly editor: () => Promise<EditorPort>;
  readonly lastTextEditor: LastTextEditor;
  /** Folders of the editor's own that no client sees into. */
  readonly neverShown: readonly string[];
}

/** Joins what can be attached to a message: of the editor, and of every running server. */
export function joinChatContext({ content, tools, registry, editor, lastTextEditor, neverShown }: ChatContextJoinOptions): ChatContext {
  // The rules of the embedded server: what they withhold from a client is asked about before it goes to a model.
  const { isShown } = createVisibility({ folders: listWorkspaceFolders, neverShown, grants: noGrants });
  return new ChatContext({
    sources: createEditorContext({ editor, lastTextEditor, isShown }),
    content,
    completions: completionsOf(registry),
    pick: pickFilesToAttach,
    ...tools,
  });
}

/** What servers propose for the arguments of their prompts and templates. */
export function completionsOf(registry: HostRegistry): Completions {
  return { complete: async (serverId, request, signal) => (await registry.features(serverId).complete(request, { signal })).values };
}
