import { unreachable } from '../../../base/errors.ts';
import { agentCredentialId } from '../../../contract/identity.ts';
import type { Asker } from '../../../contract/questions/callKnowledge.ts';
import type { ClientActQuestion, ConnectClientQuestion, OwnActQuestion, ShownAct } from '../../../contract/questions/clientQuestions.ts';
import type { Role } from '../../../contract/questions/rolesAndClaims.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';

/** The title of a question about what an outside program wants done. */
export function actTitle({ callsItself, tool, what }: ClientActQuestion): string {
  const name = wholeText(callsItself);
  switch (what.kind) {
    case 'call':
      return t('A program that calls itself “{0}” wants to use “{1}”', name, wholeText(tool));
    case 'read':
      return t('A program that calls itself “{0}” wants to read “{1}”', name, wholeText(what.uri));
    case 'command':
      return t('A program that calls itself “{0}” wants to run a command', name);
    case 'input':
      return t('A program that calls itself “{0}” wants to type into a running command', name);
    case 'script':
      return t('A program that calls itself “{0}” wants to run “{1}”', name, wholeText(commandsOf(what)));
    case 'task':
      return t('A program that calls itself “{0}” wants to run the task “{1}”', name, wholeText(what.name));
    case 'save':
      return t('A program that calls itself “{0}” wants to save “{1}”', name, wholeText(what.path));
    case 'codeAction':
      return t('A program that calls itself “{0}” wants to run the code action “{1}”', name, wholeText(what.title));
    case 'debug':
      return t('A program that calls itself “{0}” wants to debug “{1}”', name, wholeText(what.name));
    case 'debugCode':
      return t('A program that calls itself “{0}” wants to run code in the debugger', name);
    case 'debugSession':
      return t('A program that calls itself “{0}” wants to use your debug session “{1}”', name, wholeText(what.session));
    default:
      return unreachable(what);
  }
}

/** The commands of a script, one after the other. */
function commandsOf({ commandLine, next = [] }: Extract<ShownAct, { readonly kind: 'script' }>): string {
  return [commandLine, ...next.map((each) => each.commandLine)].join('; ');
}

export function actEffect({ what, neededRole }: ClientActQuestion, offersSession: boolean): string {
  switch (what.kind) {
    case 'call':
      return callEffect(neededRole);
    case 'read':
      return t('It will be told what the resource below holds.');
    case 'command':
    case 'input':
    case 'script':
    case 'task':
    case 'save':
    case 'codeAction':
    case 'debug':
    case 'debugCode':
    case 'debugSession':
      return doneEffect(what, offersSession);
    default:
      return unreachable(what);
  }
}

export function doneEffect(what: ShownAct, offersSession: boolean): string {
  switch (what.kind) {
    case 'command':
      return t('The command below will run in a terminal on this machine with your rights.');
    case 'input':
      return t('The text below will be typed for the command below, which runs with your rights; a shell would run it as a command.');
    case 'script':
      return t('The script below will run on this machine with your rights.');
    case 'task':
      return t('The task below will run on this machine with your rights.');
    case 'save': {
      const effect = t('The unsaved changes of the file below will be written to disk.');
      return offersSession ? `${effect} ${t('Allowed for this session, it saves any file without asking.')}` : effect;
    }
    case 'codeAction':
      return t('The editor command below will run; Duplex cannot show beforehand what it changes.');
    case 'debug':
      return t('What is below will run under the debugger on this machine with your rights.');
    case 'debugCode':
      return t('The code below will run in the program that is debugged, with your rights; it can change what that does.');
    case 'debugSession':
      return t('It will step, pause and stop this session and read its values until the session ends.');
    default:
      return unreachable(what);
  }
}

function callEffect(neededRole: Role | undefined): string {
  switch (neededRole) {
    case undefined:
    case 'reader':
      return t('Your policy wants you to be asked about this.');
    case 'editor':
      return t('This is above its role: it takes Editor, who proposes and makes changes to files.');
    case 'runner':
      return t('This is above its role: it takes Runner, who runs code on this machine with your rights.');
  }
}

export function actSource({ role, neededRole }: ClientActQuestion): string {
  const name = t('The name is the program’s own claim.');
  return neededRole === undefined ? name : `${t('You have given it the role {0}.', roleLabel(role))} ${name}`;
}

export function roleLabel(role: Role): string {
  return { reader: t('Reader'), editor: t('Editor'), runner: t('Runner') }[role];
}

