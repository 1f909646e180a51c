import { AppError } from '../base/errors.ts';
import type { WorkspaceFolder } from './serverDefinition.ts';

export interface VariableContext {
  /** The folder a definition belongs to: its own, or the first of the workspace. */
  readonly folder: WorkspaceFolder | undefined;
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `value` is used; `shown` is for people and fingerprints: a variable of the environment stays a name there, it may be a secret. */
export interface Expanded {
  readonly value: string;
  readonly shown: string;
  /** The names of the environment variables in it. */
  readonly variables: readonly string[];
}

/** One pass: what a variable expands to is never looked at again. The result is one argv element, whatever it holds. */
export function expand(text: string, context: VariableContext): Expanded {
  const variables: string[] = [];
  const value = text.replace(/\$\{([^}]*)\}/g, (_whole, expression: string) => resolve(expression, context));
  const shown = text.replace(/\$\{([^}]*)\}/g, (whole, expression: string) => {
    const variable = environmentName(expression);
    if (variable === undefined) {
      return resolve(expression, context);
    }
    variables.push(variable);
    return whole;
  });
  return { value, shown, variables };
}

function resolve(expression: string, context: VariableContext): string {
  const separator = expression.indexOf(':');
  const kind = separator === -1 ? expression : expression.slice(0, separator);
  const argument = separator === -1 ? undefined : expression.slice(separator + 1);
  if (kind === 'workspaceFolder') {
    return folderPath(argument, context);
  }
  if (kind === 'userHome' && argument === undefined) {
    return context.userHome;
  }
  const variable = environmentName(expression);
  if (variable !== undefined) {
    return context.env[variable] ?? ''; // as VS Code does
  }
  if (kind === 'input') {
    throw new AppError('definitions.inputsNotYet', `\${${expression}} asks for an input. Inputs are not supported yet.`, {
      args: { variable: expression },
    });
  }
  throw new AppError('definitions.unknownVariable', `\${${expression}} is not a known variable.`, { args: { variable: expression } });
}

function environmentName(expression: string): string | undefined {
  return /^env:(.+)$/s.exec(expression)?.[1];
}

function folderPath(name: string | undefined, context: VariableContext): string {
  const folder = name === undefined ? context.folder : context.folders.find((each) => each.name === name);
  if (folder !== undefined) {
    return folder.path;
  }
  if (name === undefined) {
    throw new AppError('definitions.noFolder', '${workspaceFolder} is used, but no folder is open.');
  }
  throw new AppError('definitions.unknownFolder', `\${workspaceFolder:${name}} is used, but no folder of this workspace has that name.`, {
    args: { folder: name },
  });
}
