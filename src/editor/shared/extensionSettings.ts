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

/** The JSON of every value that is written for a setting, by its name. */
export type WrittenSettings = readonly (readonly [name: string, written: readonly string[]])[];

/** The settings with the values that are written for them; of what is too much or too long there is a hash, so that any change shows. */
export function shownSettings(settings: WrittenSettings): JsonObject {
  const texts = settings.map(([name, written]) => [name, written.length === 1 ? (written[0] ?? '') : `[${written.join(',')}]`] as const);
  const more = texts.slice(maxShown);
  return {
    ...Object.fromEntries(texts.slice(0, maxShown).map(([name, text]) => [name, shownValue(text)])),
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
 * The settings by which extensions are told what to run, such as `go.goroot`; they change the variables of every terminal by them.
 * Those are the ones for one machine, and those that VS Code ignores in Restricted Mode. Of the latter, those of VS Code's own
 * extensions are left out: many projects set one, such as `typescript.tsdk`, and none of them changes a terminal.
 */
export function settingsThatChoose(): readonly string[] {
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
