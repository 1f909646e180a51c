import { inspect } from 'node:util';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { Emitter } from '../../../src/base/events.ts';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { silentLog, type Log } from '../../../src/base/log.ts';
import type { AuditLog } from '../../../src/consent/audit/auditLog.ts';
import { ConsentGate, type Ask } from '../../../src/consent/consentGate.ts';
import type { SharedText } from '../../../src/base/sharedStorage.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import type { Choice, PersonAnswer, Question } from '../../../src/contract/questions/questions.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import type { HostEnvironment } from '../../../src/host/approval/approval.ts';
import type { FeaturePorts } from '../../../src/host/features/handlerContext.ts';
import { SamplingBudgets } from '../../../src/host/features/sampling/samplingBudget.ts';
import { HostRegistry, type HostRegistryOptions } from '../../../src/host/hostRegistry.ts';
import type { ServerSnapshot } from '../../../src/host/shared/serverState.ts';
import { SupervisorClient, type SupervisorLaunch } from '../../../src/host/processes/supervisorClient.ts';
import type { ProcessStarter } from '../../../src/host/transports/supervisedStdio.ts';
import { checksInProcess } from '../../support/checksInProcess.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { ToolCaller, type ToolCallRequest, type CallOutcome } from '../../../src/host/tools/toolCaller.ts';

export const repositoryRoot = path.resolve(import.meta.dirname, '../../..');
export const scriptedServer = path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs');

let bundle: Promise<string> | undefined;

/** The supervisor as it is shipped: one file, run by plain Node, with an almost empty environment. */
export async function supervisorLaunch(): Promise<SupervisorLaunch> {
  bundle ??= buildSupervisor();
  return { command: process.execPath, args: [await bundle], env: {} };
}

async function buildSupervisor(): Promise<string> {
  const outfile = path.join(createTemporaryFolder(), 'supervisor.mjs');
  const entry = path.join(repositoryRoot, 'src/supervisor/main.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' });
  return outfile;
}

export class MemoryStorage implements SharedText {
  #text: string | undefined;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  async read(): Promise<string | undefined> {
    return this.#text;
  }
  async modify(change: (current: string | undefined) => string): Promise<void> {
    this.#text = change(this.#text);
  }
  async setAside(): Promise<void> {
    throw new Error('The ledger should not be damaged.');
  }
}

export type Answerer = (question: Question) => Choice | Omit<PersonAnswer, 'askId'>;

export interface TestHost {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly ledger: Ledger;
  readonly gate: ConsentGate;
  /** Every question, in the order asked. */
  readonly asked: Question[];
  readonly logged: string[];
  /** How the person answers from now on. */
  answer: Answerer;
  readonly ask: Ask;
  /** Sets `duplex.mcpServers` of the workspace. */
  configure(servers: unknown): Promise<void>;
  /** Configures one scripted server called `scripted` and starts it. */
  startScripted(mode?: string, more?: object): Promise<ServerSnapshot>;
  server(label: string): ServerSnapshot;
  call(tool: string, args?: ToolCallRequest['arguments'], more?: Partial<ToolCallRequest>): Promise<CallOutcome>;
  until(condition: () => boolean, what: string): Promise<void>;
  close(): Promise<void>;
}

export interface TestHostOptions {
  readonly folder?: string;
  readonly environment?: Partial<HostEnvironment>;
  readonly launch?: SupervisorLaunch;
  /** Starts the processes instead of a supervisor. */
  readonly starter?: ProcessStarter;
  /** Where answers are remembered; in memory when it is left out. */
  readonly storage?: SharedText;
  /** Where decisions and calls are recorded; nowhere when it is left out. */
  readonly audit?: AuditLog;
  /** For what else a start needs: signing in, inputs, remembered eras. */
  readonly ports?: Pick<
    HostRegistryOptions,
    'authFor' | 'boxes' | 'clock' | 'debuggers' | 'eraCache' | 'eraStorage' | 'inputs' | 'isThisEditor' | 'onEnvFile' | 'traffic'
  > &
    Partial<Pick<HostRegistryOptions, 'schemas'>>;
  /** `ask` is the test host's own when it is left out; the budgets are then new, no text has a secret and nothing was called before. */
  readonly features?: Omit<FeaturePorts, OptionalPort> & Partial<Pick<FeaturePorts, OptionalPort>>;
}

type OptionalPort = 'ask' | 'samplingBudgets' | 'findSecrets' | 'resultsOf';

const neverAborted = new AbortController().signal;

