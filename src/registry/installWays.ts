import { isIP } from 'node:net';
import { type AppError, isAppError } from '../base/errors.ts';
import { isLoopbackHost } from '../base/addresses.ts';
import type { WantedBundle } from './bundles/bundleFolder.ts';
import { registryError } from './registryErrors.ts';
import type { RegistryArgument, RegistryEntry, RegistryInput, RegistryPackage, RegistryRemote, VariableInput } from './serverJson.ts';

/** The programs that run a package. Each is on the person's machine already, or they are told what to install. */
export type Runtime = 'npx' | 'uvx' | 'dnx' | 'docker';

/** One way to use a server: a package that runs here, or an address of others. */
export type InstallWay = {
  /** Unique within the entry. */
  readonly id: string;
  /** The package with its version, or the address, for people. */
  readonly shown: string;
  /** Why it cannot be installed; undefined if it can. */
  readonly refusal: AppError | undefined;
} & (
  | { readonly kind: 'package'; readonly package: RegistryPackage; readonly runtime: Runtime | undefined; readonly target: string }
  | { readonly kind: 'remote'; readonly remote: RegistryRemote }
  | { readonly kind: 'bundle'; readonly package: RegistryPackage; readonly bundle: WantedBundle }
);

/** All ways of an entry, also those that cannot be installed, with the reason. */
export function waysOf(entry: RegistryEntry): readonly InstallWay[] {
  const packages = entry.packages.map((each, index): InstallWay => {
    if (each.registryType.toLowerCase() === 'mcpb') {
      return bundleWay(entry, each, `package:${index}`);
    }
    const { runtime, target, refusal } = targetOf(each);
    const problem = refusal ?? (runtime && refusalOf(() => checkPackage(each, runtime)));
    return { kind: 'package', id: `package:${index}`, package: each, runtime, target, shown: shownPackage(each), refusal: problem };
  });
  const remotes = entry.remotes.map((remote, index): InstallWay => {
    const refusal = refusalOf(() => checkRemote(remote));
    return { kind: 'remote', id: `remote:${index}`, remote, shown: remote.url, refusal };
  });
  return [...packages, ...remotes];
}

function bundleWay({ name, version, isLocal }: RegistryEntry, each: RegistryPackage, id: string): InstallWay {
  const { identifier: url, fileSha256 = '' } = each;
  const sha256 = fileSha256.toLowerCase();
  const refusal = refusalOf(() => checkBundle(each, isLocal));
  const bundle = { url, sha256, isLocal, name, version: each.version ?? version };
  return { kind: 'bundle', id, package: each, bundle, shown: url, refusal };
}

function checkBundle({ identifier, fileSha256 = '', transport }: RegistryPackage, isLocal: boolean): void {
  if (!/^[a-f0-9]{64}$/i.test(fileSha256)) {
    throw registryError('registry.noHash');
  }
  if (!(isLocal && URL.canParse(identifier) && isLoopbackHost(new URL(identifier).hostname))) {
    checkRemoteAddress(identifier);
  }
  if (transport.type !== 'stdio') {
    throw registryError('registry.ownListener');
  }
}

function shownPackage({ identifier, version }: RegistryPackage): string {
  return version === undefined || identifier.endsWith(`:${version}`) ? identifier : `${identifier}@${version}`;
}

function refusalOf(check: () => void): AppError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (isAppError(error)) {
      return error;
    }
    throw error;
  }
}

interface Target {
  readonly runtime: Runtime | undefined;
  /** The package with its exact version, as its runtime wants it: one word that is never an option. */
  readonly target: string;
  readonly refusal?: AppError | undefined;
}

const usualRegistries: Readonly<Record<string, readonly string[]>> = {
  npm: ['registry.npmjs.org'],
  pypi: ['pypi.org'],
  nuget: ['api.nuget.org', 'www.nuget.org'],
  // The name of an image says itself where it is.
  oci: [],
};
const runtimes: Readonly<Record<string, Runtime>> = { npm: 'npx', pypi: 'uvx', nuget: 'dnx', oci: 'docker' };

function targetOf(each: RegistryPackage): Target {
  const { registryType, identifier, version = '' } = each;
  const kind = registryType.toLowerCase();
  const runtime = Object.hasOwn(runtimes, kind) ? runtimes[kind] : undefined;
  if (runtime === undefined) {
    return { runtime, target: '', refusal: registryError('registry.unknownKind', { kind: registryType }) };
  }
  const target = runtime === 'docker' ? imageOf(identifier, version) : packageOf(kind, identifier, version);
  const refusal =
    target === 'badIdentifier'
      ? registryError('registry.badIdentifier', { identifier: identifier.slice(0, 200), kind })
      : target === 'noExactVersion'
        ? registryError('registry.noExactVersion')
        : (baseRefusal(kind, each) ?? (each.transport.type === 'stdio' ? undefined : registryError('registry.ownListener')));
  return { runtime, target: typeof target === 'string' ? '' : target.word, refusal };
}

