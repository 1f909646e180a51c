import type { RawToolResult } from './serverSession.ts';
import type { ToolOutcome } from './toolCaller.ts';
import { toolRunError } from './toolRunErrors.ts';

/** For whoever cannot go on without a result: every other ending is thrown. */
export function requireResult(outcome: ToolOutcome, server: string, tool: string): RawToolResult {
  switch (outcome.kind) {
    case 'result':
      return outcome.result;
    case 'denied':
      throw toolRunError(outcome.by === 'person' ? 'runTool.denied' : 'runTool.deniedBefore', { server, tool });
    case 'cancelled':
      throw toolRunError('runTool.cancelled', { server, tool });
    case 'failed':
      throw outcome.error;
  }
}
