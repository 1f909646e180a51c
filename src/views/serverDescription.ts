import * as vscode from 'vscode';
import { signInNeededCode } from '../host/auth/authErrors.ts';
import type { ServerSnapshot, ServerState } from '../host/shared/serverState.ts';
import { errorSentence } from './errorSentence.ts';
import { adviceFor } from './serverAdvice.ts';

export type Ability =
  | 'startable'
  | 'stoppable'
  | 'restartable'
  | 'loggable'
  | 'signedIn'
  | 'openable'
  | 'editable'
  | 'disableable'
  | 'enableable'
  | 'withInputs';

export interface ServerDescription {
  readonly icon: string;
  readonly colour?: string;
  /** A few words beside the name. */
  readonly text: string;
  /** "Why is it not running?" in one sentence. */
  readonly sentence: string;
  /** What the person can do about it, if there is something. */
  readonly advice?: string | undefined;
  /** Further lines: what it is, what it can do, where it stands. */
  readonly facts: readonly string[];
  /** What the person can do with it now; menus look at these words. */
  readonly abilities: readonly Ability[];
}

type StateDescription = Omit<ServerDescription, 'facts'>;

/** One server's state in words and signs: the same in the tree, in pickers, in the status bar and in the doctor's report. */
export function describeServer(server: ServerSnapshot, isSignedIn = false): ServerDescription {
  const description = describeState(server);
  const isBuiltIn = server.scope === 'builtIn';
  const place = isBuiltIn ? vscode.l10n.t('Built in.') : vscode.l10n.t('Configured in {0}.', server.location);
  return {
    ...description,
    facts: [...factsOf(server.state), ...(isSignedIn ? [vscode.l10n.t('You are signed in.')] : []), place],
    abilities: isBuiltIn
      ? []
      : [...description.abilities, 'loggable', ...(isSignedIn ? (['signedIn'] as const) : []), ...changesOf(server)],
  };
}

/** Files of other programs are theirs: they are opened, not written. */
function changesOf({ scope, state, hasInputs }: ServerSnapshot): Ability[] {
  const isDisabled = state.kind === 'stopped' && state.reason === 'disabled';
  return [
    'openable',
    ...(scope === 'discovered' ? [] : (['editable', isDisabled ? 'enableable' : 'disableable'] as const)),
    ...(hasInputs ? (['withInputs'] as const) : []),
  ];
}

function factsOf(state: ServerState): string[] {
  if (state.kind !== 'ready') {
    return [];
  }
  const offers = state.capabilities.length === 0 ? vscode.l10n.t('nothing') : state.capabilities.join(', ');
  return [vscode.l10n.t('Protocol revision {0}.', state.protocolVersion), vscode.l10n.t('Capabilities: {0}.', offers)];
}

function describeState(server: ServerSnapshot): StateDescription {
  const { state } = server;
  switch (state.kind) {
    case 'ready': {
      const sentence = vscode.l10n.t('Running: {0} {1}.', state.serverName, state.version);
      const abilities = ['stoppable', 'restartable'] as const;
      return { icon: 'circle-filled', colour: 'charts.green', text: countsOf(server), sentence, abilities };
    }
    case 'starting': {
      const text = state.attempt > 1 ? vscode.l10n.t('starting, attempt {0}', state.attempt) : vscode.l10n.t('starting');
      return { icon: 'loading~spin', text, sentence: vscode.l10n.t('Starting.'), abilities: ['stoppable'] };
    }
    case 'failed':
      return describeFailed(state);
    case 'stopped':
      return describeStopped(state.reason);
  }
}

function countsOf({ tools, prompts, resources, templates }: ServerSnapshot): string {
  const toolCount = tools.length === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', tools.length);
  const parts = [
    ...(tools.length > 0 || prompts.length + resources.length + templates.length === 0 ? [toolCount] : []),
    ...(prompts.length > 0 ? [prompts.length === 1 ? vscode.l10n.t('1 prompt') : vscode.l10n.t('{0} prompts', prompts.length)] : []),
    ...(resources.length > 0
      ? [resources.length === 1 ? vscode.l10n.t('1 resource') : vscode.l10n.t('{0} resources', resources.length)]
      : []),
  ];
  return parts.join(', ');
}

function describeFailed({ error, retryAt }: ServerState & { kind: 'failed' }): StateDescription {
  const advice = adviceFor(error);
  if (error.code === signInNeededCode) {
    return {
      icon: 'account',
      colour: 'charts.yellow',
      text: vscode.l10n.t('needs sign-in'),
      sentence: vscode.l10n.t('Not connected: it wants you to sign in.'),
      advice,
      abilities: ['startable'],
    };
  }
  const reason = errorSentence(error);
  const sentence = vscode.l10n.t('Failed: {0}', reason);
  const common = { icon: 'error', colour: 'list.errorForeground', advice } as const;
  if (retryAt === undefined) {
    return { ...common, text: reason, sentence, abilities: ['startable'] };
  }
  const time = timeOf(retryAt);
  return {
    ...common,
    icon: 'warning',
    colour: 'list.warningForeground',
    text: vscode.l10n.t('next try at {0}: {1}', time, reason),
    sentence: `${sentence} ${vscode.l10n.t('It is tried again at {0}.', time)}`,
    abilities: ['startable', 'stoppable'],
  };
}

function timeOf(moment: number): string {
  return new Date(moment).toLocaleTimeString(vscode.env.language, { hour12: false });
}

function describeStopped(reason: (ServerState & { kind: 'stopped' })['reason']): StateDescription {
  switch (reason) {
    case 'needsConsent':
      return {
        icon: 'shield',
        colour: 'charts.yellow',
        text: vscode.l10n.t('needs permission'),
        sentence: vscode.l10n.t('Not started: it needs your permission.'),
        advice: vscode.l10n.t('Press Start to see what it would run, and allow it.'),
        abilities: ['startable'],
      };
    case 'disabled':
      return {
        icon: 'circle-slash',
        text: vscode.l10n.t('disabled'),
        sentence: vscode.l10n.t('Not started: it is disabled in the settings.'),
        advice: vscode.l10n.t('Enable it in its menu, or remove “disabled” from its definition.'),
        abilities: [],
      };
    case 'thisEditor':
      return {
        icon: 'home',
        text: vscode.l10n.t('this editor'),
        sentence: vscode.l10n.t('Not connected: it is this editor itself.'),
        advice: vscode.l10n.t('The chat reaches it as “editor”, without a configuration.'),
        abilities: [],
      };
    case 'byUser':
      return {
        icon: 'circle-outline',
        text: vscode.l10n.t('stopped'),
        sentence: vscode.l10n.t('Not running: you stopped it.'),
        abilities: ['startable'],
      };
    case 'neverStarted':
      return {
        icon: 'circle-outline',
        text: vscode.l10n.t('stopped'),
        sentence: vscode.l10n.t('Not running: nothing has started it yet.'),
        abilities: ['startable'],
      };
  }
}
