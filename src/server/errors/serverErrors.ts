import { errorMaker, type ErrorTable } from '../../base/errors.ts';
import { describeProblems } from '../../contract/settingProblems.ts';

/** What people may see of the server's troubles; views/ has the same in their language. */
export const serverErrorTable = {
  'server.discovery': ({ reason }: { reason: string }) => `The discovery file could not be written: ${reason}`,
  'server.link.closed': () => 'The link to the editor is closed.',
  'server.link.used': () => 'A link to the editor can be started once.',
  'server.start': ({ reason }: { reason: string }) => `The server of this editor could not be started: ${reason}`,
  'server.stopped': () => 'The server has stopped.',
  'server.tls.encryptedKey': ({ entry, path }: TlsEntry) =>
    `"${entry}" in duplex.server.tls: ${path} is protected by a passphrase, which cannot be given.`,
  'server.tls.expired': ({ entry, path, validTo }: TlsEntry & { validTo: string }) =>
    `"${entry}" in duplex.server.tls: ${path} has expired on ${validTo}.`,
  'server.tls.malformed': ({ problems }: { problems: string }) =>
    `duplex.server.tls is malformed: ${describeProblems('duplex.server.tls', problems)}.`,
  'server.tls.missing': ({ entry, path }: TlsEntry) => `"${entry}" in duplex.server.tls: ${path} does not exist.`,
  'server.tls.noCertificate': ({ entry, path }: TlsEntry) => `"${entry}" in duplex.server.tls: ${path} holds no certificate in PEM form.`,
  'server.tls.noKey': ({ entry, path }: TlsEntry) => `"${entry}" in duplex.server.tls: ${path} holds no private key in PEM form.`,
  'server.tls.notAbsolute': ({ entry }: { entry: string }) => `"${entry}" in duplex.server.tls is not an absolute path.`,
  'server.tls.otherKey': ({ entry, path }: TlsEntry) => `"${entry}" in duplex.server.tls: ${path} does not belong to the certificate.`,
  'server.tls.unreadable': ({ entry, path, reason }: TlsEntry & { reason: string }) =>
    `"${entry}" in duplex.server.tls: ${path} cannot be read: ${reason}.`,
} as const satisfies ErrorTable;

export const serverError = errorMaker(serverErrorTable);

type TlsEntry = { readonly entry: string; readonly path: string };
