import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { ownType, otherWords } from './otherForms.ts';

/** The forms in which tools write a server, by the key that it stands under. */
export const copiedForms = ['servers', 'mcpServers', 'context_servers'] as const;
export type CopiedForm = (typeof copiedForms)[number];

/** Keys that each form has; whatever else a definition holds is for the tool that it was written for. */
const keysOf: Readonly<Record<CopiedForm, readonly string[]>> = {
  servers: ['type', 'command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers'],
  mcpServers: ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers'],
  context_servers: ['command', 'args', 'env', 'url', 'headers'],
};

/**
 * A server as another tool would have it in its file: a text to paste there. The file at hand is not changed, because its own tool
 * would not understand it any more. Undefined for what is no definition.
 */
export function writtenAs(form: CopiedForm, name: string, definition: unknown): string | undefined {
  const own = isJsonObject(definition) ? inOwnWords(definition) : undefined;
  if (own === undefined || (typeof own['command'] !== 'string' && typeof own['url'] !== 'string')) {
    return undefined;
  }
  const kept = Object.entries(own).filter(([key]) => keysOf[form].includes(key));
  const type = own['type'] ?? (own['command'] === undefined ? 'http' : 'stdio');
  const typed = form === 'context_servers' ? {} : { type };
  const written = { ...typed, ...Object.fromEntries(kept.map(([key, value]) => [key, withVariables(form, value)])) };
  return JSON.stringify({ [form]: { [name]: written } }, undefined, 2);
}

/** The definition with our words for keys and transports, and a command that is a text. */
function inOwnWords(definition: JsonObject): JsonObject {
  const { command, args, env, ...others } = definition;
  const renamed = Object.fromEntries(Object.entries(others).map(([key, value]) => [otherWords.get(key) ?? key, value]));
  const inner: JsonObject = isJsonObject(command) ? command : {};
  const list = Array.isArray(command) ? (command as readonly JsonValue[]) : undefined;
  const program = list === undefined ? (isJsonObject(command) ? inner['path'] : command) : list[0];
  const first = list?.slice(1) ?? listOf(inner['args']);
  const allArgs = [...first, ...listOf(args)];
  const allEnv = env ?? inner['env'];
  const type = ownType(others['type']);
  return {
    ...(program === undefined ? {} : { command: program }),
    ...(allArgs.length === 0 ? {} : { args: allArgs }),
    ...(allEnv === undefined ? {} : { env: allEnv }),
    ...renamed,
    ...(type === undefined ? {} : { type }),
  };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** VS Code has `${env:NAME}` and inputs; `.mcp.json` has `${NAME}` alone; Zed has no variables, so a name in brackets is left to fill in. */
function withVariables(form: CopiedForm, value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') {
    return textFor(form, value);
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((each) => withVariables(form, each) ?? null);
  }
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withVariables(form, each)])) : value;
}

function textFor(form: CopiedForm, text: string): string {
  return text.replace(
    /\$\{(?:(env|input):)?([\w.-]{1,200})(?::-([^}]{0,2000}))?\}/g,
    (whole, kind: string | undefined, name: string, otherwise) => {
      if (kind === undefined && /^(?:workspaceFolder|userHome)$/.test(name)) {
        return whole;
      }
      switch (form) {
        case 'servers':
          return kind === undefined ? ((otherwise as string | undefined) ?? `\${env:${name}}`) : whole;
        case 'mcpServers':
          return `\${${kind === 'input' ? variableOf(name) : name}}`;
        case 'context_servers':
          return `<${name}>`;
      }
    },
  );
}

function variableOf(input: string): string {
  return input.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}
