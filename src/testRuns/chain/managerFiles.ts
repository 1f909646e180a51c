import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';

/** Files beside package.json that package managers read before they run a script. */
export const managerFiles = [
  '.npmrc',
  '.yarnrc.yml',
  'pnpm-workspace.yaml',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.yarnrc',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.env.yarn',
  '.corepack.env',
] as const;
export type ManagerFile = (typeof managerFiles)[number];

/** Programs that a script finds in the folder of the package's programs before those of the machine. */
export const shadows: readonly string[] = ['sh', 'bash', 'cmd', 'node', 'npm', 'npx', 'pnpm', 'yarn', 'python', 'python3'].flatMap((name) =>
  ['', '.cmd', '.exe'].map((ending) => `node_modules/.bin/${name}${ending}`),
);

/** Settings that say how packages are fetched and shown, and nothing about scripts. All others may. */
const safeKeys: ReadonlySet<string> = new Set(
  (
    'registry always-auth strict-ssl email access provenance save-exact save-prefix save-dev save engine-strict fund audit audit-level ' +
    'package-lock lockfile package-lock-only prefer-frozen-lockfile prefer-offline progress loglevel color legacy-peer-deps ' +
    'strict-peer-dependencies strict-peer-deps auto-install-peers dedupe-peer-dependents shamefully-hoist hoist hoist-pattern ' +
    'public-hoist-pattern link-workspace-packages prefer-workspace-packages save-workspace-protocol node-linker resolution-mode ' +
    'update-notifier min-release-age minimum-release-age ignore-scripts side-effects-cache fetch-retries fetch-timeout ' +
    'fetch-retry-mintimeout fetch-retry-maxtimeout maxsockets network-concurrency tag-version-prefix message sign-git-tag ' +
    'install-links install-strategy lockfile-include-tarball-url'
  ).split(' '),
);
const safePlace = /^(?:@[\w.-]+:registry|\/\/[\w.:/@~%-]+:(?:_authToken|_auth|_password|username|email|always-auth|certfile|keyfile))$/;
/** The settings of YAML files that say nothing about scripts. */
const safeYamlKeys: ReadonlySet<string> = new Set(
  (
    'packages catalog catalogs overrides onlyBuiltDependencies ignoredBuiltDependencies minimumReleaseAge autoInstallPeers ' +
    'linkWorkspacePackages saveExact savePrefix shamefullyHoist hoist hoistPattern publicHoistPattern peerDependencyRules ' +
    'nodeLinker compressionLevel enableGlobalCache enableTelemetry defaultSemverRangePrefix npmRegistryServer npmScopes ' +
    'packageExtensions supportedArchitectures approvedGitRepositories enableImmutableInstalls checksumBehavior'
  ).split(' '),
);

/** The parts of a file that may change what a script runs, in their own words. */
export function doubtfulParts(name: ManagerFile, text: string): readonly string[] {
  switch (name) {
    case '.npmrc':
      return doubtfulSettings(text);
    case '.yarnrc.yml':
    case 'pnpm-workspace.yaml':
      return doubtfulKeys(text);
    case '.pnp.cjs':
    case '.pnp.loader.mjs':
      return []; // these say where packages lie
    case '.yarnrc':
    case '.pnpmfile.cjs':
    case '.pnpmfile.mjs':
    case '.env.yarn':
    case '.corepack.env':
      return [''];
  }
}

function doubtfulSettings(npmrc: string): readonly string[] {
  const lines = npmrc.replace(/^\uFEFF/, '').split(/[\r\n]+/);
  const keys = lines.map((line) => line.trim()).filter((line) => line !== '' && !/^[#;]/.test(line));
  return keys
    .map((line) => line.split('=', 1)[0]?.trim() ?? '')
    .filter((key) => !safeKeys.has(key.replace(/\[\]$/, '').toLowerCase()) && !safePlace.test(key));
}

/** Reads the keys at the margin of a YAML text. A line there that is neither a safe key nor an item of a list is in doubt. */
function doubtfulKeys(yaml: string): readonly string[] {
  const lines = yaml
    .replace(/^\uFEFF/, '')
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const isSafe = (line: string): boolean => /^- /.test(line) || safeYamlKeys.has(/^([A-Za-z]+):(?: |$)/.exec(line)?.[1] ?? '');
  // Where the first line is indented, that is the margin.
  return lines
    .filter((line, index) => (index === 0 || !line.startsWith(' ')) && !isSafe(line))
    .map((line) => line.split(/[:=]/, 1)[0] ?? '');
}

/** A digest of a file. Some hold secrets, and all may be long; to compare them a digest is enough. */
export function digestOf(text: string): string {
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}

/** Members of package.json by which package managers choose their own version, that of Node, and how they run scripts. */
const choosingMembers = ['packageManager', 'devEngines', 'pnpm'] as const;
const plainVersion = /^(?:npm|pnpm|yarn)@\d[\w.+-]*$/;

/** What package.json says about the programs that run its scripts. */
export function choicesIn(manifest: JsonObject): readonly { readonly name: string; readonly text: string; readonly isKnown: boolean }[] {
  return choosingMembers
    .filter((name) => manifest[name] !== undefined)
    .map((name) => {
      const value = manifest[name];
      const isKnown = name === 'packageManager' ? typeof value === 'string' && plainVersion.test(value) : !choosesRuntime(value);
      return { name, text: typeof value === 'string' ? value : canonicalJson(value), isKnown };
    });
}

/** Whether a member makes the package manager fetch a program and run scripts with it. */
function choosesRuntime(value: unknown): boolean {
  return !isJsonObject(value) || /"(?:onFail|executionEnv|configDependencies|runtime)"/.test(JSON.stringify(value));
}
