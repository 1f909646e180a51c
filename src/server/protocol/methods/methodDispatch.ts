import type { JsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import type { Catalog } from '../../offer/catalog/catalog.ts';
import type { Viewer } from '../../seen/viewer.ts';
import type { InFlight, InFlightTable, RequestContext } from '../requests/inFlight.ts';
import { rpcCode, RpcError, rpcErrorText, rpcResultText, toRpcError } from '../rpc/rpc.ts';

/** A method that both eras share. It returns the result as JSON text, and a promise only if it has to wait. */
export type Method = (params: JsonObject, request: RequestContext) => Promise<string> | string;

/** A method of one era. If it resolves with `undefined`, it answers later by itself. */
export type EraMethod = (params: JsonObject, request: InFlight) => Promise<string | undefined> | string;

/** How an era finishes the answer to a method. */
export interface EraRules {
  /** Adds to the result, which is JSON text, what the era demands. */
  complete(method: string, result: string): string;
  /** The HTTP status of a failure, if it is not 200. */
  statusOf(failure: RpcError): number | undefined;
}

/** What a client asked for, for people. */
export interface ReceivedName {
  readonly name: string;
  /** The label of the offered server that would carry it out. */
  readonly server?: string | undefined;
}

export interface DispatchServices {
  readonly catalog: Catalog;
  readonly methods: ReadonlyMap<string, Method>;
  readonly log: Log;
}

/** Answers an unknown method, also one that the client's revision does not have. */
export const unknownMethod: Method = () => Promise.reject(new RpcError(rpcCode.methodNotFound, 'Method not found'));

/** Passes one client's requests to their methods, and sends the results back. */
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

  /** The name of a request for people: always one of our own names or of an offered tool, whatever the client sends. */
  nameOf(method: string, params: JsonObject, viewer: Viewer): ReceivedName {
    if (method !== 'tools/call') {
      const server = this.#serverOf(method, params, viewer)?.at(-1);
      return { name: this.knows(method) ? method : 'unknown', ...(server !== undefined && { server }) };
    }
    const named = this.#services.catalog.findTool(params.name, viewer);
    const meant = named?.standsFor?.(params.arguments, viewer);
    const tool = meant?.kind === 'call' ? meant.tool : named;
    const server = tool?.server?.at(-1);
    return { name: tool?.name ?? method, ...(server !== undefined && { server }) };
  }

  /** The names of the offered server that a prompt or a read is about. */
  #serverOf(method: string, { name, uri }: JsonObject, viewer: Viewer): readonly string[] | undefined {
    const { catalog } = this.#services;
    switch (method) {
      case 'prompts/get':
        return catalog.findPrompt(name, viewer)?.server;
      case 'resources/read':
      case 'resources/subscribe':
        return typeof uri === 'string' ? catalog.serverOf?.(uri, viewer) : undefined;
      default:
        return undefined;
    }
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
