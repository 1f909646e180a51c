import type { ReceiverTexts } from '../../host/auth/loopbackReceiver.ts';
import type { Translate } from './translate.ts';

/** What the browser shows when it comes back from a sign-in. */
export function receiverTexts(t: Translate, language: string): ReceiverTexts {
  return {
    language,
    done: t('Duplex has the answer. You can close this page.'),
    notOurs: t('This answer does not belong to a sign-in that Duplex started.'),
  };
}
