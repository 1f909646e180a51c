import type { JsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import type { Catalog } from '../../offer/catalog/catalog.ts';
import type { InFlight, InFlightTable, RequestContext } from '../requests/inFlight.ts';
import { rpcCode, RpcError, rpcErrorText, rpcResultText, toRpcError } from '../rpc/rpc.ts';

/** A promise only where something has to be waited for. */
export type Method = (params: JsonObject, request: RequestContext) => Promise<string> | string;

/** A method of one era. Without a result it answers later, and by itself. */
export type EraMethod = (params: JsonObject, request: InFlight) => Promise<string | undefined> | string;

/** In what the eras differ when a method has ended. */
export interface EraRules {
  /** The result as JSON text, with what the era adds to it. */
  complete(method: string, result: string): string;
  /** What HTTP says of a failure, if that is not 200. */
  statusOf(failure: RpcError): number | undefined;
}

export interface DispatchServices {
  readonly catalog: Catalog;
  readonly methods: ReadonlyMap<string, Method>;
  readonly log: Log;
}

/** Also what a revision does not have yet. */
export const unknownMethod: Method = () => Promise.reject(new RpcError(rpcCode.methodNotFound, 'Method not found'));

/** Brings one client's requests to their methods, and what comes of it back. */
export class MethodDispatch {
  readonly #services: DispatchServices;
  readonly #own: ReadonlyMap<string, EraMethod>;
  readonly #inFlight: InFlightTable;
  readonly #rules: EraRules;

  constructor(services: DispatchServices, own: ReadonlyMap<string, EraMethod>, inFlight: InFlightTable, rules: EraRules) {
    this.#services = services;
    this.#own = own;
    this.#inFlight = inFlight;
    this.#rules = rules;
  }

  knows(method: string): boolean {
    return this.#find(method) !== undefined;
  }

  /** For people to read: only names of ours, whatever the client sends. */
  nameOf(method: string, params: JsonObject): string {
    if (method === 'tools/call') {
      return this.#services.catalog.findTool(params.name)?.name ?? method;
    }
    return this.knows(method) ? method : 'unknown';
  }

  begin(request: InFlight, params: JsonObject): void {
    this.#inFlight.add(request);
    const { id, method } = request;
    const fail = (error: unknown): void => {
      const failure = toRpcError(error, method, this.#services.log);
      this.#inFlight.finish(request, rpcErrorText(id, failure), this.#rules.statusOf(failure));
    };
    const succeed = (result: string | undefined): void => {
      if (result !== undefined) {
        this.#inFlight.finish(request, rpcResultText(id, this.#rules.complete(method, result)));
      }
    };
    try {
      const result = (this.#find(method) ?? unknownMethod)(params, request);
      if (typeof result === 'string') {
        succeed(result);
      } else {
        result.then(succeed, fail);
      }
    } catch (error) {
      fail(error);
    }
  }

  #find(method: string): EraMethod | undefined {
    return this.#services.methods.get(method) ?? this.#own.get(method);
  }
}
