import type { chatToHost, chatToView } from '../../contract/chatMessages.ts';
import type { SuggestionTrigger } from '../../contract/chat/attachments.ts';
import type { HostLink } from '../link/hostLink.ts';

type Values = Readonly<Record<string, string>>;

/** What a person can do about what goes with a message. */
export interface ContextIntents {
  suggest(requestId: number, trigger: SuggestionTrigger, query: string): void;
  leave(): void;
  choose(id: string): void;
  remove(id: string): void;
  image(image: { readonly name: string; readonly mimeType: string; readonly data: string }): void;
  picture(itemId: string, id: string): void;
  drop(uris: readonly string[]): void;
  complete(requestId: number, formId: string, argument: string, values: Values): void;
  fill(formId: string, values: Values): void;
  closeForm(): void;
}

export function createContextIntents(link: HostLink<typeof chatToHost, typeof chatToView>): ContextIntents {
  return {
    suggest: (requestId, trigger, query) => link.send('context/suggest', { requestId, trigger, query }),
    leave: () => link.send('context/leave', {}),
    choose: (id) => link.send('context/choose', { id }),
    remove: (id) => link.send('context/remove', { id }),
    image: (image) => link.send('context/image', image),
    picture: (itemId, id) => link.send('context/picture', { itemId, id }),
    drop: (uris) => link.send('context/drop', { uris: [...uris] }),
    complete: (requestId, formId, argument, values) => link.send('context/complete', { requestId, formId, argument, values }),
    fill: (formId, values) => link.send('context/fill', { formId, values }),
    closeForm: () => link.send('context/closeForm', {}),
  };
}
