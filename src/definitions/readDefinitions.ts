// definitions/: what is configured as an MCP server, from settings and other programs' files: reading and checking (this file),
// inputs, variables, and what exactly would be started or connected (prepareLaunch.ts, prepareRemote.ts). No MCP here.
import type * as z from 'zod';
import type { AppError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import {
  foreignStdioDefinition,
  remoteDefinition,
  stdioDefinition,
  type InputDefinition,
  type StdioDefinition,
} from '../contract/definitionSchemas.ts';
import { expectedOfSeveral, pathOf, readIssue, type SchemaIssue } from '../contract/settings/schemaIssue.ts';
import { definitionProblem, type Report, reporterOf } from './definitionProblems.ts';
import { readInputs, usedInputs } from './inputs.ts';
import type { DefinitionProblem, DefinitionReading, DefinitionSource, ServerDefinition } from './serverDefinition.ts';
import { unsetVariablesOf, type VariableContext } from './variables.ts';
import { idOf, labelServers, maxNameLength, readServerName, shownName } from './serverNames.ts';

type Unlabelled = Omit<ServerDefinition, 'label'>;

/** Each definition is taken whole from one scope. A problem with one is reported and harms no other. */
export function readDefinitions(sources: readonly DefinitionSource[], env?: VariableContext['env']): DefinitionReading {
  const problems: DefinitionProblem[] = [];
  const found = sources.flatMap((source) => {
    const report = reporterOf(source, problems);
    const read = readSource(source, report);
    read.forEach((definition) => reportUnset(definition, env, report));
    return read;
  });
  return { definitions: labelServers(found), problems };
}

/** Without an environment nothing is known of its variables, and nothing is said. */
function reportUnset({ name, raw }: Unlabelled, env: VariableContext['env'] | undefined, report: Report): void {
  const unset = env === undefined || raw.disabled === true ? [] : unsetVariablesOf(raw, env);
  for (const { variable, path } of unset) {
    const told = { name: shownName(name), field: path.join('.'), variable: revealInvisible(variable) };
    report('warning', definitionProblem('definitions.unsetVariable', told), { server: name, path });
  }
}

function readSource(source: DefinitionSource, report: Report): readonly Unlabelled[] {
  if (source.unreadable !== undefined) {
    report('error', source.unreadable);
    if (source.value === undefined) {
      return [];
    }
  }
  const inputs = readInputs(source, report);
  return readNames(readServers(source.value, report), report).flatMap(
    ([name, raw]) => readOne({ source, inputs }, name, raw, report) ?? [],
  );
}

/** The definitions by server name. Of two keys that mean the same name, the last counts, as in JSON. */
function readNames(servers: JsonObject, report: Report): readonly (readonly [name: string, raw: unknown])[] {
  const named = new Map<string, unknown>();
  for (const [key, raw] of Object.entries(servers)) {
    const name = readName(key, report);
    if (name !== undefined && named.delete(name)) {
      report('warning', definitionProblem('definitions.sameName', { name: shownName(name) }), { server: name });
    }
    if (name !== undefined) {
      named.set(name, raw);
    }
  }
  return [...named];
}

function readName(key: string, report: Report): string | undefined {
  const read = readServerName(key);
  const name = shownName(key);
  switch (read.kind) {
    case 'name':
      if (read.isMixed) {
        report('warning', definitionProblem('definitions.mixedScripts', { name }), { server: read.name });
      }
      return read.name;
    case 'reserved':
      report('error', definitionProblem('definitions.reservedName', { name }), { server: name });
      return undefined;
    case 'withPlace':
      report('error', definitionProblem('definitions.nameWithPlace', { name }), { server: name });
      return undefined;
    case 'bad':
      report('error', definitionProblem('definitions.badName', { name, longest: maxNameLength }), { server: name });
      return undefined;
  }
}

function readServers(value: unknown, report: Report): JsonObject {
  if (value === undefined || value === null) {
    return {};
  }
  if (!isJsonObject(value)) {
    report('error', definitionProblem('definitions.serversNotAnObject'));
    return {};
  }
  return unwrap(value);
}

/** People paste `{"mcpServers": {…}}` from other hosts, as a whole or among other servers. */
function unwrap(value: JsonObject): JsonObject {
  const { mcpServers, ...others } = value;
  const isWrapper = isJsonObject(mcpServers) && !('command' in mcpServers) && !('url' in mcpServers);
  return isWrapper ? { ...mcpServers, ...others } : value;
}

interface Place {
  readonly source: DefinitionSource;
  readonly inputs: ReadonlyMap<string, InputDefinition>;
}

function readOne({ source, inputs: known }: Place, name: string, raw: unknown, report: Report): Unlabelled | undefined {
  if (!isJsonObject(raw)) {
    report('error', definitionProblem('definitions.notAnObject', { name }), { server: name });
    return undefined;
  }
  const kind = kindOf(raw);
  if (kind === undefined) {
    report('error', definitionProblem('definitions.commandOrUrl', { name }), { server: name });
    return undefined;
  }
  const isForeign = source.scope === 'discovered';
  const parsed =
    kind === 'stdio'
      ? { kind, raw: isForeign ? parseForeign(raw, name, report) : parse(stdioDefinition(), raw, { name, isForeign }, report) }
      : { kind, raw: parse(remoteDefinition(), usualType(raw), { name, isForeign }, report) };
  const inputs = parsed.raw && usedInputs(parsed.raw, known, name, report);
  if (inputs === undefined) {
    return undefined;
  }
  const { scope, folder, location } = source;
  return {
    id: idOf(source, name),
    name,
    scope,
    folder,
    location,
    file: source.file?.name,
    path: source.file?.path,
    inputs,
    ...parsed,
  } as Unlabelled;
}

/**
 * VS Code's file says in keys of its own that VS Code confines a server, and from which gallery it installed one. How far VS Code
 * confines it is for VS Code alone, and is not read.
 */
function parseForeign(raw: JsonObject, name: string, report: Report): StdioDefinition | undefined {
  const parsed = parse<StdioDefinition>(foreignStdioDefinition(), raw, { name, isForeign: true }, report);
  const { gallery } = raw;
  const registry = typeof gallery === 'string' && gallery !== '' ? gallery : gallery === true ? 'VS Code' : undefined;
  return (
    parsed && { ...parsed, ...(raw['sandboxEnabled'] === true ? { sandbox: true } : {}), ...(registry === undefined ? {} : { registry }) }
  );
}

/** Some hosts write the full name of the transport. */
function usualType(raw: JsonObject): JsonObject {
  const { type } = raw;
  return type === 'streamable-http' || type === 'streamableHttp' ? { ...raw, type: 'http' } : raw;
}

function kindOf(raw: JsonObject): ServerDefinition['kind'] | undefined {
  const hasCommand = 'command' in raw;
  const hasUrl = 'url' in raw;
  if (hasCommand === hasUrl) {
    return undefined;
  }
  return hasCommand ? 'stdio' : 'remote';
}

/**
 * Unknown keys are left out; they are reported unless the file is another host's, which has keys of its own. Any other
 * mistake makes the definition unusable.
 */
function parse<T>(
  schema: z.ZodType<T>,
  raw: JsonObject,
  { name, isForeign }: { name: string; isForeign: boolean },
  report: Report,
): T | undefined {
  const first = schema.safeParse(raw);
  if (first.success) {
    return first.data;
  }
  let known: JsonObject = raw;
  let isUsable = true;
  for (const issue of first.error.issues) {
    const path = pathOf(issue);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        if (!isForeign) {
          reportUnknown(name, [...path, key], report);
        }
        known = without(known, [...path, key]);
      }
    } else {
      isUsable = false;
      report('error', problemOfField(readIssue(issue), { name, field: path.join('.') }), { server: name, path });
    }
  }
  return isUsable ? schema.safeParse(known).data : undefined;
}

