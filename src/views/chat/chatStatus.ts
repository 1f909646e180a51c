import * as vscode from 'vscode';
import { sentencesOf } from '../../base/errors.ts';
import { type GuideTexts, guideTextTable } from '../../chat/models/guideTexts.ts';
import type { AnsweringModel } from '../../chat/models/answeringModel.ts';
import type { ComposerContext } from '../../contract/chat/attachments.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import { needsPermission, type ServerSnapshot } from '../../host/shared/serverState.ts';
import { say } from '../errorReporter.ts';

/** What the chat shows around the conversation: who answers, with which tools, and how to begin. */
export function chatStatus(
  servers: readonly ServerSnapshot[],
  { kind, label, isFirstRun }: Pick<AnsweringModel, 'kind' | 'label' | 'isFirstRun'>,
): Pick<ChatState, 'provider' | 'isFirstRun' | 'tools' | 'suggestions'> {
  return {
    provider: { kind, label: kind === 'offline' ? say(guideTextTable.label) : label, isAi: kind !== 'offline' },
    isFirstRun,
    tools: servers.map((server) => ({ server: server.label, count: server.tools.length, state: stateOf(server) })),
    suggestions: suggestions(servers, kind),
  };
}

/** Marks those attachments that the model which answers now cannot take. */
export function attachedFor(state: ComposerContext, kind: AnsweringModel['kind']): ComposerContext {
  if (kind === 'anthropic' || !state.attachments.some(({ isPdf }) => isPdf)) {
    return state;
  }
  const problem =
    kind === 'vscode'
      ? vscode.l10n.t('VS Code’s models take no PDFs: this one is only named to the model. Choose an Anthropic model to send it.')
      : vscode.l10n.t('The offline guide reads no PDFs. Choose an Anthropic model to send it.');
  return { ...state, attachments: state.attachments.map((each) => (each.isPdf === true ? { ...each, problem } : each)) };
}

function stateOf(server: ServerSnapshot): ChatState['tools'][number]['state'] {
  return needsPermission(server) ? 'needsPermission' : server.state.kind;
}

/** The messages that an empty chat suggests: at most three, and only what works right now. */
function suggestions(servers: readonly ServerSnapshot[], provider: ChatState['provider']['kind']): ChatState['suggestions'] {
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

/** The texts of the offline guide in the person's language. In Restricted Mode the guide first says how tools come to run. */
export function guideTexts(): GuideTexts {
  const texts = sentencesOf(guideTextTable, say);
  return (key, args) => texts(key === 'noTools' && !vscode.workspace.isTrusted ? 'trustFirst' : key, args);
}
