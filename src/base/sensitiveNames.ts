/** Names that hold secrets by custom. */
const files: readonly RegExp[] = [/^\.env/i, /\.(pem|key|p12|pfx)$/i, /^id_(?!.*\.pub$)/i, /^\.(npmrc|netrc|pypirc)$/i];
const folders = /^\.(ssh|aws|gnupg)$/i;

/** By every segment: what lies in a folder with such a name is as secret as the folder. */
export function hasSensitiveName(path: string): boolean {
  return segmentsOf(path).some((segment) => folders.test(segment) || files.some((name) => name.test(segment)));
}

/** For the way to the workspace, which says little about what is in it. */
export function leadsThroughSensitiveFolder(path: string): boolean {
  return segmentsOf(path).some((segment) => folders.test(segment));
}

/** Windows ignores dots and spaces at the end of a name, and what follows a colon names a stream of the same file. */
function segmentsOf(path: string): string[] {
  return path.split(/[\\/]/).map((segment) => segment.replace(/:.*$/s, '').replace(/[. ]+$/, ''));
}
