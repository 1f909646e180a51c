import * as z from 'zod';
import { once } from '../base/late.ts';

/** What every entry of `duplex.mcpServers` may have, in the form that people paste from other programs. Unknown keys are reported, not dropped silently. */
const common = once(() => ({
  disabled: z.boolean().optional(),
  timeout: z.number().int().min(1_000).max(3_600_000).optional(),
  tools: z.strictObject({ include: z.array(z.string()).optional(), exclude: z.array(z.string()).optional() }).optional(),
}));

/** A pattern of files to watch, relative to the workspace folder and never out of it: a workspace's definition must not learn when other files change. */
const watchPattern = once(() =>
  z
    .string()
    .min(1)
    .max(500)
    .refine((pattern) => !/^[/\\]|^[A-Za-z]:|\.\./.test(pattern), 'a pattern of files inside the workspace folder is needed'),
);

/** Options for a person who writes the server. */
const devOptions = once(() =>
  z.strictObject({
    watch: z.union([watchPattern(), z.array(watchPattern()).min(1).max(20)]).optional(),
    debug: z.enum(['node', 'python']).optional(),
  }),
);

/** A host that a confined server may reach: a name, `*.name`, `*` for all, or a port of this machine. Variables may stand in it. */
const boxHost = once(() =>
  z
    .string()
    .max(300)
    .regex(
      /^(?:\*|(?:\*\.)?(?:\$\{[^}]*\}|[A-Za-z0-9._-])+)(?::\d{1,5})?$/,
      'a host such as api.example.com, *.example.com or localhost:3000 is needed',
    ),
);

/** How far a confined server reaches beyond the box that every confined server has. */
const boxOptions = once(() => {
  const paths = z.array(z.string().min(1).max(4_000)).max(50).optional();
  return z.strictObject({ read: paths, write: paths, network: z.array(boxHost()).max(50).optional() });
});

export const stdioDefinition = once(() =>
  z.strictObject({
    type: z.literal('stdio').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
    envFile: z.string().optional(),
    cwd: z.string().optional(),
    dev: devOptions().optional(),
    sandbox: z.union([z.literal(true), boxOptions()]).optional(),
    registry: z.string().min(1).max(1_000).optional(),
    ...common(),
  }),
);

/** The definition in another program's file, where the keys `dev`, `sandbox` and `registry` belong to that program. */
export const foreignStdioDefinition = once(() => stdioDefinition().omit({ dev: true, sandbox: true, registry: true }));

export const remoteDefinition = once(() =>
  z.strictObject({
    type: z.enum(['http', 'sse', 'ws']).optional(),
    url: z.string().min(1),
    headers: z.record(z.string(), z.string()).optional(),
    tls: z.strictObject({ ca: z.string().optional(), cert: z.string().optional(), key: z.string().optional() }).optional(),
    auth: z
      .strictObject({ clientId: z.string().optional(), clientSecret: z.string().optional(), scopes: z.array(z.string()).optional() })
      .optional(),
    ...common(),
  }),
);

export type StdioDefinition = z.infer<ReturnType<typeof stdioDefinition>>;
/** Which debugger is attached to a server that the person writes. */
export type DebuggerKind = NonNullable<z.infer<ReturnType<typeof devOptions>>['debug']>;
export type RemoteDefinition = z.infer<ReturnType<typeof remoteDefinition>>;
export type RawServerDefinition = StdioDefinition | RemoteDefinition;

/** Where a definition was found. `remote`: in the settings of the machine that a remote window runs on. `discovered`: in another program's file; it is shown but never started by itself. */
export type DefinitionScope = 'user' | 'remote' | 'workspace' | 'folder' | 'discovered';

/** What every entry of `duplex.inputs` has, as in VS Code. */
const inputCommon = once(() => ({ id: z.string().min(1).max(100), description: z.string().optional(), default: z.string().optional() }));

export const promptStringInput = once(() =>
  z.object({ ...inputCommon(), type: z.literal('promptString'), password: z.boolean().optional() }),
);

export const pickStringInput = once(() =>
  z.object({
    ...inputCommon(),
    type: z.literal('pickString'),
    options: z.array(z.union([z.string(), z.object({ label: z.string(), value: z.string() })])).min(1),
  }),
);

export const inputDefinition = once(() => z.discriminatedUnion('type', [promptStringInput(), pickStringInput()]));
export type InputDefinition = z.infer<ReturnType<typeof inputDefinition>>;

/** Where servers of other programs are looked for: the values of `duplex.discovery`. */
export const foreignFileKind = once(() =>
  z.enum(['vscode', 'vscodeUser', 'mcpJson', 'devcontainer', 'claudeDesktop', 'copilotCli', 'cursor', 'windsurf']),
);
export type ForeignFileKind = z.infer<ReturnType<typeof foreignFileKind>>;

/** A task in tasks.json that runs a tool. package.json declares the same, and a test compares the two. */
export const toolTaskDefinition = once(() =>
  z.object({
    server: z.string().min(1),
    tool: z.string().min(1),
    arguments: z.record(z.string(), z.unknown()).optional(),
  }),
);
