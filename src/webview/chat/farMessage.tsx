import type { JSX } from 'preact';
import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ChatItem, ChatPart } from '../../contract/chatState.ts';
import { t } from '../shared/localize.ts';
import { pure } from '../shared/pure.ts';

/**
 * A message far from what is in view: its words, so that they are found and read out in their order, and nothing that costs
 * time. It is drawn whole before anybody sees it.
 */
export const FarMessage = pure(({ item }: { readonly item: ChatItem }): JSX.Element =>
  item.kind === 'user' ? (
    <article class="message is-user is-far" dir="auto" aria-label={t('You')} data-message={item.id}>
      {revealInContent(item.text)}
    </article>
  ) : (
    <article class="message is-assistant is-far" dir="auto" aria-label={t('Assistant')}>
      {item.parts.map(wordsOf).filter(Boolean).join('\n\n')}
    </article>
  ),
);

function wordsOf(part: ChatPart): string {
  if (part.kind === 'toolCall') {
    return revealInvisible(`${part.server} ${part.tool}`);
  }
  // What a person folds open is not found before that.
  return part.kind === 'text' || part.kind === 'notice' ? revealInContent(part.text) : '';
}
