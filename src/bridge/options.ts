import { parseArgs } from 'node:util';
import { bridgeError } from './bridgeErrors.ts';

export interface BridgeOptions {
  readonly list: boolean;
  readonly help: boolean;
  readonly workspace: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Throws with a sentence about what is wrong. */
export function readOptions(args: readonly string[]): BridgeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      list: { type: 'boolean' },
      help: { type: 'boolean' },
      workspace: { type: 'string' },
      cert: { type: 'string' },
      key: { type: 'string' },
    },
  });
  const { list = false, help = false, workspace, cert, key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    throw bridgeError('bridge.certificateWithoutKey');
  }
  return { list, help, workspace, cert, key };
}
