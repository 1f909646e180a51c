import * as z from 'zod';

const members = z.record(z.string(), z.unknown());

const clientCapabilities = z.object({
  experimental: z.record(z.string(), members).optional(),
  extensions: z.record(z.string(), members).optional(),
  roots: z.object({ listChanged: z.boolean().optional() }).optional(),
  sampling: z.object({ context: members.optional(), tools: members.optional() }).optional(),
  elicitation: z.object({ form: z.object({ applyDefaults: z.boolean().optional() }).optional(), url: members.optional() }).optional(),
  tasks: z
    .object({
      list: members.optional(),
      cancel: members.optional(),
      requests: z
        .object({
          sampling: z.object({ createMessage: members.optional() }).optional(),
          elicitation: z.object({ create: members.optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});

const icon = z.object({
  src: z.string(),
  mimeType: z.string().optional(),
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

/**
 * The parameters of `initialize`: with others no window begins a session, and no bridge in its place. The schema is as strict as that
 * of the official SDK; a test compares the two. The SDK's own schema would load those of all other messages, which take about 25 ms
 * to build.
 */
export const initializeParams = z.object({
  protocolVersion: z.string(),
  capabilities: clientCapabilities,
  clientInfo: z.object({
    name: z.string(),
    title: z.string().optional(),
    version: z.string(),
    description: z.string().optional(),
    websiteUrl: z.string().optional(),
    icons: z.array(icon).optional(),
  }),
  _meta: z.object({ progressToken: z.union([z.string(), z.int()]).optional() }).optional(),
});