export async function createTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const lifetime = new DisposableStore();
  const folder = options.folder ?? createTemporaryFolder();
  const logged: string[] = [];
  const storage = options.storage ?? new MemoryStorage();
  const ledger = lifetime.add(new Ledger({ storage, workspace: folder, now: () => new Date(0), log: silentLog }));
  const gate = lifetime.add(new ConsentGate(ledger, options.audit));
  const supervisor =
    options.starter === undefined
      ? lifetime.add(new SupervisorClient(options.launch ?? (await supervisorLaunch()), recordingLog(logged)))
      : inPlaceOfSupervisor(options.starter);
  const environment: HostEnvironment = {
    folders: () => [{ name: path.basename(folder), path: folder }],
    userHome: folder,
    env: { PATH: path.dirname(process.execPath), HOME: folder },
    platform: process.platform,
    loginShellPath: () => Promise.resolve(path.dirname(process.execPath)),
    hasApprovedAny: () => ledger.answers().some((each) => each.action === 'startServer' && each.answer === 'allow'),
    installationKey: 'installation of the tests',
    isTrusted: () => true,
    ...options.environment,
  };
  const asked: Question[] = [];
  const features = options.features && {
    ask: ((question, signal) => host.ask(question, signal)) satisfies Ask,
    samplingBudgets: new SamplingBudgets({ storage: new MemoryStorage(), log: recordingLog(logged) }),
    findSecrets: () => [],
    resultsOf: () => ({ count: 0, text: '' }),
    audit: options.audit,
    ...options.features,
  };
  const registry = lifetime.add(
    new HostRegistry({
      schemas: checksInProcess,
      ...options.ports,
      gate,
      supervisor,
      environment,
      clientVersion: '0.0.0',
      log: recordingLog(logged),
      features,
    }),
  );
  const caller = new ToolCaller(registry, gate, options.audit);

  const host: TestHost = {
    registry,
    caller,
    ledger,
    gate,
    asked,
    logged,
    answer: ({ detail }) => (detail.kind === 'startServer' ? 'allow' : detail.kind === 'samplingResponse' ? 'allowOnce' : 'allowSession'),
    ask: (question) => {
      asked.push(question);
      const answer = host.answer(question);
      return Promise.resolve({ askId: question.askId, ...(typeof answer === 'string' ? { choice: answer } : answer) });
    },
    configure: (servers) =>
      registry.apply(readDefinitions([{ scope: 'workspace', workspace: folder, value: servers, location: 'workspace settings' }])),
    startScripted: async (mode = 'normal', more = {}) => {
      await host.configure({ scripted: { command: 'node', args: [scriptedServer, mode], ...more } });
      await registry.start(host.server('scripted').id, { ask: host.ask, signal: neverAborted });
      return host.server('scripted');
    },
    server: (label) => {
      const found = registry.servers().find((server) => server.label === label);
      if (found === undefined) {
        throw new Error(`There is no server ${label}.`);
      }
      return found;
    },
    call: (tool, args = {}, more = {}) =>
      caller.call({
        principal: 'chat',
        asker: { kind: 'guide' },
        destination: { kind: 'guide' },
        serverId: more.serverId ?? host.server('scripted').id,
        tool,
        arguments: args,
        ask: host.ask,
        signal: neverAborted,
        ...more,
      }),
    until: async (condition, what) => {
      const deadline = performance.now() + 15_000;
      while (!condition()) {
        if (performance.now() > deadline) {
          throw new Error(`Waited too long for: ${what}`);
        }
        await sleep(10);
      }
    },
    close: async () => {
      await registry.stopAll();
      lifetime.dispose();
    },
  };
  return host;
}

function inPlaceOfSupervisor(starter: ProcessStarter): SupervisorClient {
  const start: ProcessStarter['start'] = (spec) => starter.start(spec);
  return { start, stop: () => Promise.resolve(), dispose: () => undefined } as unknown as SupervisorClient;
}

export function textOf(outcome: CallOutcome): string {
  if (outcome.kind !== 'result') {
    throw new Error(`The call ended as ${outcome.kind}: ${inspect(outcome)}`);
  }
  const [first] = outcome.result.content;
  return typeof first?.['text'] === 'string' ? first['text'] : '';
}

/** The error of a failed outcome or state, as comparable data. */
export function failureOf(value: { readonly kind: string }): { code: string; detail: string | undefined } {
  if (value.kind === 'failed' && 'error' in value) {
    const error = value.error as { code: string; detail: string | undefined };
    return { code: error.code, detail: error.detail };
  }
  throw new Error(`Not a failure but ${JSON.stringify(value)}`);
}

/** Also false for one that is dead and only waits to be collected. */
export async function isRunning(pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    return stat !== undefined && !/\) [ZX] /.test(stat);
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function untilGone(pids: readonly number[], timeoutMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const states = await Promise.all(pids.map(isRunning));
    const left = pids.filter((_, index) => states[index]);
    if (left.length === 0 || performance.now() > deadline) {
      return left;
    }
    await sleep(20);
  }
}

function recordingLog(lines: string[]): Log {
  const record = (message: string): void => void lines.push(message);
  return { trace: record, debug: record, info: record, warn: record, error: record };
}
