import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { editorServerName } from '../contract/identity.ts';
import { remoteDefinition, stdioDefinition, type InputDefinition } from '../contract/definitionSchemas.ts';
import { reporterOf, type Report } from './problemReport.ts';
import { readInputs, usedInputs } from './readInputs.ts';
import type { DefinitionProblem, DefinitionReading, DefinitionSource, ServerDefinition } from './serverDefinition.ts';
import { labelServers } from './serverLabels.ts';

type Unlabelled = Omit<ServerDefinition, 'label'>;
const longestName = 100;

/** Each definition is taken whole from one scope; what is wrong with one is reported and harms no other. */
export function readDefinitions(sources: readonly DefinitionSource[]): DefinitionReading {
  const problems: DefinitionProblem[] = [];
  const found = sources.flatMap((source) => readSource(source, reporterOf(source, problems)));
  return { definitions: labelServers(found), problems };
}

function readSource(source: DefinitionSource, report: Report): readonly Unlabelled[] {
  if (source.unreadable !== undefined) {
    report({ severity: 'error', ...source.unreadable });
    return [];
  }
  const inputs = readInputs(source.inputs, report);
  return Object.entries(readServers(source.value, report)).flatMap(([name, raw]) => readOne({ source, inputs }, name, raw, report) ?? []);
}

function readServers(value: unknown, report: Report): JsonObject {
  if (value === undefined || value === null) {
    return {};
  }
  if (!isJsonObject(value)) {
    report({ severity: 'error', code: 'definitions.notAnObject', message: 'The servers must be an object of name and definition.' });
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
  const nameProblem = problemOfName(name);
  if (nameProblem !== undefined) {
    report({ severity: 'error', server: revealInvisible(name), args: { name: revealInvisible(name) }, ...nameProblem });
    return undefined;
  }
  if (!isJsonObject(raw)) {
    report({ severity: 'error', code: 'definitions.notAnObject', server: name, message: `The definition of “${name}” must be an object.` });
    return undefined;
  }
  const kind = kindOf(raw);
  if (kind === undefined) {
    const message = `“${name}” needs either a command (a local server) or a url (a remote one).`;
    report({ severity: 'error', code: 'definitions.commandOrUrl', server: name, args: { name }, message });
    return undefined;
  }
  const isForeign = source.scope === 'discovered';
  const parsed =
    kind === 'stdio'
      ? { kind, raw: parse(stdioDefinition, raw, { name, isForeign }, report) }
      : { kind, raw: parse(remoteDefinition, usualType(raw), { name, isForeign }, report) };
  const inputs = parsed.raw && usedInputs(parsed.raw, known, name, report);
  if (inputs === undefined) {
    return undefined;
  }
  const { scope, folder, location } = source;
  return { id: idOf(source, name), name, scope, folder, location, file: source.file?.name, inputs, ...parsed } as Unlabelled;
}

/** Some hosts write the transport's whole name. */
function usualType(raw: JsonObject): JsonObject {
  const { type } = raw;
  return type === 'streamable-http' || type === 'streamableHttp' ? { ...raw, type: 'http' } : raw;
}

function problemOfName(name: string): { code: string; message: string } | undefined {
  if (name === editorServerName) {
    return { code: 'definitions.reservedName', message: `The name “${name}” is reserved for the editor's own server.` };
  }
  if (name.trim() === '' || name.length > longestName || revealInvisible(name) !== name || /[\n\t]/.test(name)) {
    return { code: 'definitions.badName', message: `A server's name must be 1 to ${longestName} visible characters.` };
  }
  return undefined;
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
 * Keys nobody knows are left out, and reported unless the file is another host's: those have their own. Everything else
 * wrong stops the definition.
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
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        if (!isForeign) {
          reportUnknown(name, [...path, key], report);
        }
        known = without(known, [...path, key]);
      }
    } else {
      isUsable = false;
      const field = path.join('.');
      const message = `“${name}”: ${field === '' ? '' : `${field}: `}${issue.message}`;
      report({
        severity: 'error',
        code: 'definitions.badField',
        server: name,
        path,
        args: { name, field, reason: issue.message },
        message,
      });
    }
  }
  return isUsable ? schema.safeParse(known).data : undefined;
}

function reportUnknown(name: string, path: readonly (string | number)[], report: Report): void {
  const key = revealInvisible(String(path.at(-1)));
  const message = `“${name}” has a field “${key}” that is not known and not used.`;
  report({ severity: 'warning', code: 'definitions.unknownField', server: name, path, args: { name, key }, message });
}

function without(value: JsonObject, path: readonly (string | number)[]): JsonObject {
  const [step, ...deeper] = path;
  if (step === undefined) {
    return value;
  }
  const { [step]: member, ...others } = value;
  return deeper.length > 0 && isJsonObject(member) ? { ...others, [step]: without(member, deeper) } : others;
}

/** Stable over sessions, different for every place. */
function idOf(source: DefinitionSource, name: string): string {
  switch (source.scope) {
    case 'user':
      return `user:${name}`;
    case 'workspace':
      return `workspace:${shortHash(source.workspace ?? '')}:${name}`;
    case 'folder':
      return `folder:${shortHash(source.folder?.path ?? '')}:${name}`;
    case 'discovered':
      return `file:${shortHash(source.file?.path ?? '')}:${name}`;
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
