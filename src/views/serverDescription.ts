import * as vscode from 'vscode';
import type { ServerSnapshot } from '../host/serverState.ts';

export interface ServerDescription {
  readonly icon: string;
  readonly colour?: string;
  /** A few words beside the name. */
  readonly text: string;
  /** "Why is it not running?" in one sentence, and where it stands. */
  readonly sentence: string;
  /** What the person can do with it now; menus look at these words. */
  readonly abilities: readonly ('startable' | 'stoppable' | 'restartable' | 'loggable')[];
}

/** One server's state in words and signs: the same in the tree, in pickers and in the status bar. */
export function describeServer(server: ServerSnapshot): ServerDescription {
  const description = describeState(server);
  const place = server.scope === 'builtIn' ? vscode.l10n.t('Built in.') : vscode.l10n.t('Configured in {0}.', server.location);
  const isBuiltIn = server.scope === 'builtIn';
  return {
    ...description,
    sentence: `${description.sentence} ${place}`,
    abilities: isBuiltIn ? [] : [...description.abilities, 'loggable'],
  };
}

function describeState({ state, tools }: ServerSnapshot): ServerDescription {
  switch (state.kind) {
    case 'ready': {
      const count = tools.length === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', tools.length);
      const about = vscode.l10n.t('Running: {0} {1}, MCP {2}.', state.serverName, state.version, state.protocolVersion);
      return { icon: 'circle-filled', colour: 'charts.green', text: count, sentence: about, abilities: ['stoppable', 'restartable'] };
    }
    case 'starting':
      return { icon: 'loading~spin', text: vscode.l10n.t('starting'), sentence: vscode.l10n.t('Starting.'), abilities: ['stoppable'] };
    case 'failed':
      return {
        icon: 'error',
        colour: 'list.errorForeground',
        text: state.error.message,
        sentence: vscode.l10n.t('Failed: {0}', state.error.message),
        abilities: ['startable'],
      };
    case 'stopped':
      return describeStopped(state.reason);
  }
}

function describeStopped(reason: 'neverStarted' | 'byUser' | 'needsConsent' | 'disabled'): ServerDescription {
  switch (reason) {
    case 'needsConsent':
      return {
        icon: 'shield',
        colour: 'charts.yellow',
        text: vscode.l10n.t('needs permission'),
        sentence: vscode.l10n.t('Not started: it needs your permission. Press Start to see what it would run.'),
        abilities: ['startable'],
      };
    case 'disabled':
      return { icon: 'circle-slash', text: vscode.l10n.t('disabled'), sentence: vscode.l10n.t('Disabled in the settings.'), abilities: [] };
    case 'byUser':
    case 'neverStarted':
      return { icon: 'circle-outline', text: vscode.l10n.t('stopped'), sentence: vscode.l10n.t('Stopped.'), abilities: ['startable'] };
  }
}
