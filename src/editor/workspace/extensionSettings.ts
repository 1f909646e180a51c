import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../base/json.ts';

/** What a manifest contributes under one name, which may be one object or a list of them. */
export function contributed(manifest: unknown, name: string): readonly JsonObject[] {
  const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
  const found = isJsonObject(contributes) ? contributes[name] : undefined;
  return (Array.isArray(found) ? found : [found]).filter(isJsonObject);
}

/** The most settings that are shown one by one. */
const maxShown = 50;
/** The longest value, in characters of its JSON, that is shown whole. */
const maxValueLength = 1_000;

/**
 * The settings by which the workspace, or one of its folders, tells another extension what to run, such as `go.goroot`: extensions
 * change the variables of every terminal by them. Each with the values that are written there; of what is too much or too long there is
 * a hash, so that any change shows.
 */
export function workspaceChoices(): JsonObject {
  const places = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const configurations = places.map((place) => vscode.workspace.getConfiguration(undefined, place));
  const chosen = namesThatChoose().flatMap((name): readonly (readonly [string, string])[] => {
    const found = configurations.map((each) => each.inspect(name));
    const values = found.flatMap((each) => [each?.workspaceValue, each?.workspaceFolderValue]).filter((value) => value !== undefined);
    const written = [...new Set(values.map((value) => JSON.stringify(value)))];
    return written.length === 0 ? [] : [[name, written.length === 1 ? (written[0] ?? '') : `[${written.join(',')}]`]];
  });
  const more = chosen.slice(maxShown);
  return {
    ...Object.fromEntries(chosen.slice(0, maxShown).map(([name, text]) => [name, shownValue(text)])),
    ...(more.length > 0 && { [`${more.length} more`]: hashOf(JSON.stringify(more)) }),
  };
}

function shownValue(text: string): JsonObject[string] {
  return text.length <= maxValueLength ? (JSON.parse(text) as JsonObject[string]) : `${text.slice(0, maxValueLength)}… ${hashOf(text)}`;
}

function hashOf(text: string): string {
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * The settings that extensions declare for one machine, and those that VS Code ignores in Restricted Mode. Of the latter, those of
 * VS Code's own extensions are left out: many projects set one, such as `typescript.tsdk`, and none of them changes a terminal.
 */
function namesThatChoose(): readonly string[] {
  const names = vscode.extensions.all.flatMap(({ packageJSON }) => {
    const manifest: unknown = packageJSON;
    const isBuiltIn = isJsonObject(manifest) && manifest['isBuiltin'] === true;
    return [...ofMachine(manifest), ...(isBuiltIn ? [] : restricted(manifest))];
  });
  return [...new Set(names)].filter((name) => !name.startsWith('duplex.')).sort();
}

function ofMachine(manifest: unknown): readonly string[] {
  const declared = contributed(manifest, 'configuration').flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.entries(properties) : [],
  );
  const isOfMachine = (scope: unknown): boolean => scope === 'machine-overridable' || scope === 'machine';
  return declared.flatMap(([name, property]) => (isJsonObject(property) && isOfMachine(property['scope']) ? [name] : []));
}

function restricted(manifest: unknown): readonly string[] {
  const capabilities = isJsonObject(manifest) ? manifest['capabilities'] : undefined;
  const untrusted = isJsonObject(capabilities) ? capabilities['untrustedWorkspaces'] : undefined;
  const names = isJsonObject(untrusted) ? untrusted['restrictedConfigurations'] : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
