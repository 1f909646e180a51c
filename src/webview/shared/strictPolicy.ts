/**
 * Imported first by every page: zod otherwise tries `new Function`, which the page's policy refuses and reports on the
 * console as a violation.
 */
const holder = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
holder.__zod_globalConfig = { ...holder.__zod_globalConfig, jitless: true };
