import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ForeignFileKind } from '../../contract/definitionSchemas.ts';
import { definitionProblem } from '../definitionProblems.ts';
import { type ForeignPlace, type ForeignPlacesContext, sourceOf, unreadableFile, withEnvironmentNames } from './foreignFiles.ts';
import { inOurForm } from '../pasted/pastedJson.ts';
import type { DefinitionSource } from '../serverDefinition.ts';

/** No definition nests deeper than this. */
const deepest = 20;

/** Reads a file of another program. A file that cannot be understood is reported by itself and harms no other. */
export function readForeignFile(place: ForeignPlace, text: string, env: ForeignPlacesContext['env'] = {}): DefinitionSource {
  const source = sourceOf(place);
  const { path: file } = place;
  if (isTooDeep(text)) {
    return unreadableFile(place, definitionProblem('definitions.fileTooDeep', { file }));
  }
  const errors: ParseError[] = [];
  const root: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    const mistake = printParseErrorCode(first.error);
    return unreadableFile(place, definitionProblem('definitions.fileMalformed', { file, mistake, line }));
  }
  if (root === undefined || root === null) {
    return source;
  }
  if (!isJsonObject(root)) {
    return unreadableFile(place, definitionProblem('definitions.fileNotAnObject', { file }));
  }
  const inputs = inputsOf(root, place.kind);
  return { ...source, value: serversOf(root, place.kind, env), ...(inputs === undefined ? {} : { inputs }) };
}

/** Where each program keeps its servers. */
const containerWay = ['customizations', 'vscode', 'mcp'];
const ways: Readonly<Partial<Record<ForeignFileKind, readonly string[]>>> = {
  vscode: ['servers'],
  vscodeUser: ['servers'],
  devcontainer: [...containerWay, 'servers'],
};
/** People also copy the key of another program with its servers. */
const otherKeys = ['mcpServers', 'servers', 'context_servers'];
/** Programs whose definitions have other fields than ours. */
const otherForms: readonly ForeignFileKind[] = ['copilotCli', 'windsurf'];

function serversOf(root: JsonObject, kind: ForeignFileKind, env: ForeignPlacesContext['env']): unknown {
  const own = memberAt(root, ways[kind] ?? ['mcpServers']);
  if (kind === 'devcontainer') {
    return mapServers(withEnvironmentNames(withContainerNames(own), env));
  }
  if (own === undefined) {
    return mapServers(withEnvironmentNames(otherKeys.map((key) => root[key]).find(isJsonObject), env));
  }
  const known = isOfEditor(kind) ? own : withEnvironmentNames(own, env);
  return otherForms.includes(kind) ? mapServers(known) : known;
}

function isOfEditor(kind: ForeignFileKind): boolean {
  return kind === 'vscode' || kind === 'vscodeUser';
}

function inputsOf(root: JsonObject, kind: ForeignFileKind): unknown {
  return kind === 'devcontainer' ? memberAt(root, [...containerWay, 'inputs']) : isOfEditor(kind) ? root['inputs'] : undefined;
}

function memberAt(root: JsonObject, way: readonly string[]): unknown {
  return way.reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), root);
}

/** Puts each definition into our form. What is none stays as it is, and is reported with the others. */
function mapServers(servers: unknown): unknown {
  return isJsonObject(servers)
    ? Object.fromEntries(Object.entries(servers).map(([name, raw]) => [name, isJsonObject(raw) ? inOurForm(withToolList(raw)) : raw]))
    : servers;
}

/** Windsurf lists the tools that are off. */
function withToolList({ disabledTools, ...raw }: JsonObject): JsonObject {
  return Array.isArray(disabledTools) && raw['tools'] === undefined ? { ...raw, tools: { exclude: disabledTools } } : raw;
}

/** The variables of a container's file: where they are read is the container, and so this window's machine. */
function withContainerNames(value: unknown): unknown {
  if (typeof value === 'string') {
    return value
      .replace(/\$\{(?:local|container)Env:([A-Za-z_]\w*)(?::([^{}]*))?\}/g, (_whole, name: string, otherwise: string | undefined) =>
        otherwise === undefined ? `\${env:${name}}` : `\${${name}:-${otherwise}}`,
      )
      .replace(/\$\{(?:local|container)WorkspaceFolder\}/g, '${workspaceFolder}');
  }
  if (Array.isArray(value)) {
    return value.map(withContainerNames);
  }
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withContainerNames(each)])) : value;
}

/**
 * Counts brackets outside of strings, before any parser has to follow them. Brackets in comments are counted too, which only
 * makes it stricter.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText) {
      at += character === '\\' ? 1 : 0;
      isText = character !== '"' && character !== '\n';
    } else if (character === '"') {
      isText = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > deepest) {
        return true;
      }
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return false;
}
