import { errorMaker, type ErrorTable } from '../base/errors.ts';

/** Why a window cannot be used. English only: the words go to a host's log, or to a model in the place of an answer. */
export const bridgeError = errorMaker({
  'bridge.certificateMismatch': () => 'The certificate is not the one of this window.',
  'bridge.certificateWithoutKey': () => '--cert and --key belong together.',
  'bridge.connectTimeout': () => 'The window did not answer in time.',
  'bridge.handshake': () => 'The VS Code window did not take up the conversation.',
  'bridge.timeout': () => 'The VS Code window did not answer in time.',
} as const satisfies ErrorTable);
