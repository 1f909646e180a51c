import { Late } from '../../base/late.ts';
import type { Client } from '../shared/sdk.ts';
import type { HandlerContext } from './handlerContext.ts';
import type { ClientHandlers } from './serverFeatures.ts';

/** Offers a server the person's model. What answers is loaded with the first request: few servers ever make one. */
export class SamplingHandler implements ClientHandlers {
  readonly #context: HandlerContext;
  readonly #gone = new AbortController();
  readonly #answers = new Late(async () => new (await import('./sampling.ts')).SamplingAnswers(this.#context));

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  configure(client: Client): void {
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
