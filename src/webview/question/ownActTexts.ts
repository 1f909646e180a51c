import { unreachable } from '../../base/errors.ts';
import type { Asker } from '../../contract/questions/asker.ts';
import type { OwnActQuestion, ShownAct } from '../../contract/questions/clientQuestions.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';

/** What the chat, Run Tool or another program in the editor wants done. Who asked comes first, as in every question. */
export function ownActTitle({ asker, what }: OwnActQuestion): string {
  return asker.kind === 'person' ? personTitle(what) : otherTitle(nameOf(asker), what);
}

function nameOf(asker: Exclude<Asker, { readonly kind: 'person' }>): string {
  switch (asker.kind) {
    case 'model':
      return wholeText(asker.name);
    case 'guide':
      return t('The offline guide');
    case 'task':
      return t('The task “{0}”', wholeText(asker.name));
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
    case 'script':
      return t('{0} wants to run “{1}”', who, wholeText(what.commandLine));
    case 'task':
      return t('{0} wants to run the task “{1}”', who, wholeText(what.name));
    case 'save':
      return t('{0} wants to save “{1}”', who, wholeText(what.path));
    case 'codeAction':
      return t('{0} wants to run the code action “{1}”', who, wholeText(what.title));
    default:
      return unreachable(what);
  }
}

function personTitle(what: ShownAct): string {
  switch (what.kind) {
    case 'command':
      return t('You want to run a command in a terminal (Run Tool)');
    case 'script':
      return t('You want to run “{0}” (Run Tool)', wholeText(what.commandLine));
    case 'task':
      return t('You want to run the task “{0}” (Run Tool)', wholeText(what.name));
    case 'save':
      return t('You want to save “{0}” (Run Tool)', wholeText(what.path));
    case 'codeAction':
      return t('You want to run the code action “{0}” (Run Tool)', wholeText(what.title));
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
    case 'command':
      return t('A key binding or another extension asks for this.');
    default:
      return unreachable(asker);
  }
}
