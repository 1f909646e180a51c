/** The variables that a program needs to find its way, and none that is usually a secret. */
const safeNames: Readonly<Record<'posix' | 'windows', readonly string[]>> = {
  posix: ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  windows: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'NUMBER_OF_PROCESSORS',
    'OS',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
};

/** The variables of the person's own environment that a program gets. */
export function inheritedNames(platform: NodeJS.Platform): readonly string[] {
  return ['PATH', ...safeNames[platform === 'win32' ? 'windows' : 'posix']];
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ChildEnvironmentParts {
  /** The editor's own environment; only safe names are taken from it. */
  readonly inherited: Environment;
  readonly path: string;
  readonly fromFile: Environment;
  /** These win over the file; null removes a variable. */
  readonly configured: Readonly<Record<string, string | null>>;
  readonly platform: NodeJS.Platform;
}

export function childEnvironment(parts: ChildEnvironmentParts): Record<string, string> {
  const ignoresCase = parts.platform === 'win32';
  const names = safeNames[ignoresCase ? 'windows' : 'posix'];
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parts.inherited)) {
    // A value that starts with "()" is an exported shell function: code, not a setting.
    if (value !== undefined && !value.startsWith('()') && names.includes(ignoresCase ? name.toUpperCase() : name)) {
      env[name] = value;
    }
  }
  set(env, 'PATH', parts.path, ignoresCase);
  for (const [name, value] of [...Object.entries(parts.fromFile), ...Object.entries(parts.configured)]) {
    set(env, name, value, ignoresCase);
  }
  return env;
}

function set(env: Record<string, string>, name: string, value: string | null | undefined, ignoresCase: boolean): void {
  const same = Object.keys(env).filter((known) => known === name || (ignoresCase && known.toUpperCase() === name.toUpperCase()));
  same.forEach((known) => Reflect.deleteProperty(env, known));
  if (value !== null && value !== undefined) {
    env[name] = value;
  }
}

/** Variables through which foreign code or another network can get into an otherwise trusted program. */
const dangerousNames = [
  /^(PATH|PATHEXT|COMSPEC|HOME|USERPROFILE|IFS|ENV|BASH_ENV|ZDOTDIR|SHELL|PROMPT_COMMAND)$/,
  /^(LD_|DYLD_|GIT_|NPM_CONFIG_|UV_|PIP_|PYTHON|PERL5|RUBY|BUN_|DENO_|NODE_|ELECTRON_|DOTNET_|CORECLR_|COR_)/,
  /^(CLASSPATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_HOME|GOFLAGS|RUSTC_WRAPPER)$/,
  /^(HTTP|HTTPS|ALL|NO)_PROXY$/,
  /^(SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|OPENSSL_CONF|SSLKEYLOGFILE|DOCKER_HOST|KUBECONFIG)$/,
];

export function isDangerousVariable(name: string): boolean {
  return dangerousNames.some((pattern) => pattern.test(name.toUpperCase()));
}
