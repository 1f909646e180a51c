import { joinCommand } from '../../base/commandLine.ts';
import { isJsonObject, type JsonObject, type JsonValue, textOfJson } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { RegistryCard, RegistryInstallForm } from '../../contract/pages/registryMessages.ts';
import type { FilledDefinition } from '../../definitions/pasted/newInputs.ts';
import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import { type ConfiguredServer, installedOf } from '../../registry/installed.ts';
import { installFields } from '../../registry/installForm.ts';
import { type InstallWay, type Runtime, waysOf } from '../../registry/installWays.ts';
import type { RegistryEntry } from '../../registry/serverJson.ts';
import { errorSentence } from '../errorReporter.ts';
import type { Translate } from '../sentences/translate.ts';
import type { BundleDownload } from './bundleDownload.ts';

/** A configured server, as far as an entry could describe it. */
export function toConfigured({ id, label, ...rest }: ServerDefinition): ConfiguredServer {
  return rest.kind === 'stdio' ? { id, label, command: rest.raw.command, args: rest.raw.args } : { id, label, url: rest.raw.url };
}

/** An entry as the page shows it. Whatever would not be seen in its texts is written out. */
export function toCard(entry: RegistryEntry, servers: readonly ConfiguredServer[]): RegistryCard {
  const ways = waysOf(entry);
  return {
    name: revealInvisible(entry.name),
    title: revealInvisible(entry.title),
    description: revealInvisible(entry.description),
    version: revealInvisible(entry.version),
    updated: entry.updated,
    repository: entry.repository,
    website: entry.website,
    isDeprecated: entry.isDeprecated,
    ways: ways.map(toWay),
    unreadable: entry.unreadable,
    installed: installedOf(ways, servers).map(({ server, version, update, olderBundle, way }) => ({
      id: server.id,
      label: server.label,
      version: version === undefined ? undefined : revealInvisible(version),
      newer: update === undefined && olderBundle === undefined ? undefined : versionOf(way),
    })),
  };
}

function versionOf(way: InstallWay): string | undefined {
  switch (way.kind) {
    case 'package':
      return revealInvisible(way.package.version ?? way.target);
    case 'bundle':
      return revealInvisible(way.bundle.version);
    case 'remote':
      return undefined;
  }
}

/** A way as the page shows it. */
export function toWay(way: InstallWay): RegistryCard['ways'][number] {
  const { id, shown, refusal } = way;
  return {
    id,
    kind: way.kind === 'remote' ? 'remote' : revealInvisible(way.package.registryType),
    shown: revealInvisible(shown),
    problem: refusal === undefined ? undefined : revealInvisible(errorSentence(refusal)),
  };
}

/** The ways of an entry with their forms; `missing` says what is not on this machine yet, `downloads` how far its bundles are. */
export function toFormWays(
  entry: RegistryEntry,
  missing: ReadonlySet<Runtime>,
  downloads: ReadonlyMap<string, BundleDownload>,
  t: Translate,
): RegistryInstallForm['ways'] {
  return waysOf(entry).map((way) => ({
    ...toWay(way),
    missing: way.kind === 'package' && way.runtime !== undefined && missing.has(way.runtime) ? missingSentence(way.runtime, t) : undefined,
    fields: way.refusal === undefined ? installFields(way).map((each) => ({ ...each })) : [],
    ...downloads.get(way.id)?.shown(),
  }));
}

function missingSentence(runtime: Runtime, t: Translate): string {
  switch (runtime) {
    case 'npx':
      return t('npx was not found here. It comes with Node.js: if the server does not start, install that from nodejs.org.');
    case 'uvx':
      return t('uvx was not found here. It comes with uv: if the server does not start, install that from docs.astral.sh/uv.');
    case 'dnx':
      return t(
        'dnx was not found here. It comes with the .NET SDK 10: if the server does not start, install that from dotnet.microsoft.com.',
      );
    case 'docker':
      return t('docker was not found here. If the server does not start, install Docker from docs.docker.com.');
  }
}

/** The definition as it will be written, line by line. */
export function reviewLines(
  { definition, inputs, values }: FilledDefinition,
  t: Translate,
): NonNullable<RegistryInstallForm['review']>['lines'] {
  const { command, args, ...others } = definition;
  const words = [command, ...(Array.isArray(args) ? (args as readonly JsonValue[]) : [])].map(textOfJson);
  const program = command === undefined ? [] : [{ label: t('Command'), value: joinCommand(words) }];
  const fields = Object.entries(others).flatMap(([key, value]) =>
    isJsonObject(value)
      ? Object.entries(value).map(([inner, each]) => ({ label: `${key}.${inner}`, value: textOfJson(each) }))
      : [{ label: key, value: textOfJson(value) }],
  );
  const secrets = inputs.map(({ id }) => ({
    label: `\${input:${id}}`,
    value: values.has(id) ? t('its value is kept in your secret storage, not in the settings') : t('asked for at the start'),
  }));
  return [...program, ...fields, ...secrets].map(({ label, value }) => ({ label: revealInvisible(label), value: revealInvisible(value) }));
}

/** A command line, for people. */
export function commandLineOf({ command, args }: JsonObject): string {
  const words = [command, ...(Array.isArray(args) ? (args as readonly JsonValue[]) : [])];
  return revealInvisible(joinCommand(words.map(textOfJson)));
}
