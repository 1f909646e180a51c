import type { ServerJoin } from './serverJoin.ts';

/** Accept and Reject in the title of a proposed edit. */
export async function answerProposal(server: ServerJoin, answer: 'accept' | 'reject', argument: unknown): Promise<void> {
  await server.proposals[answer](argument);
}
