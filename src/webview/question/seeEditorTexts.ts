import type { Question } from '../../contract/questions.ts';
import type { SeeEditorQuestion } from '../../contract/questions/toolQuestions.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { hostOf } from './destinationTexts.ts';

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

export function seeEffect({ destination }: SeeEditorQuestion): string {
  return destination.kind === 'model'
    ? t('It changes nothing. What it reads goes to {0} with your conversation.', hostOf(wholeText(destination.address)))
    : t('It changes nothing, and what it reads stays on this machine. Before it goes to a model, you are asked again.');
}

export function seeChange({ differences }: Question): string {
  return differences.some(({ field }) => field === 'destination')
    ? t('What is read goes to somebody else than when you last allowed it.')
    : t('There are other tools that only look than when you last allowed it.');
}

export function seeSource(): string {
  return t('One answer for all tools of the editor that only look. Withheld files and terminals are not included.');
}
