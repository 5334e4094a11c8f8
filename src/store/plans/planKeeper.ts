import { quoted } from '../../config/settingRules.ts';
import { type KeptPlan, keptPlanIn, keptText, withoutSecrets } from './keptPlan.ts';
import type { Plan, PlanStep } from './plan.ts';

/** A text file that outlives the session. */
export interface StateFile {
  /** Undefined when there is no file. Throws an Error, one sentence. */
  read(): string | undefined;
  /** Throws an Error, one sentence. */
  write(text: string): void;
}

/** The file in which the plan of a profile is kept; other sessions of the profile have the same. */
export interface PlanStateFile extends StateFile {
  readonly path: string;
  /** Lets nobody else carry the plan out until the result is called; a sentence says why it cannot. */
  lock(): (() => void) | string;
}

/** Keeps the plan of a session in the file of its profile. */
export interface PlanKeeper {
  /** Whether the file holds what the session does. */
  readonly isKept: boolean;
  /** The steps of the file where another session has changed it, with the secrets of those that are as they were. */
  news(own: readonly PlanStep[]): readonly PlanStep[] | undefined;
  save(steps: readonly PlanStep[]): void;
  /** Whether the kept steps are for another account, once that is known; the plan is not kept from then on. */
  isOfOther(): boolean;
}

interface KeeperOptions {
  /** The account, as far as it is known now. */
  account: () => Pick<Plan, 'host' | 'euuid'>;
  file: PlanStateFile | undefined;
  /** Called with one sentence that says why the plan is not kept. */
  onTrouble: (says: string) => void;
}

export function createPlanKeeper({ account, file, onTrouble }: KeeperOptions): PlanKeeper {
  let isKept = file !== undefined;
  /** The file as it was last read or written. */
  let seen: string | undefined;
  let euuid: string | undefined;

  function giveUp(says: string): void {
    isKept = false;
    onTrouble(`${says} A plan of this session is lost when you quit.`);
  }

  const notOpened = (why: string) => giveUp(`${file?.path} was not opened: ${why}.`);

  function attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      giveUp((error as Error).message);
      return undefined;
    }
  }

  /** The plan in a text, unless it is damaged or of another account. */
  function opened(text: string): KeptPlan | undefined {
    try {
      const kept = keptPlanIn(text);
      const why = whyOther(kept, account());
      if (why === undefined) return kept;
      notOpened(why);
    } catch (error) {
      notOpened((error as Error).message);
    }
    return undefined;
  }

  return {
    get isKept() {
      return isKept;
    },
    news(own) {
      const text = isKept ? attempt(() => file?.read()) : undefined;
      if (text === undefined || text === seen) return undefined;
      const kept = opened(text);
      if (!kept) return undefined;
      seen = text;
      euuid = kept.euuid ?? euuid;
      const known = new Map(own.map((step) => [JSON.stringify(withoutSecrets(step)), step]));
      return kept.steps.map((step) => known.get(JSON.stringify(step)) ?? step);
    },
    save(steps) {
      if (!isKept) return;
      const now = account();
      const text = keptText({ host: now.host, euuid: now.euuid ?? euuid, steps });
      attempt(() => file?.write(text));
      seen = text;
    },
    isOfOther() {
      const now = isKept && euuid !== undefined ? account() : undefined;
      const why = now && whyOther({ host: now.host, euuid }, now);
      if (why !== undefined) notOpened(why);
      return why !== undefined;
    },
  };
}

/** Why a plan is not for an account, as the end of a sentence. */
function whyOther(kept: Omit<KeptPlan, 'steps'>, now: Omit<KeptPlan, 'steps'>): string | undefined {
  if (kept.host !== now.host) return `it is for ${quoted(kept.host)}, and this is ${quoted(now.host)}`;
  return kept.euuid !== undefined && now.euuid !== undefined && kept.euuid !== now.euuid
    ? `it is for the account ${quoted(kept.euuid)}, and this is ${quoted(now.euuid)}`
    : undefined;
}
