import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

interface Limit {
  readonly room: string;
  readonly name: string;
  readonly value: string;
  /** Relative to src/. */
  readonly file: string;
  /** The first sentence of its comment; empty where it has none. */
  readonly meaning: string;
}

const src = path.resolve(import.meta.dirname, '../../../src');

/** A constant at the top level of a file, and the comment right above it. */
const constant = /(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?^(?:export )?const (max[A-Z]\w*|\w+Ms)(?:: [^=\n]+)? = ([^;]+);/gm;

/** A longer value is no single number: its file has to be read. */
const maxValueLength = 60;

/** Every limit of the source, by room: what is called `max…`, and times in milliseconds. */
export function limits(): string {
  const all = sourceFiles().flatMap(limitsOf);
  const rooms = [...new Set(all.map(({ room }) => room))].sort();
  const sections = rooms.map((room) =>
    section(
      room,
      all.filter((limit) => limit.room === room),
    ),
  );
  return [`${all.length} limits.`, ...sections].join('\n\n');
}

function section(room: string, own: readonly Limit[]): string {
  const rows = own.map(({ name, value, file, meaning }) => `| \`${name}\` | \`${value}\` | ${meaning} | [${file}](${file}) |`);
  return [`## ${room}`, '', '| limit | value | what it is | file |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.endsWith('.d.ts'))
    .sort();
}

function limitsOf(file: string): readonly Limit[] {
  const [room = ''] = file.split('/');
  return [...readFileSync(path.join(src, file), 'utf8').matchAll(constant)].map(([, comment = '', name = '', value = '']) => ({
    room,
    name,
    value: shortValue(value),
    file,
    meaning: firstSentence(comment),
  }));
}

function shortValue(value: string): string {
  const line = value.replace(/\s+/g, ' ').replace(/ as const$/, '');
  return line.length > maxValueLength ? '…' : line.replaceAll('|', '\\|');
}

function firstSentence(comment: string): string {
  const text = comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [sentence = ''] = /^.*?[.:](?= [A-Z`]|$)/.exec(text) ?? [text];
  return sentence.replaceAll('|', '\\|').replace(/:$/, '.');
}
