import * as z from 'zod';

/** A remembered answer, as the page shows it. */
const permissionRow = z.object({
  id: z.string(),
  /** Whom it is given to: the chat, Run Tool, a client … */
  who: z.string(),
  /** What was allowed or denied, in words. */
  what: z.string(),
  answer: z.enum(['allow', 'deny']),
  /** Where it holds, in words: this session, this workspace, another one by its path, or everywhere. */
  where: z.string(),
  isHere: z.boolean(),
  /** When the answer was given, as ISO 8601. */
  since: z.string(),
  lastUsed: z.string().optional(),
  /** The name of the server or the client that it is about. */
  subject: z.string(),
});
export type PermissionRow = z.infer<typeof permissionRow>;

export const permissionsToHost = {
  ready: z.object({}),
  /** One permission is revoked at once; several only after a question. */
  'permissions/revoke': z.object({ ids: z.array(z.string().max(100)).min(1).max(10_000) }),
  'permissions/export': z.object({}),
} as const;

export const permissionsToView = {
  'permissions/list': z.object({ rows: z.array(permissionRow) }),
} as const;
