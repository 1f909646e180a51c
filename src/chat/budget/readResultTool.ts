import { revealInContent } from '../../base/visibleText.ts';
import type { Conversation } from '../conversation.ts';
import type { ToolResultBlock } from '../modelProvider.ts';
import { keptIn, wholeCharacters, type KeptResults } from './keptResults.ts';
import { badArguments, ownTool, type OwnTool } from './ownTools.ts';

const maxSliceBytes = 50_000;

/** Reads on in a result of this conversation that was too long: what the person let in once is not asked about again. */
export function readResultTool(results: KeptResults, conversation: Conversation, share: number): OwnTool {
  const maxSlice = Math.min(maxSliceBytes, share);
  return ownTool(
    'read_result',
    'Reads a part of a tool result that was too long to be shown whole. Use the id that the shortened result names.',
    {
      result: { type: 'string', description: 'The id of the kept result.' },
      from: { type: 'integer', minimum: 0, description: 'The byte to begin at (0).' },
      bytes: { type: 'integer', minimum: 1, maximum: maxSlice, description: `How many bytes (${maxSlice}).` },
    },
    ['result'],
    async ({ arguments: { result, from = 0, bytes = maxSlice } }) => {
      const kept = typeof result === 'string' ? keptIn(resultsOf(conversation), result)?.kept : undefined;
      if (kept === undefined) {
        return badArguments('This conversation has no kept result of that id.');
      }
      if (typeof from !== 'number' || typeof bytes !== 'number' || !(from >= 0) || from >= kept.bytes) {
        return badArguments(`"from" must be a number from 0 to ${kept.bytes - 1}, and "bytes" a number up to ${maxSlice}.`);
      }
      const start = Math.floor(from);
      const slice = await results.slice(conversation.id, kept.id, start, Math.max(4, Math.min(maxSlice, Math.floor(bytes))));
      if (slice === undefined) {
        return badArguments('This result is no longer kept. Call the tool again if you need it.');
      }
      const read = wholeCharacters(slice);
      const end = start + read.to;
      const more = end < kept.bytes ? ` Read on from ${end}.` : ' This is the end.';
      return `[Bytes ${start + read.from} to ${end} of ${kept.bytes}.${more}]\n${revealInContent(read.text)}`;
    },
  );
}

export function hasKeptResults(conversation: Conversation): boolean {
  return resultsOf(conversation).some(({ kept }) => kept !== undefined);
}

function resultsOf(conversation: Conversation): readonly ToolResultBlock[] {
  return conversation.turns
    .filter(({ isWithheld }) => !isWithheld)
    .flatMap(({ messages }) => messages)
    .flatMap(({ content }): readonly ToolResultBlock[] => content.filter((block) => block.type === 'toolResult'));
}
