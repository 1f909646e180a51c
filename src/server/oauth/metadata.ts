import type { JsonObject } from '../../base/json.ts';
import { productName } from '../../contract/identity.ts';
import { scopes } from './scopes.ts';

const resourcePaths = ['', '/', '/mcp', '/sse', '/messages', '/ws'];

/** RFC 9728. `resource` is the address the client uses, in its own spelling: it compares them. */
export function protectedResourceMetadata(base: string, path: '' | '/mcp' | '/sse'): JsonObject {
  return {
    resource: `${base}${path}`,
    authorization_servers: [base],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: productName,
  };
}

/** RFC 8414. */
export function authorizationServerMetadata(base: string): JsonObject {
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    revocation_endpoint: `${base}/revoke`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Exactly one of this server's own addresses. */
export function isResourceOf(base: string, resource: string): boolean {
  return resourcePaths.some((path) => resource === `${base}${path}`);
}
