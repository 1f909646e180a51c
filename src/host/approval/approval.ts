// approval/: what has to be settled before a server may start: the question to the person (startRequest.ts), the inputs, and the way
// to the server that is opened after a yes (this file).
import type { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Ask, ConsentGate, ConsentInquiry } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { PersonAnswer } from '../../contract/questions/questions.ts';
import { answerInputs, type InputValues } from '../../definitions/inputs.ts';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import { prepareRemote, type PreparedRemote } from '../../definitions/prepareRemote.ts';
import type { LocalDefinition, RemoteServerDefinition, ServerDefinition, WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import { pathVariable } from '../../platform/processes/findExecutable.ts';
import type { RemoteAuth } from '../auth/authPorts.ts';
import type { BoxedStart, Boxes } from '../box/boxes.ts';
import type { DebuggerPorts } from './debuggedProcess.ts';
import { allowedToHave } from '../auth/issuerConsent.ts';
import type { EraCache } from '../shared/eraCache.ts';
import { hostError } from '../shared/hostErrors.ts';
import { isPreselected, planOf, startBox, triedBox, type StartBox } from './startBox.ts';
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

/** What the person allowed to start, and what tells it from a later server of the same name. */
export type AllowedStart = Pick<StartRequest, 'request' | 'identity'>;

export type Approval =
  /** `start` is what the person allowed; a built-in server needs no permission and has none. */
  | { readonly kind: 'approved'; readonly open: OpenLink; readonly start?: AllowedStart }
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
  /** Confines servers. Without this port none is confined, and no question speaks of it. */
  readonly boxes?: Boxes | undefined;
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
  const decided = await decideStart(first, await boxFor(first, ports), ports, options).finally(() =>
    ports.boxes?.endProposal(definition.id),
  );
  if (decided.refusal !== undefined) {
    return decided.refusal;
  }
  if (knowsPath && definition.inputs.length === 0) {
    return approved({ launch: first, box: decided.box }, ports, log);
  }
  // Only after the first yes may the person be asked for inputs, and the login shell for its PATH, on which another program may
  // be found.
  const inputs = await inputsOf(definition, ports, options);
  if ('kind' in inputs) {
    return inputs;
  }
  const second = await prepare(definition, environment, { knowsPath: true, inputs });
  const decidedAgain = await decideAgain({ launch: first, ...decided }, second, ports, options);
  return decidedAgain.refusal ?? approved({ launch: second, box: decidedAgain.box }, ports, log);
}

/** A decision about a start: a refusal, or the box in which the server starts. */
interface StartDecision {
  readonly refusal?: Approval | undefined;
  readonly box: StartBox | undefined;
  /** What the person answered, if they were asked. */
  readonly given?: PersonAnswer | undefined;
}

/** The box of a start, as far as it is known before anybody is asked. */
function boxFor(launch: PreparedLaunch, { gate, boxes, environment }: ApprovalPorts): Promise<StartBox | undefined> {
  return startBox(launch, { gate, boxes, folders: environment.folders().map(({ path }) => path) });
}

