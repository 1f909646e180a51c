import type { BundleSource } from './fetchBundle.ts';

/** A bundle as an entry names it. */
export interface WantedBundle extends BundleSource {
  /** The name and the version of the entry. */
  readonly name: string;
  readonly version: string;
}

/** The most characters of a bundle's name, and of its version, in the name of its folder. */
const maxPartLength = 40;

/** How the names of folders begin that are not finished. */
export const stagePrefix = '.new-';

export function isBundleFolderName(name: string): boolean {
  return /^[^@/\\]+@[^@/\\]+@[a-f0-9]{32}$/.test(name);
}

/** The name of the folder: the server's last name, its version, and enough of the digest to mean these bytes alone. */
export function bundleFolderName({ name, version, sha256 }: Pick<WantedBundle, 'name' | 'version' | 'sha256'>): string {
  const plain = (text: string): string =>
    text
      .replace(/[^A-Za-z0-9.+-]+/g, '_')
      .replace(/^[.]+/, '_')
      .slice(0, maxPartLength);
  return `${plain(name.split('/').at(-1) ?? '')}@${plain(version)}@${sha256.slice(0, 32)}`;
}
