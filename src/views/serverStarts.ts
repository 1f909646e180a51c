import { neverAborted } from '../base/abort.ts';
import type { Ask } from '../consent/consentGate.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import type { SignIns } from '../host/auth/signIns.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { needsSignIn, type ServerState } from '../host/shared/serverState.ts';
import type { ErrorReporter } from './errorReporter.ts';
import { signInThroughBrowser } from './signInNotice.ts';

export interface ServerStartsOptions {
  readonly registry: HostRegistry;
  readonly signIns: SignIns;
  /** Where the questions of a start are shown: the consent panel. */
  readonly ask: OpenQuestions['askOwn'];
  readonly logs: ServerLogs;
  readonly reporter: ErrorReporter;
}

/** Starts that the person asked for: with a sign-in where one is needed, and with the question whether the server may start. */
export class ServerStarts {
  readonly #options: ServerStartsOptions;

  constructor(options: ServerStartsOptions) {
    this.#options = options;
  }

  /** `giveBack` puts the focus where it was before the question took it. */
  async start(id: string, giveBack?: () => void): Promise<ServerState> {
    const { registry, signIns, logs } = this.#options;
    registry.requireTrust();
    const server = registry.servers().find((each) => each.id === id);
    if (server !== undefined && needsSignIn(server) && signIns.canSignIn(id)) {
      await signInThroughBrowser(server, signIns, { log: logs.logFor(server.label), tryAgain: () => this.startAndReport(id) });
      // Only what the person changed is tried again: without a sign-in the server would refuse as before.
      if (!signIns.isSignedIn(id)) {
        return server.state;
      }
    }
    return registry.start(id, { ask: this.#ask(giveBack), signal: neverAborted() });
  }

  async restart(id: string, giveBack?: () => void): Promise<ServerState> {
    this.#options.registry.requireTrust();
    return this.#options.registry.restart(id, { ask: this.#ask(giveBack), signal: neverAborted() });
  }

  /** For the button of a notification: nobody waits for the outcome. */
  startAndReport(id: string): void {
    this.start(id).catch((error: unknown) => this.#options.reporter.report(error));
  }

  #ask(giveBack: (() => void) | undefined): Ask {
    const { ask } = this.#options;
    return giveBack === undefined ? ask : (question, signal) => ask(question, signal, { show: () => undefined, hide: giveBack });
  }
}
