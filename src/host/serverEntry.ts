import { canonicalJson, isJsonObject } from '../base/json.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { DefinitionProblem, ServerDefinition } from '../definitions/serverDefinition.ts';
import type { OutputVerdict } from './connection/schemaChecks.ts';
import type { ServerFeatures } from './features/serverFeatures.ts';
import type { ManagedServer } from './managedServer.ts';
import type { BoxInfo, ServerSnapshot } from './shared/serverState.ts';

/** What the registry holds of one server. */
export interface ServerEntry {
  /** How the last result of each tool compared with its output schema. */
  readonly outputs: Map<string, OutputVerdict>;
  readonly server: ManagedServer;
  readonly features: ServerFeatures;
  readonly watching: Disposable;
  /** The definition of the server; a built-in one has none. */
  definition: ServerDefinition | undefined;
}

/** The server as views and other rooms see it at this moment. */
export function snapshotOf(
  { server, features, definition }: ServerEntry,
  problems: readonly DefinitionProblem[],
  wantedHosts: (serverId: string) => readonly string[],
): ServerSnapshot {
  const isHere = (problem: DefinitionProblem): boolean =>
    problem.server === definition?.name &&
    problem.scope === definition?.scope &&
    problem.folder?.path === definition.folder?.path &&
    problem.location === definition.location;
  return {
    id: server.id,
    name: server.name,
    label: definition?.label ?? server.name,
    scope: definition?.scope ?? 'builtIn',
    location: definition?.location ?? '',
    hasInputs: (definition?.inputs.length ?? 0) > 0,
    box: boxOf(server.startedOn?.material['confined'], wantedHosts(server.id)),
    state: server.state,
    tools: server.connection.tools,
    prompts: features.prompts,
    resources: features.resources,
    templates: features.templates,
    skills: features.skills,
    problems: problems.filter(isHere),
  };
}

function boxOf(material: unknown, wanted: readonly string[]): BoxInfo | undefined {
  if (!isJsonObject(material)) {
    return undefined;
  }
  const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);
  return { read: texts(material['read']), write: texts(material['write']), hosts: texts(material['network']), wanted };
}

/** The part of a definition whose change means a new question; a new label does not. */
export function contentOf(definition: ServerDefinition): string {
  return canonicalJson({ kind: definition.kind, raw: definition.raw, folder: definition.folder?.path, inputs: definition.inputs });
}

export function disposeEntry({ server, features, watching }: ServerEntry): void {
  watching.dispose();
  server.dispose();
  features.dispose();
}
