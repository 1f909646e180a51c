import type { ServerSnapshot } from './shared/serverState.ts';

/** A server's own words on how to use it. */
export interface ServerInstructions {
  readonly server: string;
  readonly text: string;
}

/** What running servers with tools say about their own use. */
export function instructionsOf(servers: readonly ServerSnapshot[]): readonly ServerInstructions[] {
  return servers.flatMap(({ label, state, tools }) => {
    const text = state.kind === 'ready' && tools.length > 0 ? state.instructions : undefined;
    return text === undefined ? [] : [{ server: label, text }];
  });
}
