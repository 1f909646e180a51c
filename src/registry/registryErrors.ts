import { errorMaker, type SentenceTable } from '../base/errors.ts';

/** Why a registry gives no answer, or why something in it is not installed. What it says is quoted, never trusted. */
const registryErrorTable = {
  'registry.off': 'No registry is configured: the setting duplex.registry.url is empty.',
  'registry.badAddress': '“{url}” cannot be the address of a registry: it begins with https://, or with http:// on this machine.',
  'registry.unreachable': 'The registry at {host} cannot be reached.',
  'registry.tooLate': 'The registry at {host} did not answer within {seconds} seconds.',
  'registry.refused': 'The registry at {host} answered with the status {status}.',
  'registry.redirected': 'The registry at {host} leads to another place, which is not followed: {target}',
  'registry.tooLarge': 'The answer of the registry at {host} is too large.',
  'registry.notAList': 'What answered at {host} is not a registry of MCP servers.',
  'registry.unknownEntry': 'This server is not in the list any more. Search again.',
  'registry.bundle': 'Bundles (.mcpb) cannot be installed yet.',
  'registry.unknownKind': 'Packages of the kind “{kind}” cannot be installed.',
  'registry.otherRegistry': 'The package is not in the usual package registry of its kind, but at {host}.',
  'registry.badIdentifier': '“{identifier}” is not the name of a package of the kind “{kind}”.',
  'registry.noExactVersion': 'The entry names no exact version of the package, so it cannot be known what would run.',
  'registry.ownListener':
    'The package opens a port of its own instead of speaking over its input and output. That cannot be installed yet.',
  'registry.runtimeOption': 'The entry wants the option “{option}” for {runtime}, which is not taken from a registry.',
  'registry.openFolder': 'The entry wants to open “{value}” of this machine to a container, without asking you which folder.',
  'registry.badOption': '“{option}” cannot be the name of an option.',
  'registry.badVariable': 'The entry sets the variable “{name}”, which could change what runs.',
  'registry.hiddenVariable': 'The entry holds “{text}”, which would read a variable of this machine.',
  'registry.badHeader': '“{name}” cannot be the name of a header.',
  'registry.ownAddress': 'The address {url} leads into this machine or its network, not to a server of others.',
  'registry.notEncrypted': 'The address {url} is not encrypted.',
  'registry.badUrl': '“{url}” is not the whole address of a server.',
  'registry.secretInHost': 'A secret may not be part of the host of an address.',
  'registry.missing': '“{field}” is needed.',
  'registry.unusable': 'The result could not be used as a definition: {reason}',
} as const satisfies SentenceTable;

export const registryError = errorMaker(registryErrorTable);
