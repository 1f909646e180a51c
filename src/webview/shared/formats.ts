import { pageLanguage, t } from './localize.ts';

export function formatElapsed(milliseconds: number): string {
  if (milliseconds < 1000) {
    return t('{0} ms', Math.max(0, Math.round(milliseconds)));
  }
  // Round before choosing the unit: 59,960 ms is "1 min 0 s", never "60.0 s".
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) {
    return t('{0} s', formatFixed(tenths / 10, tenths < 100 ? 1 : 0));
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
  return `${formatFixed(value, value < 9.95 ? 1 : 0)} ${units[unit] ?? 'GB'}`;
}

/** Writes a number as the window's language groups its digits. */
export function formatNumber(count: number): string {
  return count.toLocaleString(pageLanguage());
}

/** Writes a number with so many digits behind the point, or the comma of the window's language. */
export function formatFixed(value: number, digits: number): string {
  return Number(value.toFixed(digits)).toLocaleString(pageLanguage(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Writes a sum in US dollars with so many digits of cents. */
export function formatDollars(usd: number, digits: number): string {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return usd.toLocaleString(pageLanguage(), { style: 'currency', currency: 'USD', ...fixed });
}

/** Chooses between the sentence for one thing and the sentence for many: each is written out, for whoever translates them. */
export function plural(count: number, one: () => string, many: (count: string) => string): string {
  return count === 1 ? one() : many(formatNumber(count));
}

/** Formats a time as people look for it: the hour for today, the day for this year, the whole date for what is older. */
export function formatDate(time: number, now: number): string {
  const [then, today] = [new Date(time), new Date(now)];
  if (then.toDateString() === today.toDateString()) {
    return formatHour(time);
  }
  const isThisYear = then.getFullYear() === today.getFullYear();
  return then.toLocaleDateString(dateLocale(), { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
}

/** Writes the hour and the minute. */
export function formatHour(time: number): string {
  return new Date(time).toLocaleTimeString(dateLocale(), { hour: '2-digit', minute: '2-digit' });
}

/** The system's own way of writing dates where it speaks the window's language (a day comes first in Britain), else the window's. */
export function dateLocale(): string | undefined {
  const spoken = (tag: string): string => new Intl.Locale(tag).language;
  return spoken(new Intl.DateTimeFormat().resolvedOptions().locale) === spoken(pageLanguage()) ? undefined : pageLanguage();
}
