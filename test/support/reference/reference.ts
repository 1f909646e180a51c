import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { settings } from '../../../src/contract/settings.ts';
import { prompts } from '../../../src/server/offer/prompts/promptTable.ts';
import { resources, templates } from '../../../src/server/offer/resources/resourceTable.ts';
import type { EditorTool } from '../../../src/server/offer/tools/tool.ts';
import { tools } from '../../../src/server/offer/tools/toolTable.ts';
import { kindOf, membersOf, objectOf } from './schemaText.ts';

const root = join(import.meta.dirname, '../../..');
export const readmePath = join(root, 'README.md');

const startMark = '<!-- reference: written by `npm run reference` from the code; changes here are overwritten -->';
const endMark = '<!-- end of the reference -->';

/** README with its reference as the code says it now. */
export async function withReference(readme: string): Promise<string> {
  const start = readme.indexOf(startMark);
  const end = readme.indexOf(endMark);
  if (start < 0 || end < start) {
    throw new Error('README.md has lost the marks of its reference.');
  }
  const text = `${readme.slice(0, start)}${startMark}\n\n${reference()}\n\n${readme.slice(end)}`;
  return format(text, { ...(await resolveConfig(readmePath)), parser: 'markdown' });
}

function reference(): string {
  const looking = tools.filter(({ acts }) => !acts);
  const acting = tools.filter(({ acts }) => acts);
  return [
    `### Tools that look\n\n${looking.map(describeTool).join('\n\n')}`,
    `### Tools that act\n\n${acting.map(describeTool).join('\n\n')}`,
    `### Resources\n\nAll of them can be subscribed to.\n\n${resourceTable()}`,
    `### Prompts\n\n${promptTable()}`,
    `### Settings\n\n${settingTable()}`,
    `### Commands\n\n${commandTable()}`,
  ].join('\n\n');
}

/** A name in bold rather than a heading: thirty of those would fill every table of contents. */
function describeTool({ name, listing, role, asks, acts, taskSupport }: EditorTool): string {
  const notes = [
    `_${role}_`,
    ...(acts && asks === 'call' ? ['asks each time'] : []),
    ...(taskSupport === undefined ? [] : ['also as a task']),
  ];
  const inputs = inputLines(listing.inputSchema);
  const output = membersOf(listing.outputSchema);
  return [
    `**\`${name}\`** · ${notes.join(' · ')}<br>${plain(listing.description)}`,
    [...inputs, `- returns \`{${output}}\``].join('\n'),
  ].join('\n\n');
}

function inputLines(schema: JsonValue | undefined): string[] {
  const { properties, required } = objectOf(schema);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(objectOf(properties)).map(([name, member]) => {
    const { description, default: preset } = objectOf(member);
    const facts = [
      kindOf(member, schema),
      ...(needed.has(name) ? [] : [preset === undefined ? 'optional' : `default \`${JSON.stringify(preset)}\``]),
    ];
    return `- \`${name}\` (${facts.join(', ')})${typeof description === 'string' ? `: ${plain(description)}` : ''}`;
  });
}

function resourceTable(): string {
  const fixed = resources.map(({ listing, role }) => [code(listing.uri), plain(listing.description), role]);
  const open = templates.map(({ listing, role }) => [code(listing.uriTemplate), plain(listing.description), role]);
  return table(['URI', 'what it is', 'role'], [...fixed, ...open]);
}

function promptTable(): string {
  return table(
    ['prompt', 'what it asks for', 'arguments'],
    prompts.map(({ name, description, arguments: all }) => [
      code(name),
      plain(description),
      all
        .map((argument) => `${code(argument.name)}${argument.isRequired === true ? '' : ' (optional)'}: ${plain(argument.description)}`)
        .join('<br>'),
    ]),
  );
}

const scopes = { application: 'user only', window: 'user, workspace', resource: 'user, workspace, folder' };

function settingTable(): string {
  const manifest = readJson('package.json');
  const properties = objectOf(objectOf(objectOf(manifest.contributes).configuration).properties);
  return table(
    ['setting', 'default', 'where', 'what it does'],
    Object.entries(settings).map(([name, { scope, default: preset }]) => {
      const { description, markdownDescription } = objectOf(properties[name]);
      return [code(name), code(JSON.stringify(preset)), scopes[scope], localised(markdownDescription ?? description)];
    }),
  );
}

function commandTable(): string {
  const { contributes } = readJson('package.json');
  const { commands } = objectOf(contributes);
  return table(
    ['command', 'id'],
    (Array.isArray(commands) ? commands : []).map((entry: JsonValue) => {
      const { title, category, command } = objectOf(entry);
      return [`${text(category)}: ${localised(title)}`, code(command)];
    }),
  );
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(value: JsonValue | undefined): string {
  return `\`${text(value)}\``;
}

/** Text that was not written as Markdown. */
function plain(value: JsonValue | undefined): string {
  return text(value)
    .replace(/[\\*`]|\b_|_\b/g, '\\$&')
    .replaceAll('<', '&lt;');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
