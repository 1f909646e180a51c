import { createHash } from 'node:crypto';

/** Files besides package.json by which package managers go elsewhere or run scripts differently. */
export const managerFiles = ['.npmrc', '.yarnrc.yml', '.yarnrc', 'pnpm-workspace.yaml', 'bunfig.toml'] as const;
export type ManagerFile = (typeof managerFiles)[number];

/** These say how packages are fetched and shown, and nothing about scripts. All others may. */
const safeKeys: ReadonlySet<string> = new Set(
  (
    'registry always-auth strict-ssl email access provenance save-exact save-prefix save-dev save engine-strict fund audit audit-level ' +
    'package-lock lockfile package-lock-only prefer-frozen-lockfile prefer-offline progress loglevel color legacy-peer-deps ' +
    'strict-peer-dependencies strict-peer-deps auto-install-peers dedupe-peer-dependents shamefully-hoist hoist hoist-pattern ' +
    'public-hoist-pattern link-workspace-packages prefer-workspace-packages save-workspace-protocol node-linker resolution-mode ' +
    'update-notifier min-release-age minimum-release-age ignore-scripts side-effects-cache fetch-retries fetch-timeout ' +
    'fetch-retry-mintimeout fetch-retry-maxtimeout maxsockets network-concurrency tag-version-prefix message sign-git-tag ' +
    'install-links install-strategy use-node-version lockfile-include-tarball-url'
  ).split(' '),
);
const safePlace = /^(?:@[\w.-]+:registry|\/\/[\w.:/@~%-]+:(?:_authToken|_auth|_password|username|email|always-auth|certfile|keyfile))$/;

/** The names of settings in an .npmrc that may change what a script runs. */
export function doubtfulSettings(npmrc: string): readonly string[] {
  const lines = npmrc.replace(/^\uFEFF/, '').split(/[\r\n]+/);
  const keys = lines.map((line) => line.trim()).filter((line) => line !== '' && !/^[#;]/.test(line));
  return keys
    .map((line) => line.split('=', 1)[0]?.trim() ?? '')
    .filter((key) => !safeKeys.has(key.replace(/\[\]$/, '').toLowerCase()) && !safePlace.test(key));
}

/** Whether one of the others names a shell for scripts. */
export function namesShell(text: string): boolean {
  return /script-?shell|^\s*shell\s*=/im.test(text);
}

/** Some hold secrets, and all may be long: who compares needs no more. */
export function digestOf(text: string): string {
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
