/** Several messages in one array: a duty to receive in the two oldest revisions, gone from 2025-06-18 on. */
export function mayBatch(revision: string | undefined): boolean {
  return revision === undefined || revision < '2025-06-18';
}

export const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not part of this protocol revision.' },
} as const;
