import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { replaceNode, type FileEdit } from '../definitions/movedSecret.ts';
import { remoteType } from '../definitions/pasted/pastedJson.ts';
import { textsOf } from '../definitions/variables.ts';
import { type DocumentKind, propertiesOf, type Property, propertyOf, rangeOf, serversPath } from './documents.ts';

/** The words of other tools for keys of a definition, and ours: Windsurf, Gemini CLI, Zed and Codex write them so. */
export const otherWords: ReadonlyMap<string, string> = new Map([
  ['serverUrl', 'url'],
  ['httpUrl', 'url'],
  ['endpoint', 'url'],
  ['environment', 'env'],
  ['environmentVariables', 'env'],
  ['workingDirectory', 'cwd'],
]);

/** Makes a section of another tool one of this file: its key, and in each server the words, the transport, the variables and the command. */
export function convertSection(section: Property, kind: DocumentKind): readonly FileEdit[] {
  const own = serversPath[kind].at(-1) ?? '';
  const servers = section.valueNode === undefined ? [] : propertiesOf(section.valueNode);
  return [replaceNode(section.keyNode, own), ...servers.flatMap(({ valueNode }) => (valueNode ? convertDefinition(valueNode, kind) : []))];
}

/** Puts one definition into the form of this file. */
function convertDefinition(definition: Node, kind: DocumentKind): readonly FileEdit[] {
  const command = propertyOf(definition, 'command')?.valueNode;
  const structured = command !== undefined && command.type !== 'string' ? convertCommand(definition, command) : undefined;
  return structured ?? [...keyChanges(definition), ...typeChange(definition), ...variableChanges(definition, kind)];
}

function keyChanges(definition: Node): readonly FileEdit[] {
  return propertiesOf(definition).flatMap(({ name, keyNode, valueNode }) => {
    const own = otherWords.get(name);
    if (own !== undefined) {
      return propertyOf(definition, own) === undefined ? [replaceNode(keyNode, own)] : [];
    }
    const isOn: unknown = name === 'enabled' && propertyOf(definition, 'disabled') === undefined ? valueNode?.value : undefined;
    return valueNode === undefined || typeof isOn !== 'boolean' ? [] : [replaceNode(keyNode, 'disabled'), replaceNode(valueNode, !isOn)];
  });
}

function typeChange(definition: Node): readonly FileEdit[] {
  const node = propertyOf(definition, 'type')?.valueNode;
  const own = ownType(node?.value);
  return node === undefined || own === undefined ? [] : [replaceNode(node, own)];
}

/** Our name of a transport that another tool calls otherwise; undefined when it is no such name. */
export function ownType(type: unknown): string | undefined {
  if (typeof type !== 'string' || type === 'remote') {
    return undefined;
  }
  const own = type === 'local' ? 'stdio' : remoteType(type);
  return own === type ? undefined : own;
}

/** In `.mcp.json` a variable is `${NAME}`, everywhere else `${env:NAME}`. */
function variableChanges(definition: Node, kind: DocumentKind): readonly FileEdit[] {
  const raw: unknown = getNodeValue(definition);
  return textsOf(isJsonObject(raw) ? raw : {}).flatMap(({ path, text }) => {
    const converted = withVariablesOf(kind, text);
    const node = converted === text ? undefined : findNodeAtLocation(definition, [...path]);
    return node === undefined ? [] : [replaceNode(node, converted)];
  });
}

const plainVariable = /\$\{([A-Za-z_]\w{0,200})(?::-([^}]{0,2000}))?\}/g;

/** A text with its variables as this kind of file has them. A default stands where its variable stood: our form has none. */
export function withVariablesOf(kind: DocumentKind, text: string): string {
  if (kind === 'mcpJson') {
    return text.replace(/\$\{env:([A-Za-z_]\w{0,200})\}/g, '${$1}');
  }
  return text.replace(plainVariable, (whole, name: string, otherwise: string | undefined) =>
    name === 'workspaceFolder' || name === 'userHome' ? whole : (otherwise ?? `\${env:${name}}`),
  );
}

/** A command that is a list, or an object as in Zed, becomes a command with arguments. The definition is written anew. */
function convertCommand(definition: Node, command: Node): readonly FileEdit[] | undefined {
  const raw: unknown = getNodeValue(definition);
  const value: unknown = getNodeValue(command);
  if (!isJsonObject(raw)) {
    return undefined;
  }
  const { args, env, enabled, ...rest } = raw;
  const others = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'command'));
  const inner: JsonObject = isJsonObject(value) ? value : {};
  const [program, ...first] = Array.isArray(value) ? listOf(value) : [inner['path'], ...listOf(inner['args'])];
  if (typeof program !== 'string') {
    return undefined;
  }
  const allArgs = [...first, ...listOf(args)];
  const allEnv = env ?? inner['env'];
  const written = {
    command: program,
    ...(allArgs.length > 0 ? { args: allArgs } : {}),
    ...(allEnv ? { env: allEnv } : {}),
    ...(enabled === false ? { disabled: true } : {}),
    ...others,
  };
  return [{ ...rangeOf(definition), newText: JSON.stringify(written, undefined, 2) }];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
