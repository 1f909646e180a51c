import assert from 'node:assert/strict';
import { runClientSuite } from './clientSuite.ts';
import type { Revision, SuiteResult } from './suiteResult.ts';

/** Installing the suite and running all its scenarios takes longer than a test may. */
const suiteMs = 360_000;

/** Signing in, at every revision that has it. */
const signIn = [
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
];

/** What the suite requires of a client and Duplex passes. */
const passed: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry', ...signIn],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    ...signIn,
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
    'auth/authorization-server-migration',
    'auth/iss-supported',
    'auth/iss-not-advertised',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/iss-unexpected',
    'auth/iss-normalized',
    'auth/metadata-issuer-mismatch',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
  ],
};

describe('The official conformance suite', () => {
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    describe(`for clients at ${revision}`, () => {
      let result: SuiteResult;
      before(async function () {
        this.timeout(suiteMs);
        result = await runClientSuite(revision);
      });

      for (const scenario of passed[revision]) {
        it(`finds nothing wrong in ${scenario}`, () => {
          assert.equal(result.required.get(scenario), true, result.output);
        });
      }
    });
  }
});
