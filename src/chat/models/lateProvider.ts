import type { Late } from '../../base/late.ts';
import type { ModelProvider } from './modelProvider.ts';

/** A provider that is known from the start and loaded when it is first asked something. */
export function lateProvider(
  provider: Pick<Late<ModelProvider>, 'get'>,
  known: Pick<ModelProvider, 'kind' | 'isAi' | 'destination'>,
): ModelProvider {
  return {
    ...known,
    needsAnyServer: async (request) => (await provider.get()).needsAnyServer?.(request) ?? false,
    listModels: async (signal) => (await provider.get()).listModels(signal),
    stream: async function* (request, signal) {
      yield* (await provider.get()).stream(request, signal);
    },
  };
}
