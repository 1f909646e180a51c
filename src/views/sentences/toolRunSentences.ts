import type { toolRunErrorTable } from '../../host/toolRunErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** Why the call of a tool has no result. */
export function toolRunSentences(t: Translate): Sentences<typeof toolRunErrorTable> {
  return {
    'runTool.denied': ({ server, tool }) => t('Running “{0}” of “{1}” was not allowed.', tool, server),
    'runTool.deniedBefore': ({ server, tool }) => t('Running “{0}” of “{1}” is not allowed: a remembered answer says so.', tool, server),
    'runTool.cancelled': ({ server, tool }) => t('Running “{0}” of “{1}” was cancelled.', tool, server),
  };
}
