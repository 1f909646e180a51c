// settings/: every setting, once, with its schema and its default (this file), and what is said about a value that does not fit.
import * as z from 'zod';
import { once } from '../../base/late.ts';
import { logLevels } from '../../base/log.ts';
import { foreignFileKind, inputDefinition } from '../definitionSchemas.ts';
import { allowedOrigin, limitsSetting, policySetting, tlsSetting } from './serverSettings.ts';

/** Where a setting can be set, in VS Code's own words: `application` for the user only, `window` also for a workspace, `resource` also for a folder. */
type SettingScope = 'application' | 'window' | 'resource';

export interface Setting {
  /** Makes the schema when the setting is first read. */
  readonly schema: () => z.ZodType;
  readonly scope: SettingScope;
  /** The default, as it would stand in a settings file. */
  readonly default: unknown;
  /** The value means something on this machine only, so VS Code does not sync it. */
  readonly ignoreSync?: true;
  /** An entry that cannot be read is left out, and the others count. */
  readonly entryByEntry?: true;
  /** No default takes the place of a malformed value: the code that reads the setting has to say what holds then. */
  readonly neverIgnored?: true;
}

/** Every setting, once. A test compares this table with package.json. */
export const settings = {
  // VS Code is told no more of a definition than that it is an object: the language server checks and completes the rest, once.
  'duplex.mcpServers': { schema: once(() => z.record(z.string(), z.record(z.string(), z.unknown()))), scope: 'resource', default: {} },
  'duplex.inputs': { schema: once(() => z.array(inputDefinition())), scope: 'resource', default: [] },
  'duplex.discovery': {
    // The same value twice is harmless; the settings editor need not offer it.
    schema: once(() => z.array(foreignFileKind()).meta({ uniqueItems: true })),
    scope: 'application',
    default: ['vscode', 'mcpJson'],
  },
  // The person's alone: what is installed comes from there.
  'duplex.registry.url': { schema: once(() => z.string()), scope: 'application', default: 'https://registry.modelcontextprotocol.io' },
  'duplex.anthropic.baseUrl': { schema: once(() => z.string()), scope: 'application', default: '' },
  'duplex.chat.provider': { schema: once(() => z.enum(['auto', 'anthropic', 'vscode', 'offline'])), scope: 'application', default: 'auto' },
  // The person's alone, as the provider is: the name of a model can say who hears the conversation (`vscode:…`).
  'duplex.chat.model': { schema: once(() => z.string()), scope: 'application', default: '' },
  'duplex.chat.thinking': { schema: once(() => z.boolean()), scope: 'window', default: false },
  'duplex.chat.maxRounds': { schema: once(() => z.number().int().min(1).max(1_000)), scope: 'window', default: 25 },
  'duplex.chat.maxTokens': { schema: once(() => z.number().int().min(1).max(1_000_000)), scope: 'window', default: 8_192 },
  // The person's alone: a repository must not speak in their name.
  'duplex.chat.instructions': { schema: once(() => z.string()), scope: 'application', default: '' },
  'duplex.server.enabled': { schema: once(() => z.boolean()), scope: 'application', default: true },
  'duplex.server.port': { schema: once(() => z.number().int().min(0).max(65_535)), scope: 'application', default: 0, ignoreSync: true },
  'duplex.server.allowedOrigins': { schema: once(() => z.array(allowedOrigin())), scope: 'application', default: [], entryByEntry: true },
  // What is wrong with it must not count as "nothing forbidden".
  'duplex.server.policy': { schema: policySetting, scope: 'application', default: [], entryByEntry: true, neverIgnored: true },
  'duplex.server.limits': { schema: limitsSetting, scope: 'application', default: {}, entryByEntry: true },
  // The person's alone: a repository must not offer anything.
  'duplex.server.offeredServers': {
    schema: once(() => z.array(z.string().min(1)).meta({ uniqueItems: true })),
    scope: 'application',
    default: [],
    entryByEntry: true,
  },
  'duplex.server.toolList': { schema: once(() => z.enum(['search', 'all'])), scope: 'application', default: 'search' },
  // What is wrong with it must not count as "no certificate wanted".
  'duplex.server.tls': { schema: tlsSetting, scope: 'application', default: {}, ignoreSync: true, neverIgnored: true },
  'duplex.tests.command': { schema: once(() => z.string()), scope: 'window', default: '' },
  'duplex.tests.reports': { schema: once(() => z.array(z.string())), scope: 'window', default: [] },
  'duplex.log.level': { schema: once(() => z.enum(logLevels)), scope: 'application', default: 'info' },
} as const satisfies Readonly<Record<string, Setting>>;

type Settings = typeof settings;
type NamesWith<Property> = { [N in SettingName]: Settings[N] extends Property ? N : never }[SettingName];

export type SettingName = keyof Settings;
export type SettingValue<N extends SettingName> = z.infer<ReturnType<Settings[N]['schema']>>;

/** The settings that are read for the whole window. Those of folders are read scope by scope, because VS Code would merge a repository's fields into the person's. */
export type WindowSettingName = Exclude<SettingName, NamesWith<{ readonly scope: 'resource' }>>;
/** The settings for which a default may stand in when the value is malformed. */
export type IgnorableSettingName = Exclude<WindowSettingName, NamesWith<{ readonly neverIgnored: true }>>;
/** The settings of which nothing counts when anything in them is wrong. */
export type WholeSettingName = Exclude<NamesWith<{ readonly neverIgnored: true }>, NamesWith<{ readonly entryByEntry: true }>>;
