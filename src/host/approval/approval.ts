// approval/: what has to be settled before a server may start: the question to the person (startRequest.ts), the inputs, and the way
// to the server that is opened after a yes (this file).
import type { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Choice } from '../../contract/questions/questions.ts';
import { answerInputs, type InputValues } from '../../definitions/inputs.ts';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import { prepareRemote, type PreparedRemote } from '../../definitions/prepareRemote.ts';
import type { LocalDefinition, RemoteServerDefinition, ServerDefinition, WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import { pathVariable } from '../../platform/processes/findExecutable.ts';
import type { RemoteAuth } from '../auth/authPorts.ts';
import type { DebuggerPorts } from './debuggedProcess.ts';
import { allowedToHave } from '../auth/issuerConsent.ts';
import type { EraCache } from '../shared/eraCache.ts';
import { hostError } from '../shared/hostErrors.ts';
import { remoteStartRequest, startChoices, startRequest, type StartRequest } from './startRequest.ts';
import type { OpenLink } from '../shared/serverLink.ts';
import type { StopReason } from '../shared/serverState.ts';
import type { SupervisorClient } from '../processes/supervisorClient.ts';
import { SupervisedStdioTransport } from '../transports/supervisedStdio.ts';

/** What the host needs to know of the window and of the machine it runs on. */
export interface HostEnvironment {
  folders(): readonly WorkspaceFolder[];
  readonly userHome: string;
  /** The environment variables of the editor itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Asks the person's login shell, once. It must not be called before `hasApprovedAny`. */
  loginShellPath(): Promise<string>;
  /** Whether the person has ever allowed a server to start. Until then no shell is run either. */
  hasApprovedAny(): boolean;
  /**
   * A random key that only this installation knows. Hashes of secrets that are kept in files use it, so that nobody else can
   * guess secrets from them.
   */
  readonly installationKey: string;
  /** Whether the person trusts the workspace. */
  isTrusted(): boolean;
}

export type Approval =
  /** `request` is what the person allowed; a built-in server needs no permission and has none. */
  | { readonly kind: 'approved'; readonly open: OpenLink; readonly request?: ConsentRequest }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Without `ask` nobody is asked: only what was allowed before may start. */
export interface ApprovalOptions {
  readonly ask: Ask | undefined;
  readonly signal: AbortSignal;
}

export interface ApprovalPorts {
  readonly gate: ConsentGate;
  readonly supervisor: SupervisorClient;
  readonly environment: HostEnvironment;
  /** The person's answers to inputs. Without this port, a server that needs an input cannot start. */
  readonly inputs?: InputValues | undefined;
  /** Signs in to a remote server. Without this port, a server that wants a sign-in fails. */
  readonly authFor?: ((remote: PreparedRemote) => RemoteAuth | undefined) | undefined;
  readonly eraCache?: EraCache | undefined;
  /** Is told the variables from the envFile of a server that is about to start, so that their secrets can be hidden elsewhere. */
  readonly onEnvFile?: ((serverId: string, variables: Readonly<Record<string, string>>) => void) | undefined;
  /** Attaches debuggers to servers with `dev.debug`. Without this port such servers still run under their debugger. */
  readonly debuggers?: DebuggerPorts | undefined;
}

/** The only way to the process of a local server. Throws an AppError when the definition cannot be prepared. */
export async function approveLocal(
  definition: LocalDefinition,
  ports: ApprovalPorts,
  options: ApprovalOptions,
  log: Log,
): Promise<Approval> {
  const { environment } = ports;
  const knowsPath = environment.hasApprovedAny();
  const first = await prepare(definition, environment, { knowsPath });
  let given: Choice | undefined;
  const { ask } = options;
  const noting: Ask | undefined =
    ask &&
    (async (question, signal) => {
      const answer = await ask(question, signal);
      given = answer.choice;
      return answer;
    });
  const refusal = await check(startRequest(first, environment.installationKey), ports.gate, { ...options, ask: noting });
  if (refusal !== undefined) {
    return refusal;
  }
  if (knowsPath && definition.inputs.length === 0) {
    return approved(first, ports, log);
  }
  // Only after the first yes may the person be asked for inputs, and the login shell for its PATH, on which another program may
  // be found.
  const inputs = await inputsOf(definition, ports, options);
  if ('kind' in inputs) {
    return inputs;
  }
  const second = await prepare(definition, environment, { knowsPath: true, inputs });
  const refusalOfSecond = await checkAgain(first, { launch: second, given: given ?? 'allowSession' }, ports, options);
  return refusalOfSecond ?? approved(second, ports, log);
}

/** The only way to a remote server. Throws an AppError when the definition cannot be prepared. */
export async function approveRemote(
  definition: RemoteServerDefinition,
  ports: ApprovalPorts,
  options: ApprovalOptions,
  log: Log,
): Promise<Approval> {
  const { userHome, env } = ports.environment;
  const context = { folders: ports.environment.folders(), userHome, env };
  const refusal = await check(remoteRequest(await prepareRemote(definition, context), ports), ports.gate, options);
  if (refusal !== undefined) {
    return refusal;
  }
  const inputs = await inputsOf(definition, ports, options);
  if ('kind' in inputs) {
    return inputs;
  }
  const ready = await prepareRemote(definition, { ...context, inputs });
  // This asks only when something that the definition reads has changed while the person answered.
  const refusalOfReady = await check(remoteRequest(ready, ports), ports.gate, options);
  return refusalOfReady ?? approvedRemote(ready, ports, log);
}

function remoteRequest(remote: PreparedRemote, { gate, environment }: ApprovalPorts): StartRequest {
  const secret = remote.auth?.clientSecret?.shown;
  const secretTo = secret === undefined ? [] : allowedToHave(gate, remote.definition.id, secret);
  return remoteStartRequest(remote, environment.installationKey, secretTo);
}

async function inputsOf(
  definition: ServerDefinition,
  ports: ApprovalPorts,
  { ask, signal }: ApprovalOptions,
): Promise<ReadonlyMap<string, string> | Approval> {
  const answers = await answerInputs(definition, ports.inputs, { mayAsk: ask !== undefined, signal });
  switch (answers.kind) {
    case 'complete':
      return answers.values;
    case 'missing':
      return { kind: 'stopped', reason: 'needsConsent' };
    case 'cancelled':
      return { kind: 'stopped', reason: 'byUser' };
  }
}

interface PrepareOptions {
  readonly knowsPath: boolean;
  readonly inputs?: ReadonlyMap<string, string>;
}

async function prepare(
  definition: LocalDefinition,
  environment: HostEnvironment,
  { knowsPath, inputs }: PrepareOptions,
): Promise<PreparedLaunch> {
  const { userHome, env, platform } = environment;
  const path = knowsPath ? await environment.loginShellPath() : pathVariable(env).value;
  // A window that starts no local server does not need it.
  const { prepareLaunch } = await import('../../definitions/prepareLaunch.ts');
  return prepareLaunch(definition, { folders: environment.folders(), userHome, env, platform, path, isPathFinal: knowsPath, inputs });
}

async function check(start: StartRequest, gate: ConsentGate, { ask, signal }: ApprovalOptions): Promise<Approval | undefined> {
  if (ask === undefined) {
    const verdict = await gate.checkQuietly(start.request, start.detail);
    return verdict === 'allow' ? undefined : { kind: 'stopped', reason: 'needsConsent' };
  }
  const decision = await gate.check({ ...start, choices: startChoices, ask, signal });
  if (decision.kind === 'allowed') {
    return undefined;
  }
  if (decision.by === 'person') {
    return { kind: 'stopped', reason: 'needsConsent' };
  }
  return { kind: 'failed', error: hostError('host.startDenied') };
}

/**
 * Checks the prepared launch a second time. A person who was told "looked up once you allow it" has also allowed what is
 * then found, for as long as they allowed the start, so that is remembered without a second question. Anything else that changed is
 * asked about.
 */
async function checkAgain(
  first: PreparedLaunch,
  { launch: second, given }: { readonly launch: PreparedLaunch; readonly given: Choice },
  { gate, environment }: ApprovalPorts,
  options: ApprovalOptions,
): Promise<Approval | undefined> {
  const wasOpen = first.executable === undefined;
  const requestFor = (launch: PreparedLaunch): StartRequest => startRequest(launch, environment.installationKey);
  const isSame = requestFor({ ...second, executable: undefined }).request.fingerprint === requestFor(first).request.fingerprint;
  const follow: Ask = (question) => Promise.resolve({ askId: question.askId, choice: given });
  return check(requestFor(second), gate, wasOpen && isSame ? { ...options, ask: follow } : options);
}

function approved(launch: PreparedLaunch, ports: ApprovalPorts, log: Log): Approval {
  const { supervisor, environment, eraCache, debuggers } = ports;
  const { executable, env, cwd, envFile } = launch;
  if (executable === undefined) {
    throw hostError('host.spawnFailed', { code: 'ENOENT' }); // cannot happen: with a final PATH the program is found, or preparing has failed
  }
  if (envFile !== undefined) {
    ports.onEnvFile?.(launch.definition.id, envFile.variables);
  }
  const { request } = startRequest(launch, environment.installationKey);
  const open: OpenLink = async () => {
    // Few servers have a debugger: the code for it is loaded with the first of them.
    const { args, starter } =
      launch.debugger === undefined
        ? { args: launch.args.map(({ value }) => value), starter: supervisor }
        : await (await import('./debuggedProcess.ts')).debuggedRun(launch, launch.debugger, { starter: supervisor, ports: debuggers, log });
    const spec = { command: executable, args, env, cwd, isVerbatim: launch.batchFile?.isRun };
    const transport = new SupervisedStdioTransport(starter, spec, log);
    return {
      transport,
      isDebugged: launch.debugger !== undefined,
      get end() {
        return transport.end;
      },
      get lastWords() {
        return transport.lastWords;
      },
      ...(eraCache === undefined ? {} : { era: { cache: eraCache, key: `${launch.definition.id} ${request.fingerprint}` } }),
    };
  };
  return { kind: 'approved', open, request };
}

function approvedRemote(remote: PreparedRemote, { environment, authFor, eraCache }: ApprovalPorts, log: Log): Approval {
  // The question said that nothing is encrypted, and the person allowed it.
  const target = { ...remote, mayUseSecretsOverPlainHttp: remote.isUnencrypted };
  const open: OpenLink = async (signal) => {
    const { openRemoteLink } = await import('../transports/remoteLink.ts');
    return openRemoteLink(target, { log, signal, auth: authFor?.(target), eraCache: eraCache && withHashedKeys(eraCache) });
  };
  return { kind: 'approved', open, request: remoteStartRequest(remote, environment.installationKey).request };
}

/** The cache is kept in a file, and a url may hold a secret, so only a hash of the key is stored. */
function withHashedKeys(cache: EraCache): EraCache {
  const hash = (key: string): string => fingerprintOf({ key });
  return { get: (key) => cache.get(hash(key)), set: (key, era) => cache.set(hash(key), era) };
}
