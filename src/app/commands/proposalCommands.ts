import { lateMethods } from '../../base/late.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type ProposalCommand = 'acceptAndSave' | 'accept' | 'reject' | 'acceptAllAndSave' | 'acceptAll' | 'rejectAll';

/** The commands Accept and Reject for what a client proposes to change. */
export function proposalCommands({ reviews }: CommandContext): Pick<CommandHandlers, ProposalCommand> {
  const { accept, reject } = lateMethods(reviews, ['accept', 'reject']);
  return {
    acceptAndSave: (argument) => accept(argument, { isToBeSaved: true }),
    accept: (argument) => accept(argument),
    reject: (argument) => reject(argument),
    acceptAllAndSave: (argument) => accept(argument, { isForAll: true, isToBeSaved: true }),
    acceptAll: (argument) => accept(argument, { isForAll: true }),
    rejectAll: (argument) => reject(argument, { isForAll: true }),
  };
}
