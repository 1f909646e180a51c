import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { ErrorArguments } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { editorServerName } from '../contract/identity.ts';
import { remoteDefinition, stdioDefinition } from '../contract/serverDefinition.ts';
import type { DefinitionProblem, DefinitionReading, DefinitionSource, ServerDefinition } from './serverDefinition.ts';
import { labelServers } from './serverLabels.ts';

type Unlabelled = Omit<ServerDefinition, 'label'>;
type Report = (problem: Pick<DefinitionProblem, 'severity' | 'code' | 'message'> & ProblemPlace) => void;
interface ProblemPlace {
  readonly args?: ErrorArguments;
  readonly server?: string;
  readonly path?: readonly (string | number)[];
}

const longestName = 100;

/** Each definition is taken whole from one scope; what is wrong with one is reported and harms no other. */
export function readDefinitions(sources: readonly DefinitionSource[]): DefinitionReading {
  const problems: DefinitionProblem[] = [];
  const found = sources.flatMap((source) => {
    const report: Report = ({ severity, code, message, args = {}, server, path = [] }) => {
      const { scope, folder, location } = source;
      problems.push({ severity, code, message, args, scope, folder, location, server, path });
    };
    return Object.entries(readServers(source.value, report)).flatMap(([name, raw]) => readOne(source, name, raw, report) ?? []);
  });
  return { definitions: labelServers(found), problems };
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

function readOne(source: DefinitionSource, name: string, raw: unknown, report: Report): Unlabelled | undefined {
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
  const { scope, folder, location } = source;
  const common = { id: idOf(source, name), name, scope, folder, location };
  if (kind === 'stdio') {
    const parsed = parse(stdioDefinition, raw, name, report);
    return parsed && { ...common, kind, raw: parsed };
  }
  const parsed = parse(remoteDefinition, raw, name, report);
  return parsed && { ...common, kind, raw: parsed };
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

/** Keys nobody knows are reported and left out: other hosts have their own. Everything else wrong stops the definition. */
function parse<T>(schema: z.ZodType<T>, raw: JsonObject, name: string, report: Report): T | undefined {
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
        const message = `“${name}” has a field “${revealInvisible(key)}” that is not known and not used.`;
        report({ severity: 'warning', code: 'definitions.unknownField', server: name, path: [...path, key], args: { name, key }, message });
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
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
