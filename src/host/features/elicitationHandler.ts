import { isAbort } from '../../base/errors.ts';
import { Late } from '../../base/late.ts';
import type { Client } from '../shared/sdk.ts';
import type { HandlerContext } from './handlerContext.ts';
import type { ClientHandlers } from './serverFeatures.ts';

/** Offers a server to ask the person. What asks is loaded with the first request: few servers ever make one. */
export class ElicitationHandler implements ClientHandlers {
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
            // Whoever was asked is gone; a request that the server itself took back gets no answer.
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