function baseRefusal(kind: string, { registryBaseUrl }: RegistryPackage): AppError | undefined {
  const usual = usualRegistries[kind] ?? [];
  if (registryBaseUrl === undefined || registryBaseUrl === '' || usual.length === 0) {
    return undefined;
  }
  const host = URL.canParse(registryBaseUrl) ? new URL(registryBaseUrl).host : registryBaseUrl.slice(0, 100);
  return usual.includes(host) ? undefined : registryError('registry.otherRegistry', { host });
}

type Word = { readonly word: string } | 'badIdentifier' | 'noExactVersion';

const packageName = /^[A-Za-z0-9][\w.-]*$/;
const exactVersion: Readonly<Record<string, RegExp>> = {
  npm: /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
  pypi: /^\d[\w.!+-]*$/,
  nuget: /^\d+\.\d+(?:[\w.+-]*)$/,
};

function packageOf(kind: string, identifier: string, version: string): Word {
  const [scope, name = '', ...more] = identifier.startsWith('@') ? identifier.slice(1).split('/') : ['x', identifier];
  if (more.length > 0 || !packageName.test(scope ?? '') || !packageName.test(name) || (kind !== 'npm' && identifier.startsWith('@'))) {
    return 'badIdentifier';
  }
  // `1.x` and `1.*` are ranges; so is what has fewer numbers than npm wants.
  return exactVersion[kind]?.test(version) === true && !/(?:^|\.)x(?:$|\.)/i.test(version)
    ? { word: `${identifier}@${version}` }
    : 'noExactVersion';
}

/** An image with its tag or digest, which the identifier has itself or the version names. */
function imageOf(identifier: string, version: string): Word {
  const [named = '', digest, ...rest] = identifier.split('@');
  const parts = named.split('/');
  const last = parts.pop() ?? '';
  const [name = '', tag, ...more] = last.split(':');
  const isName = packageName.test(name) && parts.every((part, index) => packageName.test(index === 0 ? part.replace(/:\d+$/, '') : part));
  if (rest.length > 0 || more.length > 0 || !isName) {
    return 'badIdentifier';
  }
  if (digest !== undefined) {
    return /^sha256:[a-f0-9]{64}$/.test(digest) ? { word: identifier } : 'badIdentifier';
  }
  const wanted = tag ?? version;
  return /^\w[\w.-]{0,127}$/.test(wanted) && wanted.toLowerCase() !== 'latest'
    ? { word: `${[...parts, name].join('/')}:${wanted}` }
    : 'noExactVersion';
}

/** Variables that change which program runs, what it loads first, or where packages come from. */
const steering = [
  /^(?:path|pathext|comspec|shell|home|userprofile|ifs|bash_env|env|browser|editor|tmpdir|classpath|_java_options|rubyopt|perl5opt)$/i,
  /^python(?:path|startup|home|breakpoint|userbase|executable)$/i,
  /(?:_proxy|preload|insert_libraries|library_path)$/i,
  /^(?:node|npm|npx|yarn|pnpm|python|pip|uv|uvx|dotnet|coreclr|nuget|docker|ld|dyld|git|ssh|electron|vscode|java|jdk|ruby|perl|ssl)_/i,
];
/** Names that begin like those, and are what servers ask for. */
const plainVariable = /^node_env$|_(?:token|api_key|username|password)$/i;

function isSteering(name: string): boolean {
  return !plainVariable.test(name) && steering.some((pattern) => pattern.test(name));
}

const variableName = /^[A-Za-z_]\w*$/;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

function checkPackage({ runtimeArguments, packageArguments, environmentVariables, runtimeHint }: RegistryPackage, runtime: Runtime): void {
  for (const variable of environmentVariables) {
    if (!variableName.test(variable.name) || isSteering(variable.name)) {
      throw registryError('registry.badVariable', { name: variable.name });
    }
    checkTexts(variable);
  }
  for (const argument of packageArguments) {
    checkTexts(argument);
    if (argument.type === 'named' && !/^-{0,2}[A-Za-z0-9][\w.:-]*$/.test(argument.name)) {
      throw registryError('registry.badOption', { option: argument.name });
    }
  }
  const isOurs = runtimeHint === '' || runtimeHint === runtime;
  for (const argument of runtimeArguments) {
    checkTexts(argument);
    checkRuntimeArgument(argument, runtime, isOurs);
  }
}

