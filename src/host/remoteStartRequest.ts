import type { JsonObject } from '../base/json.ts';
import type { StartServerQuestion } from '../contract/questions/startQuestion.ts';
import type { PreparedRemote } from '../definitions/prepareRemote.ts';
import { commonFields, commonMaterial, startRequestOf, type Field, type StartRequest } from './startRequest.ts';

const notEncrypted = 'none: headers, inputs, secrets and everything else sent to this address can be read and changed by others on the way';

/**
 * Pure. Shows and fingerprints what will be connected, whole; of secrets the names, never the values. `secretTo`: the
 * origins that may have the client's secret, once they are known; `key` is known on this installation only.
 */
export function remoteStartRequest(remote: PreparedRemote, key: string, secretTo: readonly string[] = []): StartRequest {
  const parts = { material: materialOf(remote), fields: fieldsOf(remote), disclosures: disclosuresOf(remote, secretTo) };
  return startRequestOf(remote.definition, parts, key);
}

function materialOf(remote: PreparedRemote): JsonObject {
  const headers = Object.entries(remote.shownHeaders);
  const { tls, auth } = remote;
  return {
    url: remote.shownUrl.shown,
    // The exact host beside the text: two texts may only look like one host.
    host: remote.url.host,
    type: remote.type,
    encryption: remote.isUnencrypted ? 'none' : undefined,
    headers: headers.length === 0 ? undefined : Object.fromEntries(headers.map(([name, { shown }]) => [name, shown])),
    tls: tls && { ...tls.shown, authorities: tls.caHash },
    auth: auth && { clientId: auth.clientId?.shown, clientSecret: auth.clientSecret?.shown, scopes: auth.scopes },
    ...commonMaterial(remote.definition),
  };
}

/** One field per header: nothing joined, so that nothing can pretend to be two. */
function fieldsOf({ definition, shownUrl, url, type, isUnencrypted, shownHeaders, tls, auth }: PreparedRemote): readonly Field[] {
  const text = (name: string, value: string | undefined): readonly Field[] => (value === undefined ? [] : [{ name, value }]);
  return [
    { name: 'url', value: shownUrl.shown },
    { name: 'host', value: url.host },
    { name: 'type', value: type },
    ...(isUnencrypted ? [{ name: 'encryption', value: notEncrypted, isDangerous: true }] : []),
    ...Object.entries(shownHeaders).map(([name, { shown }]) => ({ name: `headers.${name}`, value: shown })),
    ...text('tls.ca', tls?.shown.ca),
    ...text('tls.cert', tls?.shown.cert),
    ...text('tls.key', tls?.shown.key),
    ...text('auth.clientId', auth?.clientId?.shown),
    ...text('auth.clientSecret', auth?.clientSecret?.shown),
    ...text('auth.scopes', auth?.scopes === undefined ? undefined : JSON.stringify(auth.scopes)),
    ...commonFields(definition),
  ];
}

/** Every secret and variable by name, once for each place it goes to. */
function disclosuresOf(
  { url, shownUrl, shownHeaders, auth }: PreparedRemote,
  secretTo: readonly string[],
): StartServerQuestion['disclosures'] {
  const sent = [shownUrl, ...Object.values(shownHeaders), ...(auth?.clientId === undefined ? [] : [auth.clientId])];
  const toHost = new Set(sent.flatMap(({ variables, inputs }) => [...variables, ...inputs]));
  const toAuthorization = new Set([...(auth?.clientSecret?.variables ?? []), ...(auth?.clientSecret?.inputs ?? [])]);
  const destinations = secretTo.length > 0 ? secretTo : [`the authorization server of ${url.host}, once you allow it`];
  return [
    ...[...toHost].map((name) => ({ name, destination: url.host })),
    ...[...toAuthorization].flatMap((name) => destinations.map((destination) => ({ name, destination }))),
  ];
}
