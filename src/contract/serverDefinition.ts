import * as z from 'zod';

/** One entry of `duplex.mcpServers`, in the form people paste from other hosts. Unknown keys are reported, not dropped silently. */
const common = {
  disabled: z.boolean().optional(),
  timeout: z.number().int().min(1_000).max(3_600_000).optional(),
  tools: z.strictObject({ include: z.array(z.string()).optional(), exclude: z.array(z.string()).optional() }).optional(),
};

export const stdioDefinition = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  envFile: z.string().optional(),
  cwd: z.string().optional(),
  ...common,
});

export const remoteDefinition = z.strictObject({
  type: z.enum(['http', 'sse', 'ws']).optional(),
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
  tls: z.strictObject({ ca: z.string().optional(), cert: z.string().optional(), key: z.string().optional() }).optional(),
  auth: z
    .strictObject({ clientId: z.string().optional(), clientSecret: z.string().optional(), scopes: z.array(z.string()).optional() })
    .optional(),
  ...common,
});

export type StdioDefinition = z.infer<typeof stdioDefinition>;
export type RemoteDefinition = z.infer<typeof remoteDefinition>;
export type RawServerDefinition = StdioDefinition | RemoteDefinition;

export type DefinitionScope = 'user' | 'workspace' | 'folder';
