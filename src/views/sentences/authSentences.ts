import type { authErrorTable } from '../../host/auth/authErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** How signing in to a server fails. */
export function authSentences(t: Translate): Sentences<typeof authErrorTable> {
  return {
    'auth.unknownServer': () => t('Start the server before you sign in.'),
    'auth.clientNeeded': ({ host }) => t('{0} registers no clients by itself: configure auth.clientId for this server.', host),
    'auth.registrationRefused': ({ host }) => t('{0} did not register Duplex as a client.', host),
    'auth.browserNotOpened': () => t('The browser was not opened.'),
    'auth.timeout': () => t('The sign-in was not finished in time.'),
    'auth.cancelled': () => t('The sign-in was cancelled.'),
    'auth.stateMismatch': () => t('The browser came back with an answer to another sign-in.'),
    'auth.issuerMismatch': ({ host }) => t('The answer does not come from {0}, where the sign-in was started.', host),
    'auth.resourceMismatch': ({ host }) => t('The server asks for tokens of another server: {0}.', host),
    'auth.insecureAddress': ({ host, scheme }) =>
      scheme === undefined
        ? t('The sign-in at {0} uses an address that is not secure.', host)
        : t("The server's sign-in uses an address that is not secure: {0}://{1}.", scheme, host),
    'auth.privateAddress': ({ host }) => t("The server's sign-in points at an address inside your network: {0}.", host),
    'auth.issuerNotAllowed': ({ host }) => t('The sign-in at {0} was not allowed.', host),
    'auth.noPkce': ({ host }) => t('{0} does not protect the sign-in with PKCE (S256).', host),
    'auth.noAnswer': ({ host }) => t('{0} did not answer in time.', host),
    'auth.unreachable': ({ host }) => t('{0} could not be reached.', host),
    'auth.refused': ({ host, reason }) => t('{0} refused: {1}.', host, reason),
    'auth.badAnswer': ({ host }) => t('{0} gave an answer that does not follow OAuth.', host),
    'auth.answerTooLarge': ({ host }) => t('{0} answered with more than a sign-in needs.', host),
    'auth.notRevoked': () => t('The authorization server did not revoke the sign-in.'),
    'auth.failed': ({ reason }) => reason,
  };
}