export function roleMeaning(role: Role): string {
  const meanings: Readonly<Record<Role, string>> = {
    reader: t('Sees files, problems, symbols and test results; can open a file for you.'),
    editor: t('Also proposes and makes edits, saves, formats and renames.'),
    runner: t('Also runs tests, tasks and terminal commands, and sees terminal output. You are asked about each.'),
  };
  return meanings[role];
}

export function credentialLabel({ credential, credentialId }: Pick<ConnectClientQuestion, 'credential' | 'credentialId'>): string {
  switch (credential) {
    case 'windowToken':
      return t('Window token: any program of yours on this machine can have it');
    case 'clientToken':
      return credentialId === agentCredentialId
        ? t('Client token: given to VS Code’s own agent')
        : t('Client token: from a configuration you copied');
    case 'oauth':
      return t('Signed in through your browser (OAuth)');
    default:
      return unreachable(credential);
  }
}

export function transportLabel(transport: string): string {
  const labels: Readonly<Record<string, string>> = {
    http: t('Streamable HTTP'),
    sse: t('HTTP with server-sent events'),
    ws: t('WebSocket'),
  };
  return labels[transport] ?? transport;
}

/**
 * The title of a question about what the chat, Run Tool or another program in the editor wants done. It starts with who asked,
 * like every question.
 */
export function ownActTitle({ asker, what }: OwnActQuestion): string {
  return asker.kind === 'person' ? personTitle(what) : otherTitle(nameOf(asker), what);
}

function nameOf(asker: Exclude<Asker, { readonly kind: 'person' }>): string {
  switch (asker.kind) {
    case 'model':
    case 'client':
      return wholeText(asker.name);
    case 'guide':
      return t('The offline guide');
    case 'task':
      return t('The task “{0}”', wholeText(asker.name));
    case 'app':
      return t('An app of “{0}”', wholeText(asker.name));
    case 'command':
      return t('A key binding or an extension');
    default:
      return unreachable(asker);
  }
}

function otherTitle(who: string, what: ShownAct): string {
  switch (what.kind) {
    case 'command':
      return t('{0} wants to run a command in a terminal', who);
    case 'input':
      return t('{0} wants to type into a running command', who);
    case 'script':
      return t('{0} wants to run “{1}”', who, wholeText(commandsOf(what)));
    case 'task':
      return t('{0} wants to run the task “{1}”', who, wholeText(what.name));
    case 'save':
      return t('{0} wants to save “{1}”', who, wholeText(what.path));
    case 'codeAction':
      return t('{0} wants to run the code action “{1}”', who, wholeText(what.title));
    case 'debug':
      return t('{0} wants to debug “{1}”', who, wholeText(what.name));
    case 'debugCode':
      return t('{0} wants to run code in the debugger', who);
    case 'debugSession':
      return t('{0} wants to use your debug session “{1}”', who, wholeText(what.session));
    default:
      return unreachable(what);
  }
}

function personTitle(what: ShownAct): string {
  switch (what.kind) {
    case 'command':
      return t('You want to run a command in a terminal (Run Tool)');
    case 'input':
      return t('You want to type into a running command (Run Tool)');
    case 'script':
      return t('You want to run “{0}” (Run Tool)', wholeText(commandsOf(what)));
    case 'task':
      return t('You want to run the task “{0}” (Run Tool)', wholeText(what.name));
    case 'save':
      return t('You want to save “{0}” (Run Tool)', wholeText(what.path));
    case 'codeAction':
      return t('You want to run the code action “{0}” (Run Tool)', wholeText(what.title));
    case 'debug':
      return t('You want to debug “{0}” (Run Tool)', wholeText(what.name));
    case 'debugCode':
      return t('You want to run code in the debugger (Run Tool)');
    case 'debugSession':
      return t('You want to use your debug session “{0}” (Run Tool)', wholeText(what.session));
    default:
      return unreachable(what);
  }
}

export function ownActSource({ asker }: OwnActQuestion): string {
  switch (asker.kind) {
    case 'model':
    case 'guide':
      return t('Asked for in this conversation.');
    case 'person':
      return t('You asked for this with Run Tool.');
    case 'task':
      return t('The task “{0}” asks for this.', wholeText(asker.name));
    case 'app':
      return t('An app of “{0}” asks for this.', wholeText(asker.name));
    case 'command':
      return t('A key binding or another extension asks for this.');
    case 'client':
      return t('A program that calls itself “{0}” asks for this.', wholeText(asker.name));
    default:
      return unreachable(asker);
  }
}
