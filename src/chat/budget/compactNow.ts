import { unheardBy } from '../audience.ts';
import { chatError } from '../chatSentences.ts';
import { compactConversation } from './compactor.ts';

type Compaction = Omit<Parameters<typeof compactConversation>[0], 'isWithinTurn' | 'by'>;

/** Because the person wants it: only by somebody who knows what was said, and Stop is no failure. */
export async function compactNow(compaction: Compaction): Promise<void> {
  const { conversation, destination, signal } = compaction;
  if (destination !== undefined && unheardBy(conversation.turns, destination) !== undefined) {
    throw chatError('chat.compactionUnheard');
  }
  try {
    await compactConversation({ ...compaction, isWithinTurn: false, by: 'person' });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}
