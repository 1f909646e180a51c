import type { SeeEditorQuestion } from '../../contract/questions.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';

/** Only the chat is asked so: whoever answers there is named. */
export function seeTitle({ asker }: SeeEditorQuestion): string {
  switch (asker.kind) {
    case 'model':
      return t('{0} wants to read this workspace’s files, problems, symbols and test results', wholeText(asker.name));
    case 'guide':
      return t('The offline guide wants to read this workspace’s files, problems, symbols and test results');
    case 'person':
    case 'command':
    case 'task':
      return t('The chat wants to read this workspace’s files, problems, symbols and test results');
  }
}

export function seeEffect({ asker }: SeeEditorQuestion): string {
  return asker.kind === 'model'
    ? t('It changes nothing. What it reads goes to the model with your conversation.')
    : t('It changes nothing, and what it reads stays on this machine.');
}

export function seeSource(): string {
  return t('One answer for all tools of the editor that only look. Withheld files and terminals are not included.');
}
