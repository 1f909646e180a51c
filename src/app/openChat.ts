import type * as vscode from 'vscode';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { ChatContext } from '../chat/context/chatContext.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { joinChatContext, type ChatContextJoinOptions } from './chatContextJoin.ts';
import { ChatJoin, type ChatJoinOptions } from './chatJoin.ts';
import { openConversations } from './conversationsJoin.ts';
import type { HostJoin } from './hostJoin.ts';
import type { ServerJoin } from './serverJoin.ts';

export interface OpenChatOptions extends Pick<ChatJoinOptions, 'gate' | 'keys' | 'settings' | 'storageFolder' | 'neverShown' | 'log'> {
  readonly server: ServerJoin;
  readonly host: HostJoin;
  readonly lastTextEditor: LastTextEditor;
  readonly memory: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly reporter: ErrorReporter;
}

/** Joins the chat to the window, with all that only the chat needs: nothing of it is loaded before. */
export async function openChat(options: OpenChatOptions, lifetime: DisposableStore): Promise<ChatJoin> {
  const { server, host, lastTextEditor, neverShown } = options;
  const { registry, caller, reader } = host;
  const conversations = await openConversations(options, lifetime);
  const context = (made: Pick<ChatContextJoinOptions, 'content' | 'tools'>): ChatContext =>
    joinChatContext({ ...made, registry, editor: () => server.editor(), lastTextEditor, neverShown });
  return new ChatJoin({ ...options, conversations, registry, caller, reader, context });
}
