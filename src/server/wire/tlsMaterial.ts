import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { AppError, hasCode, messageOf } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';

/** Certificate and key of the listener, as PEM. With `ca`, clients need a certificate of that authority, and a token. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | undefined;
  /** Of the certificate, in hexadecimal: for those who know it from the discovery file. */
  readonly certificateSha256: string;
}

const entries = ['cert', 'key', 'ca'] as const;
type Entry = (typeof entries)[number];

/**
 * `duplex.server.tls`. Nothing in it means plain HTTP; anything that is not whole and sound is an error that says what is
 * wrong, never plain HTTP instead.
 */
export async function readTlsMaterial(setting: unknown, now = Date.now()): Promise<TlsMaterial | undefined> {
  const paths = readPaths(setting);
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
    throw problem('key', paths.key, 'does not belong to the certificate');
  }
  if (ca !== undefined && paths.ca !== undefined) {
    parseCertificate('ca', paths.ca, ca, now);
  }
  return { cert, key, ca, certificateSha256: createHash('sha256').update(certificate.raw).digest('hex') };
}

type Paths = { readonly cert: string; readonly key: string; readonly ca: string | undefined };

function readPaths(setting: unknown): Paths | undefined {
  if (setting === undefined || setting === null) {
    return undefined;
  }
  if (!isJsonObject(setting)) {
    throw new AppError('server.tls', 'duplex.server.tls is not an object with "cert", "key" and "ca".');
  }
  const unknown = Object.keys(setting).find((name) => !entries.some((entry) => entry === name));
  if (unknown !== undefined) {
    throw new AppError('server.tls', `duplex.server.tls has an unknown entry "${unknown}".`, { args: { entry: unknown } });
  }
  const [cert, key, ca] = entries.map((entry) => readPath(entry, setting[entry]));
  if (cert === undefined && key === undefined && ca === undefined) {
    return undefined;
  }
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? 'cert' : 'key';
    throw new AppError('server.tls', `duplex.server.tls has no "${missing}".`, { args: { entry: missing } });
  }
  return { cert, key, ca };
}

function readPath(entry: Entry, value: unknown): string | undefined {
  if (value === undefined || value === '') {
    return undefined;
  }
  if (typeof value !== 'string' || !isAbsolute(value)) {
    throw new AppError('server.tls', `"${entry}" in duplex.server.tls is not an absolute path.`, { args: { entry } });
  }
  return value;
}

async function readPem(entry: Entry, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw problem(entry, path, hasCode(error, 'ENOENT') ? 'does not exist' : `cannot be read: ${messageOf(error)}`);
  }
}

function parseCertificate(entry: 'cert' | 'ca', path: string, pem: string, now: number): X509Certificate {
  let certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw problem(entry, path, 'holds no certificate in PEM form');
  }
  if (Date.parse(certificate.validTo) < now) {
    throw problem(entry, path, `has expired on ${certificate.validTo}`);
  }
  return certificate;
}

function parseKey(path: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const isEncrypted = pem.includes('ENCRYPTED');
    throw problem('key', path, isEncrypted ? 'is protected by a passphrase, which cannot be given' : 'holds no private key in PEM form');
  }
}

function problem(entry: Entry, path: string, what: string): AppError {
  return new AppError('server.tls', `"${entry}" in duplex.server.tls: ${path} ${what}.`, { args: { entry, path } });
}
