import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser/lib/esm/main.js';
import type { AppError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { definitionProblem } from './definitionProblems.ts';
import type { ForeignPlace } from './foreignPlaces.ts';
import type { DefinitionSource } from './serverDefinition.ts';

/** Deeper than any definition goes; what is deeper is not worth a stack. */
const deepest = 20;

/** Pure. What a file of another program says; a file that cannot be understood says so itself and harms no other. */
export function readForeignFile(place: ForeignPlace, text: string): DefinitionSource {
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
  const servers = place.kind === 'vscode' ? root['servers'] : root['mcpServers'];
  const value = place.kind === 'mcpJson' ? withEnvironmentNames(servers) : servers;
  return { ...source, value, ...(place.kind === 'vscode' ? { inputs: root['inputs'] } : {}) };
}

/** The file is there but says nothing. */
export function unreadableFile(place: ForeignPlace, unreadable: AppError): DefinitionSource {
  return { ...sourceOf(place), unreadable };
}

function sourceOf({ path, name, folder }: ForeignPlace): DefinitionSource {
  return { scope: 'discovered', folder, file: { path, name }, value: undefined, location: path };
}

/** In `.mcp.json` a variable of the environment is written `${NAME}`. */
export function withEnvironmentNames(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) =>
      name === 'workspaceFolder' || name === 'userHome' ? whole : `\${env:${name}}`,
    );
  }
  if (Array.isArray(value)) {
    return value.map(withEnvironmentNames);
  }
  return isJsonObject(value) ? mapMembers(value) : value;
}

function mapMembers(value: JsonObject): unknown {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withEnvironmentNames(member)]));
}

/** Counts brackets outside of texts and before any parser has to follow them. Comments may only make it count too much. */
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
