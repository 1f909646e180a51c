import assert from 'node:assert/strict';
import { runServerSuite, runWholeServerSuite } from './serverSuite.ts';
import type { Revision, SuiteResult } from './suiteResult.ts';

/** Installing the suite and running all its scenarios takes longer than a test may. */
const suiteMs = 360_000;

/** What both revisions ask for. */
const common = [
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
];

const required: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    ...common,
    'server-initialize',
    'logging-set-level',
    'ping',
    'tools-call-with-logging',
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  '2026-07-28': [
    ...common,
    'server-stateless',
    'sep-2164-resource-not-found',
    'caching',
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-missing-input-response',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-unsupported-methods',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
    'input-required-result-ignore-extra-params',
    'input-required-result-validate-input',
  ],
};

/** Not asked of a server, but Duplex has them. */
const beyond: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': ['server-session-lifecycle', 'json-schema-2020-12'],
  '2026-07-28': [
    'tasks-lifecycle',
    'tasks-capability-negotiation',
    'tasks-wire-fields',
    'tasks-request-state-removal',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-dispatch-and-envelope',
    'tasks-status-notifications',
    'tasks-required-task-error',
    'tasks-mrtr-composition',
    'json-schema-2020-12',
    'http-header-validation',
    'http-custom-header-server-validation',
  ],
};

describe('The official conformance suite', () => {
  for (const [revision, scenarios] of [
    ['2025-03-26', 1],
    ['2025-06-18', 27],
  ] as const) {
    it(`finds nothing wrong in its ${scenarios} scenarios for servers at ${revision}`, async function () {
      this.timeout(suiteMs);
      const { required: all, output } = await runWholeServerSuite(revision);
      assert.deepEqual([all.size, [...all.values()].every(Boolean)], [scenarios, true], output);
    });
  }

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    describe(`for servers at ${revision}`, () => {
      let result: SuiteResult;
      before(async function () {
        this.timeout(suiteMs);
        result = await runServerSuite(revision);
      });

      it('requires nothing that is not named here', () => {
        assert.deepEqual([...result.required.keys()].sort(), [...required[revision]].sort(), result.output);
      });

      for (const scenario of required[revision]) {
        it(`finds nothing wrong in ${scenario}`, () => {
          assert.equal(result.required.get(scenario), true, result.output);
        });
      }

      for (const scenario of beyond[revision]) {
        it(`finds nothing wrong in ${scenario}, which does not count`, () => {
          assert.equal(result.others.get(scenario), true, result.output);
        });
      }
    });
  }
});
