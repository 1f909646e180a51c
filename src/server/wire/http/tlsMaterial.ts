import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { hasCode, messageOf } from '../../../base/errors.ts';
import type { SettingReading } from '../../../contract/settings/readSetting.ts';
import type { TlsFiles } from '../../../contract/settings/serverSettings.ts';
import { serverError } from '../../errors/serverErrors.ts';
import { problemsArgument } from '../../../contract/settings/settingProblems.ts';

/** The certificate and key of the listener, as PEM. With `ca`, clients need a certificate of that authority beside their token. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | undefined;
  /** The SHA-256 hash of the certificate in hexadecimal, for the discovery file. */
  readonly certificateSha256: string;
}

export type TlsReading = SettingReading<'duplex.server.tls'>;
type Entry = keyof TlsFiles;

/**
 * Reads what `duplex.server.tls` names. An empty setting means plain HTTP; anything incomplete or invalid throws an error that says
 * what is wrong, and never falls back to plain HTTP.
 */
export async function readTlsMaterial(setting: TlsReading | undefined, now = Date.now()): Promise<TlsMaterial | undefined> {
  const paths = setting === undefined ? undefined : readPaths(setting);
  if (paths === undefined) {
    return undefined;
  }
  const [cert, key, ca] = await Promise.all([
    readPem('cert', paths.cert),
    readPem('key', paths.key),
    paths.ca === undefined ? undefined : readPem('ca', paths.ca),
  ]);
  const certificate = parseCertificate('cert', paths.cert, cert, now);
  if (!certificate.checkPrivateKey(parseKey(paths.key, key))) {
    throw serverError('server.tls.otherKey', { entry: 'key', path: paths.key });
  }
  if (ca !== undefined && paths.ca !== undefined) {
    parseCertificate('ca', paths.ca, ca, now);
  }
  return { cert, key, ca, certificateSha256: createHash('sha256').update(certificate.raw).digest('hex') };
}

function readPaths(setting: TlsReading): TlsFiles | undefined {
  if (setting.kind === 'malformed') {
    throw serverError('server.tls.malformed', { problems: problemsArgument(setting.problems) });
  }
  const files = setting.value;
  for (const entry of ['cert', 'key', 'ca'] as const) {
    const path = files?.[entry];
    if (path !== undefined && !isAbsolute(path)) {
      throw serverError('server.tls.notAbsolute', { entry });
    }
  }
  return files;
}

async function readPem(entry: Entry, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw hasCode(error, 'ENOENT')
      ? serverError('server.tls.missing', { entry, path })
      : serverError('server.tls.unreadable', { entry, path, reason: messageOf(error) });
  }
}

function parseCertificate(entry: 'cert' | 'ca', path: string, pem: string, now: number): X509Certificate {
  let certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw serverError('server.tls.noCertificate', { entry, path });
  }
  const validTo = Date.parse(certificate.validTo);
  if (validTo < now) {
    // The certificate's own text names the month in English.
    throw serverError('server.tls.expired', { entry, path, validTo: new Date(validTo).toISOString().slice(0, 10) });
  }
  return certificate;
}

function parseKey(path: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const isEncrypted = pem.includes('ENCRYPTED');
    throw serverError(isEncrypted ? 'server.tls.encryptedKey' : 'server.tls.noKey', { entry: 'key', path });
  }
}
