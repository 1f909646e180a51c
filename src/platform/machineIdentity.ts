import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

/**
 * Names this machine, this boot of it and this container: a pid in a discovery file means something only where they are
 * all the same (home folders are shared between machines and mounted into containers).
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
      // Pids are counted per namespace; a container has its own.
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
  return outputOf(`${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`, ['query', key, '/v', value]);
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