/** Asks for permission to start, with or without the box: the person may choose that while they are asked. */
async function decideStart(
  launch: PreparedLaunch,
  planned: StartBox | undefined,
  { gate, environment, boxes }: ApprovalPorts,
  options: ApprovalOptions,
): Promise<StartDecision> {
  const { installationKey: key } = environment;
  const allows = (box: StartBox | undefined): boolean => gate.verdict(startRequest(launch, key, box).request).kind === 'allow';
  // A server that may start without a box needs none that is tried.
  const box = planned?.isConfined === false && allows(planned) ? planned : await triedBox(planned, boxes);
  const isAllowed = allows(box);
  // What is not allowed yet is asked about with the box, wherever that is the rule.
  const shown = box && { ...box, isConfined: box.isConfined || (!isAllowed && box.offer.kind === 'ready' && isPreselected(launch)) };
  const boxOf = (answer: PersonAnswer): StartBox | undefined =>
    shown?.offer.kind === 'ready' ? { ...shown, isConfined: answer.isConfined ?? shown.isConfined } : shown;
  let given: PersonAnswer | undefined;
  const { ask } = options;
  const noting: Ask | undefined =
    ask &&
    (async (question, signal) => {
      given = await ask(question, signal);
      return given;
    });
  const start = startRequest(launch, key, shown);
  const chosen = (answer: PersonAnswer): ConsentRequest => startRequest(launch, key, boxOf(answer)).request;
  const refusal = await check({ ...start, chosen }, gate, { ...options, ask: noting });
  return { refusal, box: given === undefined ? shown : boxOf(given), given };
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

async function check(
  start: StartRequest & Pick<ConsentInquiry, 'chosen'>,
  gate: ConsentGate,
  { ask, signal }: ApprovalOptions,
): Promise<Approval | undefined> {
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
 * Decides about the prepared launch a second time. A person who was told "looked up once you allow it" has also allowed what is
 * then found, for as long as they allowed the start and confined as they chose, so that is remembered without a second question. Anything
 * else that changed is asked about.
 */
async function decideAgain(
  { launch: first, box: firstBox, given }: StartDecision & { readonly launch: PreparedLaunch },
  second: PreparedLaunch,
  ports: ApprovalPorts,
  options: ApprovalOptions,
): Promise<StartDecision> {
  const { installationKey: key } = ports.environment;
  const boxIn = async (launch: PreparedLaunch): Promise<StartBox | undefined> => {
    const box = await boxFor(launch, ports);
    return box && { ...box, isConfined: box.offer.kind === 'ready' && firstBox?.isConfined === true };
  };
  const open = { ...second, executable: undefined };
  const isSame =
    first.executable === undefined &&
    startRequest(open, key, await boxIn(open)).request.fingerprint === startRequest(first, key, firstBox).request.fingerprint;
  const box = await boxIn(second);
  // A box that is gone since is never left out silently.
  const isAsConfined = firstBox?.isConfined !== true || box?.isConfined === true;
  if (!isSame || !isAsConfined) {
    return decideStart(second, box, ports, options);
  }
  const { choice = 'allowSession' } = given ?? {};
  const follow: Ask = (question) => Promise.resolve({ askId: question.askId, choice });
  return { refusal: await check(startRequest(second, key, box), ports.gate, { ...options, ask: follow }), box };
}

interface BoxedLaunch {
  readonly launch: PreparedLaunch;
  readonly box: StartBox | undefined;
}

function approved({ launch, box }: BoxedLaunch, ports: ApprovalPorts, log: Log): Approval {
  const { supervisor, environment, eraCache, debuggers, boxes } = ports;
  const { executable, env, cwd, envFile } = launch;
  if (executable === undefined) {
    throw hostError('host.spawnFailed', { code: 'ENOENT' }); // cannot happen: with a final PATH the program is found, or preparing has failed
  }
  if (envFile !== undefined) {
    ports.onEnvFile?.(launch.definition.id, envFile.variables);
  }
  const { request, identity } = startRequest(launch, environment.installationKey, box);
  const plan = planOf(box);
  const openRun = async (signal: AbortSignal): Promise<BoxedStart> => {
    if (plan !== undefined) {
      return (boxes ?? missing()).start(launch, plan, { starter: supervisor, log, signal });
    }
    // Few servers have a debugger: the code for it is loaded with the first of them.
    const { args, starter } =
      launch.debugger === undefined
        ? { args: launch.args.map(({ value }) => value), starter: supervisor }
        : await (await import('./debuggedProcess.ts')).debuggedRun(launch, launch.debugger, { starter: supervisor, ports: debuggers, log });
    return { starter, spec: { command: executable, args, env, cwd, isVerbatim: launch.batchFile?.isRun } };
  };
  const open: OpenLink = async (signal) => {
    const { spec, starter } = await openRun(signal);
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
  return { kind: 'approved', open, start: { request, identity } };
}

/** A plan comes from the boxes alone, so this cannot happen; if it does, the server does not start. */
function missing(): never {
  throw hostError('host.noBox', { programs: '' });
}

function approvedRemote(remote: PreparedRemote, { environment, authFor, eraCache }: ApprovalPorts, log: Log): Approval {
  // The question said that nothing is encrypted, and the person allowed it.
  const target = { ...remote, mayUseSecretsOverPlainHttp: remote.isUnencrypted };
  const open: OpenLink = async (signal) => {
    const { openRemoteLink } = await import('../transports/remoteLink.ts');
    return openRemoteLink(target, { log, signal, auth: authFor?.(target), eraCache: eraCache && withHashedKeys(eraCache) });
  };
  return { kind: 'approved', open, start: remoteStartRequest(remote, environment.installationKey) };
}

/** The cache is kept in a file, and a url may hold a secret, so only a hash of the key is stored. */
function withHashedKeys(cache: EraCache): EraCache {
  const hash = (key: string): string => fingerprintOf({ key });
  return { get: (key) => cache.get(hash(key)), set: (key, era) => cache.set(hash(key), era) };
}
