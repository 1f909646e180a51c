import type { Question, SendContentQuestion } from '../../contract/questions.ts';
import type { ContentDestination } from '../../contract/sentContent.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { hostOf } from './destinationTexts.ts';

export function contentTitle({ source, server, destination }: SendContentQuestion): string {
  const [name, from, to] = [wholeText(source.name), wholeText(server), shortDestination(destination)];
  return source.kind === 'resource'
    ? t('Send the resource “{0}” of the server “{1}” to {2}?', name, from, to)
    : t('Send the prompt “{0}” of the server “{1}” to {2}?', name, from, to);
}

export function contentEffect({ destination }: SendContentQuestion): string {
  return destination.kind === 'guide'
    ? t('It becomes part of this conversation. The offline guide is on this computer: nothing leaves it.')
    : t(
        'It becomes part of this conversation and goes to {0} at {1} with every message.',
        wholeText(destination.name),
        hostOf(wholeText(destination.address)),
      );
}

export function contentOrigin({ server }: SendContentQuestion): string {
  return t('The server “{0}” wrote it; nobody has checked what it says.', wholeText(server));
}

export function contentChange({ differences }: Question): string {
  return differences.length > 0
    ? t('It went to somebody else when you last allowed it.')
    : t('The definition of the server has changed since you last allowed it.');
}

function shortDestination(destination: ContentDestination): string {
  return destination.kind === 'guide' ? t('the offline guide') : wholeText(destination.name);
}
