import type { JsonValue } from '../../../src/base/json.ts';
import { skillsExtension } from '../../../src/contract/protocolNames.ts';
import { prompts } from '../../../src/server/offer/prompts/promptTable.ts';
import { resources, templates } from '../../../src/server/offer/resources/resourceTable.ts';
import { skills } from '../../../src/server/offer/skills/skillTable.ts';
import type { EditorTool } from '../../../src/server/offer/tools/tool.ts';
import { wholeSchema } from '../../../src/server/offer/tools/toolSchemas.ts';
import { tools } from '../../../src/server/offer/tools/toolTable.ts';
import { describedCommands, describedSettings } from './manifest.ts';
import { code, plain, table } from './markdownText.ts';
import { kindOf, membersOf, objectOf } from './schemaText.ts';

/** Everything that clients and people can name, with what belongs to it. */
export function reference(): string {
  const looking = tools.filter(({ acts }) => !acts);
  const acting = tools.filter(({ acts }) => acts);
  return [
    `## Tools that look\n\n${looking.map(describeTool).join('\n\n')}`,
    `## Tools that act\n\n${acting.map(describeTool).join('\n\n')}`,
    `## Resources\n\nAll of them can be subscribed to.\n\n${resourceTable()}`,
    `## Skills\n\nBy \`skills/list\` and \`skills/get\` of \`${skillsExtension}\` (2026-07-28), and as resources in every revision. One is offered to a client that is offered every tool it names.\n\n${skillTable()}`,
    `## Prompts\n\n${promptTable()}`,
    `## Settings\n\n${settingTable()}`,
    `## Commands\n\n${commandTable()}`,
  ].join('\n\n');
}

/** A name in bold rather than a heading: thirty of those would fill every table of contents. */
function describeTool({ name, listing, input, output: schema, role, asks, acts, taskSupport }: EditorTool): string {
  const notes = [`_${role}_`, ...(acts && asks === 'call' ? ['asks first'] : []), ...(taskSupport === undefined ? [] : ['also as a task'])];
  const inputs = inputLines(wholeSchema(input));
  const output = membersOf(wholeSchema(schema));
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

function skillTable(): string {
  return table(
    ['URI', 'what it is for', 'tools'],
    skills.map(({ uri, description, tools: named }) => [code(uri), plain(description), named.map(code).join(' ')]),
  );
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
  return table(
    ['setting', 'default', 'where', 'what it does'],
    describedSettings().map(({ name, scope, default: preset, description }) => [
      code(name),
      code(JSON.stringify(preset)),
      scopes[scope],
      description,
    ]),
  );
}

function commandTable(): string {
  return table(
    ['command', 'id'],
    describedCommands().map(({ title, id }) => [title, code(id)]),
  );
}
