import * as vscode from 'vscode';
import type { ChatState } from '../contract/chatState.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';

/** What an empty chat offers to begin with: at most three, and only what works right now. */
export function suggestions(servers: readonly ServerSnapshot[], provider: ChatState['provider']['kind']): ChatState['suggestions'] {
  const hasEditor = servers.some((server) => server.scope === 'builtIn' && server.tools.length > 0);
  if (provider !== 'offline') {
    return [
      {
        id: 'explain',
        label: vscode.l10n.t('What can you do here?'),
        text: vscode.l10n.t('What can you do in this workspace, and with which tools?'),
      },
      ...(hasEditor
        ? [{ id: 'problems', label: vscode.l10n.t('Look at the problems'), text: vscode.l10n.t('Which errors does this workspace have?') }]
        : []),
    ];
  }
  return [
    { id: 'tour', label: vscode.l10n.t('Show me around'), text: vscode.l10n.t('help') },
    { id: 'tools', label: vscode.l10n.t('List the tools'), text: vscode.l10n.t('tools') },
    ...(hasEditor
      ? [{ id: 'problems', label: vscode.l10n.t('Look at the problems'), text: 'run editor get_diagnostics with {"severity": "error"}' }]
      : []),
  ];
}
