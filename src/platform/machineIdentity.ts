import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../base/errors.ts';
import { windowsProgram } from './processes/findExecutable.ts';
import { newSecret } from './randomSecrets.ts';

/**
 * Names this machine, this boot of it and this container: a pid in a discovery file means something only where all three are
 * the same (home folders are shared between machines and mounted into containers).
 */
export async function machineIdentity(platform: NodeJS.Platform = process.platform): Promise<string> {
  const parts = [platform, hostname(), ...(await partsOf(platform))];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}

async function partsOf(platform: NodeJS.Platform): Promise<readonly string[]> {
  if (platform === 'linux') {
    return Promise.all([
      orEmpty(readFile('/etc/machine-id', 'utf8')),
      orEmpty(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
      // Each namespace counts pids for itself, and a container has its own.
      orEmpty(readlink('/proc/self/ns/pid')),
    ]);
  }
  if (platform === 'darwin') {
    return [await outputOf('/usr/sbin/sysctl', ['-n', 'kern.uuid', 'kern.bootsessionuuid'])];
  }
  if (platform === 'win32') {
    return Promise.all([
      registryValue('HKLM\\SOFTWARE\\Microsoft\\Cryptography', 'MachineGuid'),
      registryValue('HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters', 'BootId'),
    ]);
  }
  return [];
}

function registryValue(key: string, value: string): Promise<string> {
  return outputOf(windowsProgram('reg.exe', process.env), ['query', key, '/v', value]);
}

function outputOf(file: string, args: readonly string[]): Promise<string> {
  return orEmpty(promisify(execFile)(file, [...args], { timeout: 2_000, windowsHide: true }).then(({ stdout }) => stdout));
}

function orEmpty(text: Promise<string>): Promise<string> {
  return text.then(
    (value) => value.trim(),
    () => '',
  );
}

const fileName = 'installation.id';

/**
 * Names this installation, on this machine or in this container: the name is random, made once and kept in `folder`. A host name
 * would not do: a container chooses its own, and two of them may have a workspace at the same path.
 */
export async function installationId(folder: string): Promise<string> {
  const file = path.join(folder, fileName);
  const known = await readId(file);
  if (known !== undefined) {
    return known;
  }
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const made = `${file}.${randomUUID()}.tmp`;
  try {
    await fs.writeFile(made, newSecret(), { flag: 'wx', mode: 0o600 });
    await putThere(made, file);
    return (await readId(file)) ?? newSecret();
  } finally {
    await fs.rm(made, { force: true });
  }
}

/** Puts the new name in its place; of two windows that begin at once, the first one's stays. */
async function putThere(made: string, file: string): Promise<void> {
  try {
    await fs.link(made, file);
  } catch {
    // Another window was faster, or what is there is damaged, or the file system has no links.
    if ((await readId(file)) === undefined) {
      await fs.rename(made, file);
    }
  }
}

async function readId(file: string): Promise<string | undefined> {
  try {
    const text = await fs.readFile(file, 'utf8');
    return /^[\w-]{43}$/.test(text) ? text : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}
