import * as path from 'node:path';
import type { DiscoveredWindow } from './findWindows.ts';

export interface WindowCriteria {
  /** The folder in which the host started the bridge. */
  readonly cwd: string;
  /** The folder given by `--workspace`; with it nothing else counts. */
  readonly workspace?: string | undefined;
  /** The folders in which the host says that it works. */
  readonly roots?: readonly string[] | undefined;
}

export type WindowChoice =
  | { readonly kind: 'chosen'; readonly window: DiscoveredWindow }
  | { readonly kind: 'noWindow' }
  | { readonly kind: 'noMatch'; readonly workspace: string }
  | { readonly kind: 'ambiguous' };

/**
 * Pure. Chooses the window to talk to. `--workspace` decides; else the window whose folder holds one of the roots most closely; else
 * the one whose folder holds the working directory most closely; else the only window. Of two windows on the same folder the one
 * that was used last wins, and of two that nobody used yet the younger one.
 */
export function chooseWindow(
  windows: readonly DiscoveredWindow[],
  { cwd, workspace, roots = [] }: WindowCriteria,
  platform: NodeJS.Platform = process.platform,
): WindowChoice {
  const [first, ...others] = windows;
  if (first === undefined) {
    return { kind: 'noWindow' };
  }
  const closestTo = (places: readonly string[]): DiscoveredWindow | undefined => closest(windows, places, platform);
  const match = workspace === undefined ? (closestTo(roots) ?? closestTo([cwd])) : closestTo([workspace]);
  if (match !== undefined) {
    return { kind: 'chosen', window: match };
  }
  if (workspace !== undefined) {
    return { kind: 'noMatch', workspace };
  }
  return others.length === 0 ? { kind: 'chosen', window: first } : { kind: 'ambiguous' };
}

/** Whether a folder of the window holds one of the wanted places, so that it is not merely the only window there is. */
export function fits(window: DiscoveredWindow, { cwd, workspace, roots = [] }: WindowCriteria): boolean {
  return closest([window], workspace === undefined ? [...roots, cwd] : [workspace], process.platform) !== undefined;
}

function closest(windows: readonly DiscoveredWindow[], places: readonly string[], platform: NodeJS.Platform): DiscoveredWindow | undefined {
  const wanted = places.map((place) => segmentsOf(place, platform));
  const depthIn = ({ roots }: DiscoveredWindow): number =>
    Math.max(-1, ...roots.flatMap((root) => wanted.map((place) => depthOf(segmentsOf(root, platform), place))));
  const ranked = windows
    .map((window) => ({ window, depth: depthIn(window) }))
    .filter(({ depth }) => depth >= 0)
    .sort((a, b) => b.depth - a.depth || usedAfter(b.window, a.window));
  return ranked[0]?.window;
}

/** Compares by the time of the last use, and then by that of the start. A window that was never used counts as used before all others. */
function usedAfter({ content: one }: DiscoveredWindow, { content: other }: DiscoveredWindow): number {
  const used = timeOf(one.lastUsedAt) - timeOf(other.lastUsedAt);
  return used === 0 ? timeOf(one.startedAt) - timeOf(other.startedAt) : used;
}

function timeOf(stamp: string | undefined): number {
  const time = Date.parse(stamp ?? '');
  return Number.isNaN(time) ? 0 : time;
}

/**
 * The depth of a folder that holds the place, else -1. Paths are compared by segment, so that `/projects/app` does not hold
 * `/projects/app-two`.
 */
function depthOf(root: readonly string[], place: readonly string[]): number {
  return root.length <= place.length && root.every((segment, index) => segment === place[index]) ? root.length : -1;
}

function segmentsOf(place: string, platform: NodeJS.Platform): readonly string[] {
  const flavour = platform === 'win32' ? path.win32 : path.posix;
  const normal = flavour.normalize(platform === 'win32' ? place.toLowerCase() : place);
  return normal.split(flavour.sep).filter((segment) => segment !== '');
}
