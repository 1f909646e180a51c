import { isJsonObject } from '../base/json.ts';
import type { ServerLimits } from './access/limits.ts';

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Half a session makes no sense, half a minute does. */
  readonly isWhole: boolean;
}

/** Less would lock everybody out, more is no limit. */
const bounds = {
  bodyBytes: { least: 1_024, most: 256 * 1024 * 1024, isWhole: true },
  sessions: { least: 1, most: 10_000, isWhole: true },
  streams: { least: 1, most: 10_000, isWhole: true },
  requestsPerSecond: { least: 1, most: 1_000_000, isWhole: true },
  actingPerSecond: { least: 1, most: 10_000, isWhole: true },
  oauthPerSecond: { least: 1, most: 10_000, isWhole: true },
  idleSessionMinutes: { least: 0.01, most: 7 * 24 * 60, isWhole: false },
} as const satisfies Readonly<Partial<Record<keyof ServerLimits, Bounds>>>;

type LimitName = keyof typeof bounds;

export interface LimitsReading {
  readonly limits: Partial<ServerLimits>;
  /** What was ignored, and why. */
  readonly problems: readonly string[];
}

/** `duplex.server.limits`. An entry that makes no sense is ignored; the others count. */
export function readLimits(setting: unknown): LimitsReading {
  if (!isJsonObject(setting)) {
    return { limits: {}, problems: setting === undefined ? [] : ['duplex.server.limits is not an object and is ignored.'] };
  }
  const problems: string[] = [];
  const limits: Partial<Record<LimitName, number>> = {};
  for (const [name, value] of Object.entries(setting)) {
    if (!isLimitName(name)) {
      problems.push(`duplex.server.limits has no entry "${name}"; it is ignored.`);
      continue;
    }
    const { least, most, isWhole } = bounds[name];
    if (typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value))) {
      limits[name] = value;
    } else {
      problems.push(
        `"${name}" in duplex.server.limits is not ${isWhole ? 'a whole number' : 'a number'} from ${least} to ${most}; it is ignored.`,
      );
    }
  }
  return { limits, problems };
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(bounds, name);
}