function reportUnknown(name: string, path: readonly (string | number)[], report: Report): void {
  const key = revealInvisible(String(path.at(-1)));
  report('warning', definitionProblem('definitions.unknownField', { name, key }), { server: name, path });
}

function problemOfField(issue: SchemaIssue, place: { readonly name: string; readonly field: string }): AppError {
  switch (issue.kind) {
    case 'wrongType':
      return definitionProblem('definitions.wrongType', { ...place, expected: issue.expected });
    case 'noneOfSeveral':
      return definitionProblem('definitions.wrongType', { ...place, expected: expectedOfSeveral(place.field) });
    case 'wrongValue':
      return definitionProblem('definitions.wrongValue', { ...place, values: issue.values.join(', ') });
    case 'empty':
      return definitionProblem('definitions.emptyField', place);
    case 'tooSmall':
      return definitionProblem('definitions.tooSmall', { ...place, least: issue.least });
    case 'tooLarge':
      return definitionProblem('definitions.tooLarge', { ...place, most: issue.most });
    case 'other':
      return definitionProblem('definitions.badField', { ...place, reason: issue.reason });
  }
}

function without(value: JsonObject, path: readonly (string | number)[]): JsonObject {
  const [step, ...deeper] = path;
  if (step === undefined) {
    return value;
  }
  const { [step]: member, ...others } = value;
  return deeper.length > 0 && isJsonObject(member) ? { ...others, [step]: without(member, deeper) } : others;
}
