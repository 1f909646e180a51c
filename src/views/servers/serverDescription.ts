import * as vscode from 'vscode';
import { isCodeOf } from '../../base/errors.ts';
import { definitionProblemTable } from '../../definitions/definitionProblems.ts';
import type { DefinitionProblem } from '../../definitions/serverDefinition.ts';
import { signInNeededCode } from '../../host/auth/authErrors.ts';
import { takesLogLevel, type BoxInfo, type ServerSnapshot, type ServerState } from '../../host/shared/serverState.ts';
import { errorSentence, say } from '../errorReporter.ts';
import { adviceFor } from './serverAdvice.ts';

export type Ability =
  | 'startable'
  | 'stoppable'
  | 'restartable'
  | 'loggable'
  | 'withLogLevel'
  | 'signedIn'
  | 'openable'
  | 'editable'
  | 'adoptable'
  | 'disableable'
  | 'enableable'
  | 'withInputs'
  | 'wantsHost'
  | 'offerable'
  | 'offered';

/** Whether a server can be offered to connected clients, or is. */
export type OfferState = Extract<Ability, 'offerable' | 'offered'>;

export interface ServerDescription {
  readonly icon: string;
  readonly colour?: string;
  /** A few words that stand beside the name in a list. */
  readonly text: string;
  /** One sentence that says how the server is; when it does not run, why. */
  readonly sentence: string;
  /** What the person can do about a failure, if there is something. */
  readonly advice?: string | undefined;
  /** Further lines: the protocol revision, what the server can do, where it is configured. */
  readonly facts: readonly string[];
  /** What the person can do with the server now. The menus of package.json compare these words. */
  readonly abilities: readonly Ability[];
}

type StateDescription = Omit<ServerDescription, 'facts'>;

/** Describes the state of one server, for the tree, the pickers and the doctor's report alike. */
export function describeServer(server: ServerSnapshot, isSignedIn = false, offer?: OfferState): ServerDescription {
  const description = describeState(server);
  const isBuiltIn = server.scope === 'builtIn';
  const place = isBuiltIn ? vscode.l10n.t('Built in.') : vscode.l10n.t('Configured in {0}.', server.location);
  return {
    ...description,
    text: textWithOffer(server.box === undefined || isBuiltIn ? description.text : textWithBox(description.text, server.box), offer),
    facts: [
      ...factsOf(server.state),
      ...boxFacts(server),
      ...(isSignedIn ? [vscode.l10n.t('You are signed in.')] : []),
      ...offerFacts(offer),
      place,
    ],
    abilities: isBuiltIn
      ? []
      : [
          ...description.abilities,
          'loggable',
          ...(takesLogLevel(server) ? (['withLogLevel'] as const) : []),
          ...(isSignedIn ? (['signedIn'] as const) : []),
          ...((server.box?.wanted.length ?? 0) > 0 ? (['wantsHost'] as const) : []),
          ...changesOf(server),
          ...(offer === undefined ? [] : [offer]),
        ],
  };
}

function textWithOffer(text: string, offer: OfferState | undefined): string {
  return offer === 'offered' ? vscode.l10n.t('{0}, offered', text) : text;
}

function offerFacts(offer: OfferState | undefined): string[] {
  return offer === 'offered' ? [vscode.l10n.t('Connected clients with the role Runner can use it; you are asked about each call.')] : [];
}

/** What can be changed of the definition. Files of other programs are only opened, never written. */
function changesOf({ scope, state, hasInputs }: ServerSnapshot): Ability[] {
  const isDisabled = state.kind === 'stopped' && state.reason === 'disabled';
  return [
    'openable',
    ...(scope === 'discovered' ? (['adoptable'] as const) : (['editable', isDisabled ? 'enableable' : 'disableable'] as const)),
    ...(hasInputs ? (['withInputs'] as const) : []),
  ];
}

function textWithBox(text: string, { wanted }: BoxInfo): string {
  const [first, ...more] = wanted;
  if (first === undefined) {
    return vscode.l10n.t('{0}, confined', text);
  }
  return more.length === 0
    ? vscode.l10n.t('{0}, confined, wanted {1}', text, first)
    : vscode.l10n.t('{0}, confined, wanted {1} and {2} more', text, first, more.length);
}

/** Says how far a confined server reaches. What it could not read or write nobody is told, so an end of it may come from that. */
function boxFacts({ box, state }: ServerSnapshot): string[] {
  if (box === undefined) {
    return [];
  }
  const listed = (texts: readonly string[], none: string): string => (texts.length === 0 ? none : texts.join(', '));
  const { read, write, hosts, wanted } = box;
  const reach = [listed(read, '-'), listed(write, vscode.l10n.t('nothing')), listed(hosts, vscode.l10n.t('no network'))];
  return [
    vscode.l10n.t('Confined. It reads: {0}. It changes: {1}. It reaches: {2}.', ...reach),
    ...(state.kind === 'failed' ? [vscode.l10n.t('It ran confined: what it needs may be outside of its box.')] : []),
    ...(wanted.length === 0 ? [] : [vscode.l10n.t('It wanted to reach {0}, which is not allowed.', wanted.join(', '))]),
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

/**
 * What is wrong with a definition, in the person's language. Names of a repository are in it: make it safe for where it is shown
 * (nativeText).
 */
export function definitionProblemSentence({ code, message, args }: DefinitionProblem): string {
  return isCodeOf(definitionProblemTable, code) ? say(definitionProblemTable[code], args) : message;
}
