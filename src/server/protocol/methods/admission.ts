import type { AccessNeed } from '../../access/clientAccess.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { RpcError, rpcCode } from '../rpc/rpc.ts';

/** For everything but tool calls: a refusal is a JSON-RPC error with its reason. */
export async function requireAdmission(
  { role, uri, paths }: Pick<AccessNeed, 'role' | 'paths'> & { readonly uri?: string | undefined },
  request: RequestContext,
): Promise<void> {
  const need: AccessNeed = { role, resource: uri, paths };
  const admission = request.access.admitNow(need) ?? (await request.access.admit(need, request));
  if (admission !== 'allowed') {
    throw new RpcError(rpcCode.internalError, admission.sentence, { reason: admission.reason });
  }
}
