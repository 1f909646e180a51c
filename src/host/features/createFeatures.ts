import { isAbort } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { Late } from '../../base/late.ts';
import type { Log } from '../../base/log.ts';
import type { ConsentGate } from '../../consent/consentGate.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import type { Client } from '../shared/sdk.ts';
import { createGuard, type FeaturePorts, type HandlerContext, invalidParams, rpcError } from './handlerContext.ts';
import { OpenCalls } from './openCalls.ts';
import { RootsHandler } from './roots.ts';
import type { SamplingParams } from './sampling/samplingRequest.ts';
import { type ClientHandlers, type SampleForApp, ServerFeatures } from './serverFeatures.ts';

export interface FeaturesOfServer {
  readonly serverId: string;
  readonly identity: () => string;
  readonly label: () => string;
  readonly folder: WorkspaceFolder | undefined;
  readonly gate: ConsentGate;
  /** Without these ports the server is offered no roots, no sampling and no elicitation. */
  readonly ports: FeaturePorts | undefined;
  readonly timeoutMs: number;
  readonly log: Log;
}

export function createFeatures({ ports, timeoutMs, log, ...server }: FeaturesOfServer): ServerFeatures {
  if (ports === undefined) {
    return new ServerFeatures({ timeoutMs, log });
  }
  const guard = createGuard();
  const calls = new OpenCalls();
  const context = { ...server, ports: { ...ports, ask: calls.placeOr(ports.ask) }, log, guard, calls };
  const handlers = [new RootsHandler(context), new SamplingHandler(context), new ElicitationHandler(context)];
  return new ServerFeatures({ timeoutMs, log, handlers, calls, isWaitingForPerson: () => guard.open > 0 });
}

/** Offers the person's model to a server. The code that answers is loaded with the first request: few servers ever make one. */
class SamplingHandler implements ClientHandlers {
  readonly #context: HandlerContext;
  readonly #gone = new AbortController();
  #client: Client | undefined;
  readonly #answers = new Late(async () => new (await import('./sampling/sampling.ts')).SamplingAnswers(this.#context));

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  readonly sample: SampleForApp = async (given, { app, ask, signal }) => {
    const [{ SamplingAnswers }, params] = await Promise.all([import('./sampling/sampling.ts'), samplingParams(given)]);
    const { guard, ports } = this.#context;
    if (params === undefined || this.#client === undefined) {
      throw rpcError(invalidParams, 'This is not a request for a model.');
    }
    const answers = new SamplingAnswers({ ...this.#context, ports: { ...ports, ask } }, app);
    return guard.run('sampling', this.#client, async () => ({
      ...(await answers.answer(params, [], AbortSignal.any([signal, this.#gone.signal]))),
    }));
  };

  configure(client: Client): void {
    this.#client = client;
    client.registerCapabilities({ sampling: { tools: {}, context: {} } });
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      this.#context.guard.run('sampling', client, () =>
        this.#context.calls.during(async (wanted, during) => {
          const answers = await this.#answers.get();
          return { ...(await answers.answer(params, during, AbortSignal.any([mcpReq.signal, this.#gone.signal, wanted]))) };
        }),
      ),
    );
  }

  dispose(): void {
    this.#gone.abort();
  }
}

/** The request of an app as the protocol has it; undefined where it is none. The context of the conversation is not for apps. */
async function samplingParams(given: JsonObject): Promise<SamplingParams | undefined> {
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const read = specTypeSchemas.CreateMessageRequestParams['~standard'].validate(given);
  return read.issues === undefined ? { ...read.value, includeContext: 'none' } : undefined;
}

/** Lets a server ask the person. The code that asks is loaded with the first request: few servers ever make one. */
class ElicitationHandler implements ClientHandlers {
  readonly #context: HandlerContext;
  readonly #gone = new AbortController();
  readonly #answers = new Late(async () => new (await import('./elicitation.ts')).ElicitationAnswers(this.#context));

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  configure(client: Client): void {
    client.registerCapabilities({ elicitation: { form: {}, url: {} } });
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      this.#context.guard.run('elicitation', client, () =>
        this.#context.calls.during(async (wanted) => {
          try {
            const answers = await this.#answers.get();
            return { ...(await answers.answer(params, AbortSignal.any([mcpReq.signal, this.#gone.signal, wanted]))) };
          } catch (error) {
            // The question was withdrawn, for example because its window closed. A request that the server itself cancelled
            // gets no answer.
            if (isAbort(error) && !mcpReq.signal.aborted) {
              return { action: 'cancel' };
            }
            throw error;
          }
        }),
      ),
    );
  }

  dispose(): void {
    this.#gone.abort();
  }
}
