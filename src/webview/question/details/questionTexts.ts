import { unreachable } from '../../../base/errors.ts';
import type { Choice, Question, QuestionDetail } from '../../../contract/questions/questions.ts';
import type { SamplingQuestion } from '../../../contract/questions/samplingQuestions.ts';
import type { StartServerQuestion } from '../../../contract/questions/serverQuestions.ts';
import type { Claim } from '../../../contract/questions/rolesAndClaims.ts';
import { plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import { appActEffect, appActTitle, appSource, showAppEffect } from './appDetails.tsx';
import { callEffect, callTitle, clientCallSource, clientGets } from './callTexts.ts';
import { actEffect, actSource, actTitle, doneEffect, ownActSource, ownActTitle } from './clientTexts.ts';
import {
  contentChange,
  contentEffect,
  contentOrigin,
  contentTitle,
  isOfServer,
  seeChange,
  seeEffect,
  seeSource,
  seeTitle,
} from './sendContentTexts.ts';

/** The title of a question, a full sentence. With "Permission: " before it, it is the accessible name of the card. */
export function questionTitle({ detail }: Question): string {
  switch (detail.kind) {
    case 'startServer':
      return t('Start the server “{0}”?', wholeText(detail.server));
    case 'callTool':
      return callTitle(detail);
    case 'connectClient':
      return t('A program that calls itself “{0}” wants to see this editor', wholeText(detail.callsItself));
    case 'clientAct':
      return actTitle(detail);
    case 'ownAct':
      return ownActTitle(detail);
    case 'roots':
      return t('The server “{0}” wants to know the folders of this workspace', wholeText(detail.server));
    case 'sampling':
      return t('The server “{0}” wants to use your language model', wholeText(detail.server));
    case 'samplingResponse':
      return t('Return the model’s answer to the server “{0}”?', wholeText(detail.server));
    case 'elicitation':
      return detail.request.mode === 'form'
        ? t('The server “{0}” asks you for information', wholeText(detail.server))
        : t('The server “{0}” asks you to open a link', wholeText(detail.server));
    case 'signIn':
      return t('Sign in to the server “{0}” at {1}?', wholeText(detail.server), wholeText(detail.issuer));
    case 'sendConversation':
      return t('Send this conversation to {0}?', wholeText(detail.destination));
    case 'seeEditor':
      return seeTitle(detail);
    case 'sendContent':
      return contentTitle(detail);
    case 'showApp':
      return t('Show the app of “{0}” from the server “{1}”?', wholeText(detail.tool), wholeText(detail.server));
    case 'appAct':
      return appActTitle(detail);
    default:
      return unreachable(detail);
  }
}

/** Says in one line what a server claims about its own tool, which proves nothing. */
export function claimsLine(claims: readonly Claim[]): string {
  const words: Readonly<Record<Claim, string>> = {
    readOnly: t('read-only'),
    changesThings: t('makes changes'),
    destructive: t('may destroy or overwrite'),
    notDestructive: t('destroys nothing'),
    repeatable: t('may be repeated without further effect'),
    openWorld: t('reaches the network'),
    closedWorld: t('does not reach the network'),
  };
  return t('The server claims: {0}', claims.map((claim) => words[claim]).join(', '));
}

/** Says how many tools stay refused when all tools of a server are allowed. */
export function refusedNote(refused: number): string {
  return plural(
    refused,
    () => t('1 more tool is refused and stays refused.'),
    (count) => t('{0} more tools are refused and stay refused.', count),
  );
}

export function questionName(question: Question): string {
  return t('Permission: {0}', questionTitle(question));
}

/** The accessible name of one of several calls on a card. */
export function rowName(question: Question): string {
  const { detail } = question;
  return detail.kind === 'callTool' ? t('Permission: {0} {1}', wholeText(detail.server), wholeText(detail.tool)) : questionName(question);
}

/** The accessible name of a card with several calls. */
export function togetherName(count: number): string {
  return t('Permission: {0}', countedCalls(count));
}

export function countedCalls(count: number): string {
  return plural(
    count,
    () => t('1 call'),
    (many) => t('{0} calls', many),
  );
}

/** Says what happens if the answer is yes: the first thing below the title. */
export function whatHappens({ detail, choices }: Question): string {
  switch (detail.kind) {
    case 'startServer':
      return startEffect(detail);
    case 'callTool':
      return callEffect(detail);
    case 'connectClient':
      return t('It will see files, problems and test results of this window, and can do more only in the role you choose.');
    case 'clientAct':
      return actEffect(detail, choices.includes('allowSession'));
    case 'ownAct':
      return doneEffect(detail.what, choices.includes('allowSession'));
    case 'roots':
      return t('It will be told the folders below, and may take them as the place to work in.');
    case 'sampling':
      return detail.context === undefined
        ? t(
            'What is below goes to the model at your cost. You see its answer before the server does. Nothing of your conversation is added.',
          )
        : t(
            'What is below goes to the model at your cost. You see its answer before the server does. Nothing of your conversation is added unless you tick it below.',
          );
    case 'samplingResponse':
      return t('The server gets what is below, as you leave it. With Deny it is told that you refused.');
    case 'elicitation':
      return detail.request.mode === 'form'
        ? t('What you fill in goes to this server, and to nobody else.')
        : t('The link opens in your browser. Duplex does not see what you enter there.');
    case 'signIn':
      return detail.secret === undefined
        ? t('You have signed in elsewhere before. Your browser opens a page of this address, which may ask who you are.')
        : t('Your client secret goes to the addresses below. Whoever has it can act as your client.');
    case 'sendConversation':
      return t('What is listed below would go there with your message. A new conversation sends your message alone.');
    case 'seeEditor':
      return seeEffect(detail);
    case 'sendContent':
      return contentEffect(detail);
    case 'showApp':
      return showAppEffect(detail);
    case 'appAct':
      return appActEffect(detail);
    default:
      return unreachable(detail);
  }
}

/** What an outside program gets by a yes, of a server that is not the editor's own. */
export function whatPasses({ detail }: Question): string | undefined {
  return detail.kind === 'callTool' && detail.asker.kind === 'client' ? clientGets(detail) : undefined;
}

export function whoAsks({ detail, clients = [], unsure }: Question, from: 'chat' | 'panel'): string {
  const source = sourceOf(detail, from);
  return clients.length === 0 ? source : `${source} ${causeOf(clients.map((name) => t('“{0}”', wholeText(name))).join(', '), unsure)}`;
}

/** Most servers do not say for which call they ask something. What is not known is not guessed. */
function causeOf(names: string, unsure: Question['unsure']): string {
  switch (unsure) {
    case undefined:
      return t('A program outside of this editor causes this: {0}.', names);
    case 'client':
      return t('One of several programs outside of this editor causes this; which one is not known: {0}.', names);
    case 'editor':
      return t('It is not known what causes this: this editor uses the server now, and so do programs outside of it: {0}.', names);
  }
}

function sourceOf(detail: QuestionDetail, from: 'chat' | 'panel'): string {
  switch (detail.kind) {
    case 'startServer':
      return t('Configured in {0}.', wholeText(detail.configuredIn));
    case 'callTool':
      if (detail.asker.kind === 'client') {
        return clientCallSource(detail, detail.asker.credentialId);
      }
      return from === 'chat'
        ? t('Asked for in this conversation; the server “{0}” carries it out.', wholeText(detail.server))
        : t('The server “{0}” carries it out.', wholeText(detail.server));
    case 'connectClient':
      return t('The name is the program’s own claim. Duplex recognises it only by its credential.');
    case 'clientAct':
      return actSource(detail);
    case 'ownAct':
      return ownActSource(detail);
    case 'sampling':
      return samplingSource(detail);
    case 'samplingResponse':
      return t('The answer to the request that you sent to {0}.', wholeText(detail.model));
    case 'roots':
    case 'elicitation':
      return t('The server “{0}” asks for this.', wholeText(detail.server));
    case 'signIn':
      return t('The server “{0}” names this authorization server; your settings do not.', wholeText(detail.server));
    case 'sendConversation':
      return t('Another model answers now; this was said to somebody else, or to the offline guide.');
    case 'seeEditor':
      return seeSource();
    case 'sendContent':
      return contentOrigin(detail);
    case 'showApp':
    case 'appAct':
      return appSource(detail);
    default:
      return unreachable(detail);
  }
}

export function changeNote(question: Question): string {
  const { detail, differences } = question;
  if (differences.length > 0 && differences.every(isOfServer)) {
    return t('The definition of the server has changed since you last allowed it.');
  }
  switch (detail.kind) {
    case 'startServer':
      return t('The definition has changed since you last allowed it.');
    case 'callTool':
      return t('The server has changed this tool since you last allowed it.');
    case 'clientAct':
    case 'ownAct':
      return t('It has changed since you allowed it for this session.');
    case 'sampling':
      return t('The model or the longest answer is another one than you allowed.');
    case 'connectClient':
    case 'samplingResponse':
    case 'elicitation':
    case 'sendConversation':
    case 'appAct':
      return t('Something has changed since you last allowed it.');
    case 'roots':
      return t('The folders have changed since you last allowed it.');
    case 'signIn':
      return t('The server names another authorization server than the one you allowed.');
    case 'seeEditor':
      return seeChange(question);
    case 'sendContent':
      return contentChange(question);
    case 'showApp':
      return t('The page or what it may reach is another one than you allowed.');
    default:
      return unreachable(detail);
  }
}

/** Says during which tool calls a server asks for the model: most transports do not tell which call it is for. */
function samplingSource({ server, during, app }: SamplingQuestion): string {
  if (app !== undefined) {
    return t('The app of “{0}” from the server “{1}” asks for this.', wholeText(app), wholeText(server));
  }
  const tools = during.map((tool) => t('“{0}”', wholeText(tool))).join(', ');
  return during.length === 0
    ? t('The server “{0}” asks for this by itself: nothing that you asked of it is under way.', wholeText(server))
    : t('The server “{0}” asks for this while it works on {1}.', wholeText(server), tools);
}

function startEffect({ fields, box }: StartServerQuestion): string {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  if (has('command')) {
    return box !== undefined && box.obstacle === undefined
      ? t('A program will run on this machine, confined or with all your rights, as you choose below.')
      : t('A program will run on this machine with your rights.');
  }
  return has('url')
    ? t('Duplex will connect to the address below and send it what is listed here.')
    : t('Duplex will start and connect to this server.');
}

/** Says how long the answers of a start question hold. */
export function startHolds({ holdsIn }: StartServerQuestion): string {
  return holdsIn === 'workspace'
    ? t('“Allow” holds in this workspace until something listed here changes, “Allow for this session” until this window closes.')
    : t('“Allow” holds in every window until something listed here changes, “Allow for this session” until this window closes.');
}

export function choiceLabel(choice: Choice): string {
  const labels: Readonly<Record<Choice, string>> = {
    allow: t('Allow'),
    allowOnce: t('Allow once'),
    allowSession: t('Allow for this session'),
    allowWorkspace: t('Allow in this workspace'),
    allowAlways: t('Always allow'),
    allowWhen: t('Allow when…'),
    raiseRole: t('Raise role for this session'),
    saveAndRun: t('Save all and run'),
    deny: t('Deny'),
    denyAlways: t('Always deny'),
    cancel: t('Cancel'),
    newConversation: t('New conversation'),
  };
  return labels[choice];
}

/** The label of a button: some questions have words of their own for yes and no. */
export function buttonLabel(choice: Choice, detail: QuestionDetail): string {
  if (choice === 'allowOnce' && (detail.kind === 'sampling' || detail.kind === 'samplingResponse')) {
    return detail.kind === 'sampling' ? t('Send request') : t('Return response');
  }
  if (detail.kind === 'elicitation' && choice === 'allowOnce') {
    return detail.request.mode === 'form' ? t('Submit') : t('Open link');
  }
  return detail.kind === 'elicitation' && choice === 'deny' ? t('Decline') : choiceLabel(choice);
}

/** The answers that have a button of their own. How long a request for the model is allowed is chosen by radio buttons instead. */
export function buttonChoices({ detail, choices }: Question): readonly Choice[] {
  return detail.kind === 'sampling' ? choices.filter((choice) => choice !== 'allowSession' && choice !== 'allowWorkspace') : choices;
}

export function isAllowing(choice: Choice): boolean {
  return choice !== 'deny' && choice !== 'denyAlways' && choice !== 'cancel' && choice !== 'newConversation';
}

/** Whether a choice is the one that most people want: the least far-reaching yes, unless another answer gives away less, or runs what they see. */
export function isPrimary(choice: Choice, choices: readonly Choice[]): boolean {
  const best = (['newConversation', 'saveAndRun', 'allow'] as const).find((each) => choices.includes(each));
  return choice === (best ?? choices.find(isAllowing));
}

export interface ChoiceRows {
  /** The buttons of the answers that give nothing away. They come first. */
  readonly safe: readonly Choice[];
  /** The buttons of the answers that allow something, the least far-reaching first. */
  readonly yes: readonly Choice[];
  /** The answers that reach further: the items of the menu "More". */
  readonly more: readonly Choice[];
}

const byReach: readonly Choice[] = ['allowOnce', 'saveAndRun', 'allowSession', 'allow', 'raiseRole', 'allowWorkspace', 'allowAlways'];
const wide: readonly Choice[] = ['allowWorkspace', 'allowAlways'];

export function arrangeChoices(choices: readonly Choice[]): ChoiceRows {
  const offered = byReach.filter((choice) => choices.includes(choice));
  const near = offered.filter((choice) => !wide.includes(choice));
  // Where there is but one yes, nobody has to look for it.
  const yes = near.length > 0 ? near : offered.slice(0, 1);
  const refusing = (['newConversation', 'deny', 'cancel'] as const).filter((choice) => choices.includes(choice));
  const denyAlways = choices.filter((choice) => choice === 'denyAlways');
  const rest = offered.filter((choice) => !yes.includes(choice));
  return refusing.length > 0 ? { safe: refusing, yes, more: [...rest, ...denyAlways] } : { safe: denyAlways, yes, more: rest };
}
