import type { ServerSnapshot, ServerState } from '../../../src/host/shared/serverState.ts';

/** A configured server that offers nothing. */
export const snapshotOf = (id: string, state: ServerState): ServerSnapshot => ({
  id,
  name: id,
  label: id,
  scope: 'user',
  location: '',
  hasInputs: false,
  state,
  tools: [],
  prompts: [],
  resources: [],
  templates: [],
  skills: [],
  problems: [],
});
