import { Emitter } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { RawToolResult } from '../connection/serverSession.ts';
import { appToolForModel, appToolName, type OfferingApp, type ToolForModel } from '../shared/modelTools.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import type { AppTool } from '../tools/toolCaller.ts';

/** The most tools of one app, and the most characters of the JSON of one. */
const maxTools = 20;
/** The most characters of JSON of one tool of an app; a longer tool is left out. */
const maxToolLength = 20_000;

/** A showing of an app that can be called. */
export interface CallableApp {
  callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<RawToolResult>;
  /** Keeps the app awake until the result is disposed. */
  hold(): Disposable;
}

/** Where an app is shown, and what of. */
export interface AppOffer extends OfferingApp {
  readonly conversation: string;
  /** The fingerprint of what the person allowed. */
  readonly page: string;
  readonly tools: readonly ToolInfo[];
}

/** A tool of an app by the name that a model used. */
export interface NamedAppTool {
  readonly serverId: string;
  /** How the tool is called for people. */
  readonly tool: string;
  readonly app: AppTool;
  readonly hold: () => Disposable;
}

interface Offered {
  readonly conversation: string;
  readonly shown: ToolForModel;
  readonly named: NamedAppTool;
}

/** The tools that apps offer while they are shown. The model of their own conversation is told of them, and nobody else. */
export class AppTools {
  readonly #offered = new Map<CallableApp, readonly Offered[]>();
  readonly #changed = new Emitter<void>();

  readonly onDidChange = this.#changed.event;

  of(conversation: string): readonly ToolForModel[] {
    return [...this.#offered.values()].flat().flatMap((each) => (each.conversation === conversation ? [each.shown] : []));
  }

  named(name: string): NamedAppTool | undefined {
    return [...this.#offered.values()].flat().find(({ shown }) => shown.name === name)?.named;
  }

  /** Takes what an app offers now, in place of what it offered before. */
  offer(app: CallableApp, { conversation, page, tools, ...of }: AppOffer): void {
    const fitting = tools.filter((tool) => JSON.stringify(tool).length <= maxToolLength).slice(0, maxTools);
    this.#offered.set(
      app,
      fitting.map((each) => {
        const tool: ToolInfo = { ...each, page };
        const run: AppTool['run'] = (args, signal) => app.callTool(each.name, args, signal);
        const named = { serverId: of.serverId, tool: appToolName(each), app: { tool, run }, hold: () => app.hold() };
        return { conversation, shown: appToolForModel(tool, of), named };
      }),
    );
    this.#changed.fire();
  }

  /** The app is gone, or offers nothing. */
  withdraw(app: CallableApp): void {
    if (this.#offered.delete(app)) {
      this.#changed.fire();
    }
  }
}
