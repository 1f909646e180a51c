import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { settings, type Setting } from '../../../src/contract/settings/settings.ts';
import { text } from './markdownText.ts';
import { objectOf } from './schemaText.ts';

const root = join(import.meta.dirname, '../../..');

export interface DescribedSetting extends Pick<Setting, 'scope' | 'default'> {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
}

export interface DescribedCommand {
  readonly id: string;
  /** As the command palette shows it. */
  readonly title: string;
}

/** Every setting, described as the settings editor does. */
export function describedSettings(): readonly DescribedSetting[] {
  const { contributes } = readJson('package.json');
  const properties = objectOf(objectOf(objectOf(contributes).configuration).properties);
  return Object.entries(settings).map(([name, { scope, default: preset }]) => {
    const { description, markdownDescription } = objectOf(properties[name]);
    return { name, scope, default: preset, description: localised(markdownDescription ?? description) };
  });
}

export function describedCommands(): readonly DescribedCommand[] {
  const { commands } = objectOf(readJson('package.json').contributes);
  const described = (Array.isArray(commands) ? commands : []).map((entry: JsonValue) => {
    const { title, category, command } = objectOf(entry);
    return { id: text(command), title: `${text(category)}: ${localised(title)}` };
  });
  // What the row of a tree has under the same words does the same.
  return described.filter(({ id }) => !id.endsWith('.here'));
}

let texts: JsonObject | undefined;

function localised(value: JsonValue | undefined): string {
  texts ??= readJson('package.nls.json');
  const key = /^%(.+)%$/.exec(text(value))?.[1];
  return key === undefined ? text(value) : text(texts[key]);
}

function readJson(file: string): JsonObject {
  return objectOf(JSON.parse(readFileSync(join(root, file), 'utf8')) as JsonValue);
}
