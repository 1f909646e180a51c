import { unreachable } from '../../../base/errors.ts';
import type { Question } from '../../../contract/questions/questions.ts';
import type { CallToolQuestion } from '../../../contract/questions/toolQuestions.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';

/** The title of a question about a tool call. It starts with who asked: the server only carries it out. */
export function callTitle({ asker, server, tool, reads, isPrompt, isOfApp }: CallToolQuestion): string {
  const [toolName, serverName] = [wholeText(tool), wholeText(server)];
  if (reads !== undefined) {
    return t('{0} wants to read at the server “{1}”', readerName(asker), serverName);
  }
  if (isPrompt === true) {
    return t('{0} wants the prompt “{1}” of the server “{2}”', readerName(asker), toolName, serverName);
  }
  if (isOfApp === true) {
    return t('{0} wants to run “{1}” in the app of the server “{2}”', readerName(asker), toolName, serverName);
  }
  switch (asker.kind) {
    case 'model':
      return t('{0} wants to run “{1}” of the server “{2}”', wholeText(asker.name), toolName, serverName);
    case 'guide':
      return t('The offline guide wants to run “{0}” of the server “{1}”', toolName, serverName);
    case 'person':
      return t('You want to run “{0}” of the server “{1}” (Run Tool)', toolName, serverName);
    case 'task':
      return t('The task “{0}” wants to run “{1}” of the server “{2}”', wholeText(asker.name), toolName, serverName);
    case 'app':
      return t('An app of the server “{1}” wants to run “{0}”', toolName, serverName);
    case 'command':
      return t('A key binding or an extension wants to run “{0}” of the server “{1}”', toolName, serverName);
    case 'client':
      return t('A program that calls itself “{0}” wants to run “{1}” of the server “{2}”', wholeText(asker.name), toolName, serverName);
    default:
      return unreachable(asker);
  }
}

function readerName(asker: CallToolQuestion['asker']): string {
  if (asker.kind === 'client') {
    return t('A program that calls itself “{0}”', wholeText(asker.name));
  }
  return asker.kind === 'model' ? wholeText(asker.name) : t('The chat');
}

/** The parts of the title of a tool call, short enough for one line of a narrow page: who wants it, and which tool of which server. */
export interface ShortTitle {
  readonly who: string;
  readonly tool: string;
  readonly server: string;
}

export function shortTitle({ detail }: Question): ShortTitle | undefined {
  return detail.kind === 'callTool' ? { who: askerName(detail), tool: shortWhat(detail), server: wholeText(detail.server) } : undefined;
}

function shortWhat({ tool, reads, isPrompt, isOfApp }: CallToolQuestion): string {
  if (reads !== undefined) {
    return t('read');
  }
  if (isOfApp === true) {
    return t('{0} (app)', wholeText(tool));
  }
  return isPrompt === true ? t('prompt {0}', wholeText(tool)) : wholeText(tool);
}

function askerName({ asker }: CallToolQuestion): string {
  switch (asker.kind) {
    case 'model':
      return wholeText(asker.name);
    case 'guide':
      return t('Offline guide');
    case 'person':
      return t('You');
    case 'task':
      return t('Task “{0}”', wholeText(asker.name));
    case 'app':
      return t('App of “{0}”', wholeText(asker.name));
    case 'command':
      return t('Key binding or extension');
    case 'client':
      return t('“{0}”', wholeText(asker.name));
    default:
      return unreachable(asker);
  }
}

/** Says who gets what the server answers: the person must see, without looking for it, that nothing is withheld from it. */
export function clientGets({ server }: CallToolQuestion): string {
  return t('What the server “{0}” answers goes to that program. It is not filtered for withheld files.', wholeText(server));
}

export function clientCallSource({ server }: CallToolQuestion, credentialId: string): string {
  return t(
    'The server “{0}” carries it out. Duplex knows the program by its credential {1} only.',
    wholeText(server),
    wholeText(credentialId),
  );
}

export function callEffect({ asker, risk, reads, description }: CallToolQuestion): string {
  if (reads === 'listed') {
    return t(
      'Which address is read tells the server something, even if nothing comes back. Allowed for longer, it covers every address that this server lists.',
    );
  }
  if (reads === 'pattern') {
    return t(
      'The server has addresses of the pattern “{0}”. What stands in its place is the program’s own text, and it goes to the server. Allowed for longer, it covers every address of this pattern.',
      wholeText(description),
    );
  }
  if (reads === 'unlisted') {
    return asker.kind === 'client'
      ? t('The server does not list this address: it is the program’s own text, and it goes to the server.')
      : t('The server does not list this address: it is the model’s own text, and it goes to the server.');
  }
  switch (risk) {
    case 'readsEditor':
      return t('It reads from this editor and changes nothing.');
    case 'changesEditor':
      return t('It changes files or the state of this editor.');
    case 'runsCode':
      return t('It runs code on this machine with your rights.');
    case 'unknown':
      return t('The arguments below go to the server. Duplex cannot know what it does with them.');
    default:
      return unreachable(risk);
  }
}
