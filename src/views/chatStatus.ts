import * as vscode from 'vscode';
import { firstModelName } from '../chat/answeringModel.ts';
import type { ChatState } from '../contract/chatState.ts';
import { needsPermission, type ServerSnapshot } from '../host/shared/serverState.ts';
import { suggestions } from './chatSuggestions.ts';
import { guideTexts } from './sentences/guideTexts.ts';

/** What the chat shows around the conversation: who answers, with which tools, and how to begin. */
export function chatStatus(
  servers: readonly ServerSnapshot[],
  kind: 'anthropic' | 'offline',
  /** The one the person chose; empty for the provider's own choice. */
  model: string,
): Pick<ChatState, 'provider' | 'tools' | 'suggestions'> {
  const label = kind === 'offline' ? guideTexts(vscode.l10n.t).label({}) : model === '' ? firstModelName : model;
  return {
    provider: { kind, label, isAi: kind !== 'offline' },
    tools: servers.map((server) => ({ server: server.label, count: server.tools.length, state: stateOf(server) })),
    suggestions: suggestions(servers, kind),
  };
}

function stateOf(server: ServerSnapshot): ChatState['tools'][number]['state'] {
  return needsPermission(server) ? 'needsPermission' : server.state.kind;
}
