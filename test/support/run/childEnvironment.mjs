import process from 'node:process';

/**
 * The environment for a child that runs npm or VS Code. The outer `npm test` exports its own configuration as
 * `npm_*`; a nested npm would take it for its own, and the code under test must not see it either.
 *
 * @param {Readonly<Record<string, string | undefined>>} [additions]
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(additions = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return { ...Object.fromEntries(inherited), ...additions };
}
