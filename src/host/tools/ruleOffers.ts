import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { CallFacts, CallRule, OfferedRule, RuledInquiry } from '../../consent/callRules.ts';
import type { RuleOffer, RuleScope } from '../../contract/questions/toolQuestions.ts';
import { isInsideFolder } from '../../platform/paths/pathReach.ts';
import { RealPaths } from '../../platform/paths/realPath.ts';
import { findSecrets } from '../../secrets/findSecrets.ts';
import { isSecretField } from '../../secrets/secretNames.ts';
import { callFacts } from './callFacts.ts';

/** A tool whose calls rules can cover, and the places that matter to them. */
export interface RuledTool {
  readonly inputSchema: JsonObject;
  /** Whether the tool runs on this machine, where a path means what it means here. */
  readonly runsHere: boolean;
  readonly places: RulePlaces;
}

export interface RulePlaces {
  /** The folders of the workspace that are on this machine. */
  readonly folders: readonly string[];
  readonly userHome: string;
}

/** Longer arguments are not kept: nobody would read them in a list of permissions. */
const maxArguments = 2_000;

/** What rules need about a call, and with `isAsked` the rules that its question offers. */
export function ruledInquiry(args: JsonObject, tool: RuledTool, isAsked: boolean): RuledInquiry {
  const facts = (): CallFacts => callFacts(args, tool.inputSchema, tool.runsHere);
  return { facts, offered: isAsked ? rulesFor(args, facts(), tool.places) : [] };
}

/** The offers as a question shows them, in the order of the rules. */
export function shownOffers(offered: readonly OfferedRule[]): RuleOffer[] {
  return offered.map(({ rule, scopes }) => ({ what: shownRule(rule), scopes: [...scopes] }));
}

function shownRule(rule: CallRule): RuleOffer['what'] {
  if (rule.kind === 'exactArguments') {
    return { kind: 'exactArguments' };
  }
  const [folder, realFolder] = [revealInvisible(rule.folder), revealInvisible(rule.realFolder)];
  return { kind: 'pathInside', folder, ...(realFolder !== folder && { realFolder }) };
}

function rulesFor(args: JsonObject, facts: CallFacts, places: RulePlaces): readonly OfferedRule[] {
  return [...exactRules(args, facts), ...folderRules(facts, places)];
}

function exactRules(args: JsonObject, facts: CallFacts): readonly OfferedRule[] {
  if (facts.arguments.length > maxArguments) {
    return [];
  }
  // A secret is not written into a file.
  const scopes: readonly RuleScope[] = holdsSecret(args) ? ['session'] : ['session', 'workspace'];
  return [{ rule: { kind: 'exactArguments', arguments: facts.arguments }, scopes }];
}

function holdsSecret(args: JsonObject): boolean {
  return findSecrets(canonicalJson(args)).length > 0 || hasSecretField(args);
}

function hasSecretField(value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.some(hasSecretField);
  }
  return isJsonObject(value) && Object.entries(value).some(([name, member]) => isSecretField(name) || hasSecretField(member));
}

/**
 * The folder of the file and the workspace folder that it is in. Only a folder of the workspace is offered, and none that holds the
 * person's home, where programs keep what they run.
 */
function folderRules({ folders }: CallFacts, places: RulePlaces): readonly OfferedRule[] {
  const root = folders.findIndex(({ written }) => places.folders.includes(written));
  if (root < 0) {
    return [];
  }
  const home = new RealPaths().of(places.userHome) ?? places.userHome;
  return [...new Set([0, root])].flatMap((index): OfferedRule[] => {
    const folder = folders[index];
    const holdsHome = folder === undefined || isInsideFolder(places.userHome, folder.written) || isInsideFolder(home, folder.real);
    return holdsHome
      ? []
      : [{ rule: { kind: 'pathInside', folder: folder.written, realFolder: folder.real }, scopes: ['session', 'workspace'] }];
  });
}

/** Programs that carry a command to another machine, or into another file system: a path means something else there. */
const carriers =
  /(?:^|[\s/\\'"=;&|(])(?:ssh|docker(?:-compose)?|podman|nerdctl|kubectl|wsl|lxc|flatpak-spawn|chroot|nsenter|bwrap|vagrant|multipass|mcp-remote|mcp-proxy|supergateway)(?:\.\w+)?(?:@[^\s]*)?(?:$|[\s'";&|)])/i;

/** Whether a local server, by what was started, only seems to run on this machine. */
export function isCarriedElsewhere(started: JsonObject): boolean {
  const { command, executable, args } = started;
  const words: readonly unknown[] = [command, executable, args].flat();
  return words.some((word) => typeof word === 'string' && carriers.test(word));
}
