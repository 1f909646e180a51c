import { t } from './localize.ts';

export function formatElapsed(milliseconds: number): string {
  if (milliseconds < 1000) {
    return t('{0} ms', Math.max(0, Math.round(milliseconds)));
  }
  // Round before choosing the unit: 59,960 ms is "1 min 0 s", never "60.0 s".
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) {
    return t('{0} s', (tenths / 10).toFixed(tenths < 100 ? 1 : 0));
  }
  const seconds = Math.round(milliseconds / 1000);
  return t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) {
    return t('{0} B', bytes);
  }
  const units = ['KB', 'MB', 'GB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? 'GB'}`;
}

/** Chooses between the sentence for one thing and the sentence for many: each is written out, for whoever translates them. */
export function plural(count: number, one: () => string, many: (count: string) => string): string {
  return count === 1 ? one() : many(count.toLocaleString('en'));
}

/** Formats a time as people look for it: the hour for today, the day for this year, the whole date for what is older. */
export function formatDate(time: number, now: number): string {
  const [then, today] = [new Date(time), new Date(now)];
  if (then.toDateString() === today.toDateString()) {
    return then.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  }
  const isThisYear = then.getFullYear() === today.getFullYear();
  return then.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
}
