import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../../support/run/childEnvironment.mjs';
import { endProcessTree } from '../../support/run/processTree.mjs';
import { repositoryRoot } from '../../support/run/repository.mjs';

const untilChangedAgainMs = 3_000;

const clients = path.join(repositoryRoot, 'test', 'fixtures', 'clients');

/** What test/fixtures/clients/storyClient.mjs is told to do. */
export interface ClientPlan {
  readonly sdk: 'first' | 'second';
  readonly library?: string;
  readonly transport: 'http' | 'sse' | 'stdio';
  readonly revision?: string;
  readonly url?: string;
  readonly token?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly eventSource?: string;
  readonly name: string;
  readonly resource: string;
  readonly prompt: {
    readonly name: string;
    readonly arguments: Readonly<Record<string, string>>;
    readonly completes: string;
    readonly value: string;
  };
}

export interface ClientSteps {
  readonly connected: { readonly revision?: string };
  readonly tools: readonly string[];
  readonly call: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly read: { readonly contents: readonly { readonly text: string }[] };
  readonly subscribed: string;
  readonly updated: string;
  readonly readAgain: { readonly contents: readonly { readonly text: string }[] };
  readonly prompt: { readonly messages: readonly unknown[] };
  readonly completion: { readonly completion: { readonly values: readonly string[] } };
  readonly closed: true;
}

/** Runs a client in a process of its own; `onSubscribed` is when the resource should change. */
export async function runClient(
  script: 'storyClient' | 'plainWebSocket',
  plan: ClientPlan,
  onSubscribed: () => Promise<void>,
  onComplaint: (chunk: string) => void = () => undefined,
): Promise<ClientSteps> {
  const env = childEnvironment({ CLIENT_PLAN: JSON.stringify(plan) });
  const child = spawn(process.execPath, [path.join(clients, `${script}.mjs`)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaints = (complaints + chunk).slice(-4_000);
    onComplaint(chunk);
  });
  const steps: Record<string, unknown> = {};
  let changesAgain: NodeJS.Timeout | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    clearInterval(changesAgain);
    const { step, value } = JSON.parse(line) as { step: string; value: unknown };
    steps[step] = value;
    if (step === 'subscribed') {
      await onSubscribed();
      // In a window that has just opened VS Code does not tell of changes yet.
      changesAgain = setInterval(() => void onSubscribed(), untilChangedAgainMs);
    }
  }
  clearInterval(changesAgain);
  await exited;
  if (child.pid !== undefined) {
    await endProcessTree(child.pid);
  }
  if (steps.closed !== true) {
    throw new Error(`${plan.name} stopped after ${Object.keys(steps).at(-1) ?? 'nothing'}:\n${complaints}`);
  }
  return steps as unknown as ClientSteps;
}
