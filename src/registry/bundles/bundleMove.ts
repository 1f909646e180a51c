import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { registryError } from '../registryErrors.ts';
import { type Bundle, type BundleMachine, checkRunsHere, isStartedAlike } from './bundleServer.ts';
import type { BundleManifest } from './bundleManifest.ts';

/** A bundle in one folder takes the place of one in another. */
export interface BundleMove {
  readonly from: string;
  readonly to: string;
}

const moved: readonly string[] = ['command', 'args', 'env', 'cwd'];

/**
 * The way from an installed bundle to a newer one. Throws an AppError where the newer one is started in another way: what the person
 * once filled in might mean something else to it.
 */
export function bundleMove(
  installed: { readonly folder: string; readonly manifest: BundleManifest | undefined },
  newer: Bundle,
  machine: BundleMachine,
): BundleMove {
  checkRunsHere(newer, machine);
  if (installed.manifest === undefined || !isStartedAlike(installed.manifest, newer.manifest, machine)) {
    throw registryError('registry.startedOtherwise');
  }
  return { from: installed.folder, to: newer.folder };
}

/** The entry of a server that is started from the new folder. What else stands there stays. */
export function movedEntry(entry: JsonObject, move: BundleMove): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, moved.includes(key) && value !== undefined ? movedValue(value, move) : value]),
  );
}

function movedValue(value: JsonValue, move: BundleMove): JsonValue {
  if (typeof value === 'string') {
    return movedText(value, move);
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((each) => movedValue(each, move));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, each === undefined ? each : movedValue(each, move)]));
}

/** Replaces the folder wherever a text names it. A name that goes on after it is another folder, and stays. */
function movedText(text: string, { from, to }: BundleMove): string {
  return text
    .split(from)
    .reduce((before, after) => (after === '' || /^[\\/:;,"' ]/.test(after) ? `${before}${to}${after}` : `${before}${from}${after}`));
}
