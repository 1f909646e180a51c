import { setTimeout as sleep } from 'node:timers/promises';

/** Time enough for a worker to finish what it is at. */
const stuckMilliseconds = 3_000;

/**
 * In an older VS Code in a browser all webviews have one address, and each brings a service worker that replaces the one before.
 * The browser waits until the old one has finished, and sometimes one that is looked at by a debugger, as all are here, never
 * counts as finished: the new webview stays white. Such a one is ended.
 *
 * @param {import('playwright-core').Page} page
 */
export async function letWorkersChange(page) {
  const session = await page.context().newCDPSession(page);
  /** @type {Map<string, { readonly registrationId: string, readonly status: string }>} */
  const versions = new Map();
  const replaced = (/** @type {string} */ registrationId) =>
    [...versions].filter(([, each]) => each.registrationId === registrationId && each.status === 'activated').map(([id]) => id);
  session.on('ServiceWorker.workerVersionUpdated', (event) => {
    for (const { versionId, registrationId, status } of event.versions) {
      versions.set(versionId, { registrationId, status });
      if (status === 'installed') {
        void sleep(stuckMilliseconds, undefined, { ref: false }).then(() => endReplaced(versionId, registrationId));
      }
    }
  });
  await session.send('ServiceWorker.enable');

  /**
   * @param {string} waiting
   * @param {string} registrationId
   */
  async function endReplaced(waiting, registrationId) {
    if (versions.get(waiting)?.status !== 'installed') {
      return;
    }
    for (const versionId of replaced(registrationId)) {
      await session.send('ServiceWorker.stopWorker', { versionId }).catch(() => undefined); // the page may be gone
    }
  }
}
