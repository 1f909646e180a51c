import picomatch from 'picomatch';
import { decodedAddress } from '../../base/addresses.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import { hasSensitiveName } from '../../secrets/secretNames.ts';
import type { TransportKind } from '../seen/viewer.ts';
import type { SettingReading } from '../../contract/settings/readSetting.ts';
import type { SettingProblem } from '../../contract/settings/settingProblems.ts';
import type { PolicyRuleSetting } from '../../contract/settings/serverSettings.ts';

/** A rule of the policy, with its globs and times compiled. */
export interface PolicyRule extends Omit<PolicyRuleSetting, 'tool' | 'server' | 'resource' | 'path' | 'hours' | 'until'> {
  readonly matchesTool: ((name: string) => boolean) | undefined;
  readonly matchesServer: ((name: string) => boolean) | undefined;
  readonly matchesResource: ((uri: string) => boolean) | undefined;
  readonly matchesPath: ((path: string) => boolean) | undefined;
  /** The time of day at which the rule applies, in minutes since midnight. */
  readonly hours: { readonly from: number; readonly to: number } | undefined;
  readonly until: Date | undefined;
}

/** A client as far as rules can distinguish it. */
export interface PolicyClient {
  readonly client: string;
  /** The role; `undefined` before the person has approved the client. */
  readonly role: Role | undefined;
  readonly transport: TransportKind;
}

/** A request as far as rules can distinguish it. */
export interface PolicySubject extends PolicyClient {
  readonly tool?: { readonly name: string; readonly acts: boolean } | undefined;
  readonly resource?: string | undefined;
  /** The names of the server that the person offers and that would be asked; left out for what the editor does itself. */
  readonly server?: readonly string[] | undefined;
  readonly paths: readonly string[];
}

export interface ReadPolicy {
  readonly rules: readonly PolicyRule[];
  /** What is wrong with the setting; the rules that can be read apply nevertheless. */
  readonly problem: SettingProblem | undefined;
}

export function readPolicy(setting: SettingReading<'duplex.server.policy'>): ReadPolicy {
  return setting.kind === 'valid'
    ? { rules: setting.value.map(compile), problem: undefined }
    : {
        rules: setting.rest.map(compile),
        problem: setting.problems[0] ?? { path: [], code: 'settings.unreadable', args: {} },
      };
}

/** Whether a rule applies to a request at this moment. */
export function covers(rule: PolicyRule, subject: PolicySubject, now: Date): boolean {
  return concerns(rule, subject, now) && coversTarget(rule, subject) && coversPaths(rule, subject.paths);
}

/** Whether a rule applies to a client at this moment. */
export function concerns(rule: PolicyRule, who: PolicyClient, now: Date): boolean {
  const { client, role: ofRole, transport } = rule;
  return (
    (client === undefined || client === who.client) &&
    (ofRole === undefined || ofRole === who.role) &&
    (transport === undefined || transport === who.transport) &&
    isInForce(rule, now)
  );
}

export function coversPaths({ matchesPath, sensitivity }: PolicyRule, paths: readonly string[]): boolean {
  return (matchesPath === undefined || paths.some(matchesPath)) && (sensitivity === undefined || paths.some(hasSensitiveName));
}

/** Whether a rule hides paths from clients in all calls. A rule that names a tool, a server or a resource denies only that. */
export function hidesPaths(rule: PolicyRule): boolean {
  const { effect, matchesTool, matchesServer, matchesResource } = rule;
  return effect === 'deny' && isAboutPaths(rule) && [matchesTool, matchesServer, matchesResource].every((each) => each === undefined);
}

/** Whether a rule is about certain paths, and so applies only to requests with a path. */
export function isAboutPaths({ matchesPath, sensitivity }: PolicyRule): boolean {
  return matchesPath !== undefined || sensitivity !== undefined;
}

/** The next time at which other rules apply. */
export function nextChange(rules: readonly PolicyRule[], now: Date): Date | undefined {
  const moments = rules.flatMap((rule) => [
    ...(rule.until === undefined ? [] : [rule.until]),
    ...(rule.hours === undefined ? [] : [nextAt(rule.hours.from, now), nextAt(rule.hours.to, now)]),
  ]);
  const coming = moments.map((moment) => moment.getTime()).filter((time) => time > now.getTime());
  return coming.length === 0 ? undefined : new Date(Math.min(...coming));
}

/** Whether a rule names this tool or this resource; a rule that names both applies to either. One that names a server applies to no other. */
function coversTarget(
  { matchesTool, matchesServer, matchesResource }: PolicyRule,
  { tool, resource, server = [] }: PolicySubject,
): boolean {
  if (matchesServer !== undefined && !server.some(matchesServer)) {
    return false;
  }
  if (matchesTool === undefined && matchesResource === undefined) {
    return true;
  }
  return (tool !== undefined && matchesTool?.(tool.name) === true) || (resource !== undefined && matchesResource?.(resource) === true);
}

function isInForce({ hours: within, until: end }: PolicyRule, now: Date): boolean {
  if (end !== undefined && now.getTime() >= end.getTime()) {
    return false;
  }
  if (within === undefined) {
    return true;
  }
  const minute = now.getHours() * 60 + now.getMinutes();
  // If the end is before the start, the time spans midnight.
  return within.from <= within.to ? minute >= within.from && minute < within.to : minute >= within.from || minute < within.to;
}

function compile({ tool, server, resource, path, hours, until, ...rule }: PolicyRuleSetting): PolicyRule {
  return {
    ...rule,
    matchesTool: tool === undefined ? undefined : matcherOf(tool),
    matchesServer: server === undefined ? undefined : matcherOf(server),
    matchesResource: resource === undefined ? undefined : matchesUri(resource),
    matchesPath: path === undefined ? undefined : matcherOf(path, { dot: true, nocase: true }),
    hours: hours === undefined ? undefined : minutesOf(hours),
    until: until === undefined ? undefined : endOf(until),
  };
}

/** Wraps the function of picomatch, which takes a second argument that `some` would pass by accident. */
function matcherOf(globs: string | string[], options?: picomatch.PicomatchOptions): (text: string) => boolean {
  const matches = picomatch(globs, options);
  return (text) => matches(text);
}

/** Matches URIs. There `*` includes slashes, because their parts are no folders, and percent-encoded letters are decoded. */
function matchesUri(globs: string | string[]): (uri: string) => boolean {
  const matches = matcherOf(globs, { dot: true, bash: true, nocase: true });
  return (uri) => matches(uri) || matches(decodedAddress(uri));
}

function nextAt(minutes: number, now: Date): Date {
  const moment = new Date(now);
  moment.setHours(0, minutes, 0, 0);
  if (moment.getTime() <= now.getTime()) {
    moment.setDate(moment.getDate() + 1);
  }
  return moment;
}

function minutesOf(text: string): { readonly from: number; readonly to: number } {
  const [from = 0, to = 0] = text.split('-').map(toMinutes);
  return { from, to };
}

function toMinutes(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * 60 + minute;
}

/** A date without a time includes that whole day, in local time. */
function endOf(text: string): Date {
  const moment = new Date(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
    return new Date(year, month - 1, day + 1);
  }
  return moment;
}
