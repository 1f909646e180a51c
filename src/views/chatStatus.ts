import * as vscode from 'vscode';
import type { AnsweringModel } from '../chat/answeringModel.ts';
import type { ChatState } from '../contract/chatState.ts';
import { needsPermission, type ServerSnapshot } from '../host/shared/serverState.ts';
import { suggestions } from './chatSuggestions.ts';
import { guideTexts } from './sentences/guideTexts.ts';

/** What the chat shows around the conversation: who answers, with which tools, and how to begin. */
export function chatStatus(
  servers: readonly ServerSnapshot[],
  { kind, label, isFirstRun }: Pick<AnsweringModel, 'kind' | 'label' | 'isFirstRun'>,
): Pick<ChatState, 'provider' | 'isFirstRun' | 'tools' | 'suggestions'> {
  return {
    provider: { kind, label: kind === 'offline' ? guideTexts(vscode.l10n.t).label({}) : label, isAi: kind !== 'offline' },
    isFirstRun,
    tools: servers.map((server) => ({ server: server.label, count: server.tools.length, state: stateOf(server) })),
    suggestions: suggestions(servers, kind),
  };
}

function stateOf(server: ServerSnapshot): ChatState['tools'][number]['state'] {
  return needsPermission(server) ? 'needsPermission' : server.state.kind;
}
