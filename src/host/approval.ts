import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Ask, ConsentGate } from '../consent/consentGate.ts';
import { prepareLaunch, type PreparedLaunch } from '../definitions/prepareLaunch.ts';
import type { LocalDefinition, WorkspaceFolder } from '../definitions/serverDefinition.ts';
import type { OpenLink } from './serverConnection.ts';
import type { StopReason } from './serverState.ts';
import { startChoices, startRequest, type StartRequest } from './startRequest.ts';
import type { SupervisorClient } from './supervisorClient.ts';
import { SupervisedStdioTransport } from './transports/supervisedStdio.ts';

/** What the host knows of the window and the machine it runs on. */
export interface HostEnvironment {
  folders(): readonly WorkspaceFolder[];
  readonly userHome: string;
  /** The editor's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Asks the person's shell, once. Not called before `hasApprovedAny`. */
  loginShellPath(): Promise<string>;
  /** Whether the person has ever allowed a server to start. Until then no shell is run either. */
  hasApprovedAny(): boolean;
  /** Workspace trust. */
  isTrusted(): boolean;
}

export type Approval =
  | { readonly kind: 'approved'; readonly open: OpenLink }
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
}

/** The one way to a local server's process. Throws an AppError when the definition cannot be made ready. */
export async function approveLocal(
  definition: LocalDefinition,
  ports: ApprovalPorts,
  options: ApprovalOptions,
  log: Log,
): Promise<Approval> {
  const { environment } = ports;
  const knowsPath = environment.hasApprovedAny();
  const first = await prepare(definition, environment, knowsPath);
  const refusal = await check(startRequest(first), ports.gate, options);
  if (refusal !== undefined) {
    return refusal;
  }
  if (knowsPath) {
    return approved(first, ports.supervisor, log);
  }
  // The first approval of all: only now may the shell be asked, and it may know another program of that name.
  const second = await prepare(definition, environment, true);
  const refusalOfSecond = await checkAgain(first, second, ports.gate, options);
  return refusalOfSecond ?? approved(second, ports.supervisor, log);
}

async function prepare(definition: LocalDefinition, environment: HostEnvironment, knowsPath: boolean): Promise<PreparedLaunch> {
  const { userHome, env, platform } = environment;
  const path = knowsPath ? await environment.loginShellPath() : (env['PATH'] ?? env['Path'] ?? '');
  return prepareLaunch(definition, { folders: environment.folders(), userHome, env, platform, path, isPathFinal: knowsPath });
}

async function check(start: StartRequest, gate: ConsentGate, { ask, signal }: ApprovalOptions): Promise<Approval | undefined> {
  if (ask === undefined) {
    return gate.verdict(start.request).kind === 'allow' ? undefined : { kind: 'stopped', reason: 'needsConsent' };
  }
  const decision = await gate.check({ request: start.request, detail: start.detail, choices: startChoices, ask, signal });
  if (decision.kind === 'allowed') {
    return undefined;
  }
  if (decision.by === 'person') {
    return { kind: 'stopped', reason: 'needsConsent' };
  }
  return { kind: 'failed', error: new AppError('host.startDenied', 'A remembered answer says that this server must not start.') };
}

/**
 * The person who was told "looked up once you allow it" has allowed what is found; that is remembered without a second
 * question. Whatever else is different now is asked about.
 */
async function checkAgain(
  first: PreparedLaunch,
  second: PreparedLaunch,
  gate: ConsentGate,
  options: ApprovalOptions,
): Promise<Approval | undefined> {
  const wasOpen = first.executable === undefined;
  const isSame = startRequest({ ...second, executable: undefined }).request.fingerprint === startRequest(first).request.fingerprint;
  const follow: Ask = (question) => Promise.resolve({ askId: question.askId, choice: 'allow' });
  return check(startRequest(second), gate, wasOpen && isSame ? { ...options, ask: follow } : options);
}

function approved(launch: PreparedLaunch, supervisor: SupervisorClient, log: Log): Approval {
  const { executable, args, env, cwd } = launch;
  if (executable === undefined) {
    throw new AppError('definitions.commandNotFound', `The command “${launch.command.shown}” was not found.`);
  }
  const open: OpenLink = () => {
    const transport = new SupervisedStdioTransport(
      supervisor,
      { command: executable, args: args.map((each) => each.value), env, cwd },
      log,
    );
    return Promise.resolve({
      transport,
      get end() {
        return transport.end;
      },
      get lastWords() {
        return transport.lastWords;
      },
    });
  };
  return { kind: 'approved', open };
}
