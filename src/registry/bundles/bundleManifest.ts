// bundles/: bundles of servers (.mcpb): fetched, checked, unpacked, and their manifests (this file) made definitions of our settings.
import * as z from 'zod';
import { once } from '../../base/late.ts';
import { registryError } from '../registryErrors.ts';

/** The most characters of an argument, a value or an option's description in a manifest. */
const maxText = 4_000;
/** The most options that a manifest lets the person configure. */
const maxOptions = 100;

const text = z.string().max(maxText);
const prose = z.string().max(100_000).optional();
/** What the manifest may hold and nothing here depends on. */
const unread = z.unknown().optional();
const manifestVersion = z.enum(['0.1', '0.2', '0.3', '0.4']);

const serverLine = {
  command: text.min(1),
  args: z.array(text).max(1_000).optional(),
  env: z.record(z.string().max(200), text).optional(),
};

const serverConfig = once(() =>
  z.strictObject({
    ...serverLine,
    platform_overrides: z.record(z.string().max(40), z.strictObject(serverLine).partial()).optional(),
  }),
);

const userOption = once(() =>
  z.strictObject({
    type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
    title: z.string().min(1).max(200),
    description: z.string().max(maxText),
    required: z.boolean().optional(),
    default: z.union([text, z.number(), z.boolean(), z.array(text).max(50)]).optional(),
    multiple: z.boolean().optional(),
    sensitive: z.boolean().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
  }),
);
export type BundleOption = Readonly<z.output<ReturnType<typeof userOption>>>;

const manifestSchema = once(() =>
  z.strictObject({
    $schema: unread,
    dxt_version: manifestVersion.optional(),
    manifest_version: manifestVersion.optional(),
    name: z.string().min(1).max(200),
    display_name: z.string().max(200).optional(),
    version: z.string().min(1).max(200),
    description: z.string().max(100_000),
    long_description: prose,
    author: z.strictObject({ name: z.string().max(200), email: prose, url: prose }),
    repository: unread,
    homepage: unread,
    documentation: unread,
    support: unread,
    icon: unread,
    icons: unread,
    screenshots: unread,
    localization: unread,
    server: z.strictObject({
      type: z.enum(['node', 'python', 'binary', 'uv']),
      entry_point: text.min(1),
      mcp_config: serverConfig().optional(),
    }),
    tools: unread,
    tools_generated: unread,
    prompts: unread,
    prompts_generated: unread,
    keywords: unread,
    license: unread,
    privacy_policies: unread,
    compatibility: z
      .strictObject({
        claude_desktop: unread,
        platforms: z.array(z.enum(['darwin', 'win32', 'linux'])).optional(),
        runtimes: unread,
      })
      .optional(),
    user_config: z
      .record(z.string().regex(/^[\w.-]{1,100}$/), userOption())
      .refine((options) => Object.keys(options).length <= maxOptions)
      .optional(),
    _meta: unread,
  }),
);

/** The manifest of a bundle, of the versions 0.1 to 0.4. */
export type BundleManifest = Readonly<z.output<ReturnType<typeof manifestSchema>>>;

/** Reads a manifest. Throws an AppError that says where it is not what its version wants. */
export function readManifest(source: string): BundleManifest {
  let raw: unknown;
  try {
    raw = JSON.parse(source.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw registryError('registry.badManifest', { place: 'JSON' }, { cause: error });
  }
  const { data, error } = manifestSchema().safeParse(raw);
  if (data === undefined) {
    throw registryError('registry.badManifest', { place: placeOf(error.issues[0]) });
  }
  const version = data.manifest_version ?? data.dxt_version;
  const isComplete = data.server.mcp_config !== undefined || data.server.type === 'uv';
  if (version === undefined || (data.server.type === 'uv' && version !== '0.4') || !isComplete) {
    throw registryError('registry.badManifest', { place: version === undefined ? 'manifest_version' : 'server' });
  }
  return data;
}

function placeOf(issue: z.core.$ZodIssue | undefined): string {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...(issue?.path ?? []), ...unknown].map(String).join('.').slice(0, 200);
}
