import { prompts } from '../../../src/server/offer/prompts/promptTable.ts';
import { resources, templates } from '../../../src/server/offer/resources/resourceTable.ts';
import { tools } from '../../../src/server/offer/tools/toolTable.ts';
import { describedCommands, describedSettings } from './manifest.ts';
import { code, oneLine, plain, table } from './markdownText.ts';

/** The names of the reference with one line each. */
export function namesOnly(): string {
  return [
    `### Tools\n\n${toolTable()}`,
    `### Resources\n\n${resourceTable()}`,
    `### Prompts\n\n${promptTable()}`,
    `### Settings\n\n${settingTable()}`,
    `### Commands\n\n${commandTable()}`,
  ].join('\n\n');
}

function toolTable(): string {
  return table(
    ['tool', 'role', 'what it does'],
    tools.map(({ name, role, listing }) => [code(name), role, plain(oneLine(listing.description))]),
  );
}

function resourceTable(): string {
  const fixed = resources.map(({ listing, role }) => [code(listing.uri), role, plain(oneLine(listing.description))]);
  const open = templates.map(({ listing, role }) => [code(listing.uriTemplate), role, plain(oneLine(listing.description))]);
  return table(['URI', 'role', 'what it is'], [...fixed, ...open]);
}

function promptTable(): string {
  return table(
    ['prompt', 'what it asks for'],
    prompts.map(({ name, description }) => [code(name), plain(oneLine(description))]),
  );
}

function settingTable(): string {
  return table(
    ['setting', 'what it does'],
    describedSettings().map(({ name, description }) => [code(name), oneLine(description)]),
  );
}

function commandTable(): string {
  return table(
    ['command', 'id'],
    describedCommands().map(({ title, id }) => [title, code(id)]),
  );
}
