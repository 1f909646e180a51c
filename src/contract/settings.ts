import * as z from 'zod';

/** VS Code's own words: `application` is user only, `resource` also workspace and folder, `window` also workspace. */
type SettingScope = 'application' | 'window' | 'resource';

interface Setting {
  readonly schema: z.ZodType;
  readonly scope: SettingScope;
  readonly default: unknown;
}

/** Every setting, once. A test compares this table with package.json. */
export const settings = {
  'duplex.mcpServers': { schema: z.record(z.string(), z.unknown()), scope: 'resource', default: {} },
  'duplex.inputs': { schema: z.array(z.unknown()), scope: 'resource', default: [] },
  'duplex.discovery': {
    schema: z.array(z.enum(['vscode', 'mcpJson', 'claudeDesktop', 'cursor'])),
    scope: 'application',
    default: ['vscode', 'mcpJson'],
  },
  'duplex.anthropic.baseUrl': { schema: z.string(), scope: 'application', default: '' },
  'duplex.chat.provider': { schema: z.enum(['auto', 'anthropic', 'offline']), scope: 'application', default: 'auto' },
  'duplex.chat.model': { schema: z.string(), scope: 'window', default: '' },
  'duplex.chat.maxRounds': { schema: z.number().int().min(1).max(1_000), scope: 'window', default: 25 },
  'duplex.chat.maxTokens': { schema: z.number().int().min(1).max(1_000_000), scope: 'window', default: 8_192 },
  'duplex.server.enabled': { schema: z.boolean(), scope: 'application', default: true },
  'duplex.server.port': { schema: z.number().int().min(0).max(65_535), scope: 'application', default: 0 },
  'duplex.server.allowedOrigins': { schema: z.array(z.string()), scope: 'application', default: [] },
  // Read as they are: a value of the wrong kind must not count as "nothing forbidden" or "no certificate wanted".
  'duplex.server.policy': { schema: z.unknown(), scope: 'application', default: [] },
  'duplex.server.limits': { schema: z.record(z.string(), z.unknown()), scope: 'application', default: {} },
  'duplex.server.tls': { schema: z.unknown(), scope: 'application', default: {} },
  'duplex.tests.command': { schema: z.string(), scope: 'window', default: '' },
  'duplex.tests.reports': { schema: z.array(z.string()), scope: 'window', default: [] },
  'duplex.log.level': {
    schema: z.enum(['off', 'error', 'warn', 'info', 'debug', 'trace']),
    scope: 'application',
    default: 'info',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;
export type SettingValue<N extends SettingName> = z.infer<(typeof settings)[N]['schema']>;
