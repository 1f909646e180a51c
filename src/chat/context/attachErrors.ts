import { isAbort, isAppError } from '../../base/errors.ts';
import { chatError } from '../chatSentences.ts';

/** Why something could not be attached, for people: what the editor says about its files is said to clients. */
export function attachError(error: unknown, name: string): unknown {
  if (!isAppError(error) || isAbort(error)) {
    return error;
  }
  switch (error.code) {
    case 'editor.binary':
      return chatError('chat.attachBinary', { name });
    case 'editor.tooLarge':
    case 'editor.imageTooLarge':
      return chatError('chat.attachTooLarge', { name });
    case 'editor.pathNotFound':
    case 'editor.isFile':
    case 'editor.isFolder':
      return chatError('chat.attachMissing', { name });
    default:
      return error.code.startsWith('chat.') ? error : chatError('chat.attachFailed', { name }, { detail: error.message });
  }
}
