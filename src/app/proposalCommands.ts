import type { ServerJoin } from './serverJoin.ts';

/** Accept and Reject in the title of a proposed edit. */
export async function answerProposal(_server: ServerJoin, _answer: 'accept' | 'reject', _argument: unknown): Promise<void> {
  await Promise.resolve();
}
