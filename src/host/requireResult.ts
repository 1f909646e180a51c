import { AppError } from '../base/errors.ts';
import type { RawToolResult } from './serverSession.ts';
import type { ToolOutcome } from './toolCaller.ts';

/** For whoever cannot go on without a result: every other ending is thrown. */
export function requireResult(outcome: ToolOutcome, server: string, tool: string): RawToolResult {
  switch (outcome.kind) {
    case 'result':
      return outcome.result;
    case 'denied': {
      const message = outcome.by === 'person' ? 'was not allowed.' : 'is not allowed: a remembered answer says so.';
      throw new AppError('runTool.denied', `Running “${tool}” of “${server}” ${message}`, { args: { server, tool } });
    }
    case 'cancelled':
      throw new AppError('runTool.cancelled', `Running “${tool}” of “${server}” was cancelled.`, { args: { server, tool } });
    case 'failed':
      throw outcome.error;
  }
}
