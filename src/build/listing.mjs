import path from 'node:path';

/** @typedef {Readonly<Record<string, unknown>>} Manifest a package.json */

/** What only the repository needs. Without scripts, nothing can run where the extension is installed. */
const ofTheRepository = new Set(['private', 'scripts', 'devDependencies']);

/**
 * The package.json of the package.
 *
 * @param {Manifest} manifest of the repository
 * @param {string | undefined} repository its https address, where it has one
 * @returns {Manifest}
 */
export function packagedManifest(manifest, repository) {
  const kept = Object.fromEntries(Object.entries(manifest).filter(([name]) => !ofTheRepository.has(name)));
  return repository === undefined
    ? kept
    : {
        ...kept,
        repository: { type: 'git', url: `${repository}.git` },
        bugs: { url: `${repository}${isGitlab(repository) ? '/-' : ''}/issues` },
        homepage: `${repository}#readme`,
      };
}

/**
 * A page of the package: whoever reads it in a marketplace has not got the files beside it. With a repository its pictures and
 * links lead there; without one there are no such pictures, and links to files are plain words.
 *
 * @param {string} text Markdown
 * @param {string | undefined} repository its https address, where it has one
 */
export function packagedPage(text, repository) {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withLinks(part, repository)))
    .join('')
    .replace(/\n{3,}/g, '\n\n');
}

/**
 * @param {string} text
 * @param {string | undefined} repository
 */
function withLinks(text, repository) {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark, words, target) => {
    if (/^(?:[a-z][a-z\d+.-]*:|#)/i.test(target)) {
      return whole;
    }
    if (repository === undefined) {
      return mark === '' ? words : '';
    }
    const place = `${repository}${isGitlab(repository) ? '/-' : ''}/${mark === '' ? 'blob' : 'raw'}/HEAD`;
    return `${mark}[${words}](${place}/${path.posix.normalize(target)})`;
  });
}

/**
 * Reads the address that somebody gave on the command line.
 *
 * @param {string | undefined} given
 */
export function repositoryAddress(given) {
  if (given === undefined) {
    return undefined;
  }
  const address = given.replace(/\.git$/, '').replace(/\/+$/, '');
  if (!/^https:\/\/[\w.-]+(?:\/[\w.-]+){2,}$/.test(address)) {
    throw new Error(`${given} is no https address of a repository, such as https://github.com/OWNER/NAME.`);
  }
  return address;
}

/** @param {string} repository */
function isGitlab(repository) {
  return new URL(repository).hostname.startsWith('gitlab.');
}
