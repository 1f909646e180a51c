import { describeProblems } from '../../contract/settings/settingProblems.ts';
import type { serverErrorTable } from '../../server/errors/serverErrors.ts';
import { settingWords } from './settingSentences.ts';
import type { Sentences, Translate } from './translate.ts';

/** What the editor's own server could not do, by its code. */
export function serverSentences(t: Translate): Sentences<typeof serverErrorTable> {
  return {
    'server.discovery': ({ reason }) => t('The discovery file could not be written: {0}', reason),
    'server.link.closed': () => t('The link to the editor is closed.'),
    'server.link.used': () => t('A link to the editor can be started once.'),
    'server.start': ({ reason }) => t('The server of this editor could not be started: {0}', reason),
    'server.stopped': () => t('The server has stopped.'),
    'server.tls.encryptedKey': ({ entry, path }) =>
      t('"{0}" in duplex.server.tls: {1} is protected by a passphrase, which cannot be given.', entry, path),
    'server.tls.expired': ({ entry, path, validTo }) => t('"{0}" in duplex.server.tls: {1} has expired on {2}.', entry, path, validTo),
    'server.tls.malformed': ({ problems }) =>
      t('duplex.server.tls is malformed: {0}.', describeProblems('duplex.server.tls', problems, settingWords(t))),
    'server.tls.missing': ({ entry, path }) => t('"{0}" in duplex.server.tls: {1} does not exist.', entry, path),
    'server.tls.noCertificate': ({ entry, path }) => t('"{0}" in duplex.server.tls: {1} holds no certificate in PEM form.', entry, path),
    'server.tls.noKey': ({ entry, path }) => t('"{0}" in duplex.server.tls: {1} holds no private key in PEM form.', entry, path),
    'server.tls.notAbsolute': ({ entry }) => t('"{0}" in duplex.server.tls is not an absolute path.', entry),
    'server.tls.otherKey': ({ entry, path }) => t('"{0}" in duplex.server.tls: {1} does not belong to the certificate.', entry, path),
    'server.tls.unreadable': ({ entry, path, reason }) => t('"{0}" in duplex.server.tls: {1} cannot be read: {2}.', entry, path, reason),
  };
}