/** What the command line has already, by runtime. */
const already: Readonly<Record<Runtime, readonly string[]>> = {
  npx: ['-y', '--yes'],
  uvx: [],
  dnx: ['-y', '--yes'],
  docker: ['run', '-i', '--interactive', '--rm'],
};

/** Whether an argument asks for what the command line has in any case. */
export function isAlready(argument: RegistryArgument, runtime: Runtime): boolean {
  const word = argument.type === 'named' ? argument.name : (argument.value ?? '');
  const hasValue = argument.type === 'named' && (argument.value ?? '') !== '';
  return already[runtime].includes(word) && !hasValue;
}

/** The options of docker that an entry may use, in their long form. */
const containerOptions: Readonly<Record<string, string>> = {
  '-e': '--env',
  '--env': '--env',
  '-v': '--volume',
  '--volume': '--volume',
  '--mount': '--mount',
};

/** The long form of an option that an entry may give to its runtime; undefined for any other. */
export function runtimeOption(argument: RegistryArgument, runtime: Runtime): string | undefined {
  return runtime === 'docker' && argument.type === 'named' && Object.hasOwn(containerOptions, argument.name)
    ? containerOptions[argument.name]
    : undefined;
}

function checkRuntimeArgument(argument: RegistryArgument, runtime: Runtime, isOurs: boolean): void {
  if (isOurs && isAlready(argument, runtime)) {
    return;
  }
  const option = isOurs ? runtimeOption(argument, runtime) : undefined;
  const { value } = argument;
  if (option === undefined) {
    throw registryError('registry.runtimeOption', {
      option: (argument.type === 'named' ? argument.name : (value ?? '')).slice(0, 100),
      runtime,
    });
  }
  if (option === '--env') {
    const name = /^([^={]+)=/.exec(value ?? '')?.[1];
    if (name === undefined || !variableName.test(name) || isSteering(name)) {
      throw registryError('registry.badVariable', { name: (value ?? '').slice(0, 100) });
    }
    return;
  }
  // What is opened to the container is the person's choice: a folder that the entry names would be the entry's.
  const chosen = option === '--volume' ? /^\{(\w+)\}:/.exec(value ?? '') : /(?:^|,)(?:src|source)=\{(\w+)\}(?:,|$)/.exec(value ?? '');
  const isChosen = value === undefined || (chosen !== null && argument.variables?.[chosen[1] ?? '']?.value === undefined);
  if (!isChosen || [...(value ?? '').matchAll(/(?:src|source)=/g)].length > 1) {
    throw registryError('registry.openFolder', { value: (value ?? '').slice(0, 200) });
  }
}

/** No text of an entry may hold `${…}`: the settings would read it as a variable of this machine and give it away. */
function checkTexts({ variables = {}, ...input }: VariableInput | (RegistryInput & { readonly variables?: undefined })): void {
  for (const each of [input, ...Object.values(variables)]) {
    const text = [each.value, each.default, ...(each.choices ?? [])].find((one) => one?.includes('${') === true);
    if (text !== undefined) {
      throw registryError('registry.hiddenVariable', { text: text.slice(0, 200) });
    }
  }
}

function checkRemote({ url, headers, variables = {} }: RegistryRemote): void {
  for (const header of headers) {
    if (!headerName.test(header.name)) {
      throw registryError('registry.badHeader', { name: header.name });
    }
    checkTexts(header);
  }
  Object.values(variables).forEach((variable) => checkTexts(variable));
  if (url.includes('${')) {
    throw registryError('registry.hiddenVariable', { text: url.slice(0, 200) });
  }
  // A variable in the host is looked at again once it is filled in.
  checkRemoteAddress(url.replace(/\{\w+\}/g, 'x'));
}

/** Throws unless it is an encrypted address of others: not of this machine, nor of the network it is in. */
export function checkRemoteAddress(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const shown = text.slice(0, 200);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw registryError('registry.badUrl', { url: shown });
  }
  if (isInside(url.hostname)) {
    throw registryError('registry.ownAddress', { url: shown });
  }
  if (url.protocol !== 'https:') {
    throw registryError('registry.notEncrypted', { url: shown });
  }
}

/** Whether it is such an address. */
export function isAddressOfOthers(text: string): boolean {
  return refusalOf(() => checkRemoteAddress(text)) === undefined;
}

const insideNumbers = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const insideNames = /(?:^|\.)(?:localhost|local|internal|lan|home|localdomain|home\.arpa)$/;

function isInside(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) === 6) {
    // No server for everybody is published under such a number; among them are many ways to write this machine.
    return true;
  }
  return isLoopbackHost(host) || insideNumbers.test(`${host}.`) || insideNames.test(host);
}
