import { DisposableStore } from '../../../base/lifecycle.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../../../base/json.ts';
import { productName } from '../../../contract/identity.ts';
import type { Viewer } from '../../seen/viewer.ts';
import type { CallContext, Catalog, PreparedCall, Tool } from '../catalog/catalog.ts';
import { clientOf, contentFor, demandAllowed } from './offeredContent.ts';
import type { OfferedServersPort, OfferedTool } from './offeredPort.ts';
import { pathsInArguments } from './offeredPaths.ts';
import { searchTools } from './toolSearch.ts';

/** More offered tools than this are searched instead of listed, unless the person wants it otherwise. */
const maxListed = 40;

/** Adds the servers that the person offers to a catalog. Only outside clients with the role runner learn that there are any. */
export function withOfferedServers(
  catalog: Catalog,
  offered: OfferedServersPort,
  wantsAll: (viewer: Viewer) => boolean = () => false,
): Catalog {
  const bound = new BoundTools(offered);
  const search = searchTools(bound);
  const listFor = (viewer: Viewer): readonly Tool[] => {
    const all = bound.all();
    return all.length > maxListed && offered.toolList() === 'search' && !wantsAll(viewer) ? search : all;
  };
  const findFor = (name: string, viewer: Viewer): Tool | undefined =>
    bound.find(name) ?? listFor(viewer).find((tool) => tool.name === name);
  return {
    ...catalog,
    // A getter of the catalog would lose its object.
    get tools() {
      return catalog.tools;
    },
    toolsFor: (viewer) => (isOfferedTo(viewer) ? listFor(viewer) : []),
    findTool: (name, viewer) =>
      catalog.findTool(name) ??
      (typeof name === 'string' && viewer !== undefined && isOfferedTo(viewer) ? findFor(name, viewer) : undefined),
    ...contentFor(catalog, offered.content, isOfferedTo),
    changesFor: (viewer) => (listener) => {
      const listening = new DisposableStore();
      listening.add((catalog.changesFor?.(viewer) ?? catalog.onDidChange)(listener));
      // Whoever is offered nothing must not learn that something changed.
      listening.add(offered.onDidChange((part) => (isOfferedTo(viewer) ? listener(part) : undefined)));
      return listening;
    },
  };
}

/**
 * Whether a client sees offered servers: an outside client that the person made a runner. Another window of Duplex does not, because
 * two windows that offer each other would offer what they offer for ever. That name is a claim, but here it only takes away.
 */
function isOfferedTo({ credential, rights, callsItself }: Viewer): boolean {
  const isDuplex = callsItself === productName || callsItself.startsWith(`${productName} `);
  return credential.kind !== 'chat' && !isDuplex && rights.role() === 'runner';
}

interface Made {
  readonly of: readonly OfferedTool[];
  readonly tools: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
}

/** The offered tools as the protocol calls them, made once for each. */
class BoundTools {
  readonly #offered: OfferedServersPort;
  #made: Made | undefined;

  constructor(offered: OfferedServersPort) {
    this.#offered = offered;
  }

  all(): readonly Tool[] {
    return this.#make().tools;
  }

  find(name: string): Tool | undefined {
    return this.#make().byName.get(name);
  }

  #make(): Made {
    const of = this.#offered.tools();
    if (this.#made?.of !== of) {
      const tools = of.map((tool) => bindOffered(tool, this.#offered));
      this.#made = { of, tools, byName: new Map(tools.map((tool) => [tool.name, tool])) };
    }
    return this.#made;
  }
}

function bindOffered({ name, listing, server, taskSupport }: OfferedTool, offered: OfferedServersPort): Tool {
  return {
    name,
    listing,
    server,
    taskSupport,
    role: 'runner',
    // What a server does with a call is unknown.
    acts: true,
    asks: 'call',
    prepare: (args) => prepareOffered({ name, server }, args, offered),
  };
}

function prepareOffered(tool: Pick<OfferedTool, 'name' | 'server'>, args: unknown, offered: OfferedServersPort): PreparedCall {
  const given = args ?? {};
  if (!isJsonObject(given)) {
    return { kind: 'badArguments', parameter: '', reason: 'expected an object' };
  }
  const paths = pathsInArguments(given);
  const run = async (call: CallContext): Promise<{ kind: 'result'; result: JsonObject }> => {
    const outcome = await offered.callTool({
      client: clientOf(call.viewer),
      name: tool.name,
      arguments: given,
      signal: call.signal,
      onProgress: (progress, message, total) => call.reportProgress(progress, message, total),
      decide: (what, decide, isForOne) =>
        call.decideElsewhere({ tool, paths, key: canonicalJson([what, tool.name, given]), decide, isForOne }),
    });
    return demandAllowed(outcome);
  };
  return { kind: 'ready', paths, run };
}
