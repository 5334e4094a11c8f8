import { redaction } from '../../api/redact.ts';
import type { Call } from '../../api/request.ts';
import type { CommandsFile } from '../../config/missingCommands.ts';
import { until } from '../../store/listeners.ts';
import type { Files } from '../../store/machine.ts';
import { createSession, isAccepted, type Session } from '../../store/session.ts';
import type { ShellEntry } from '../../store/ssh.ts';
import type { ViewsFile } from '../../store/views/userViews.ts';
import { openPrograms } from '../../terminal/childProgram.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { clean } from '../../text/cells.ts';
import { type AccountAudit, accountAudit, auditHooks, auditOwner, programRecord } from '../auditLog/accountAudit.ts';
import { auditLimits, openAuditLog } from '../auditLog/auditLog.ts';
import { commandsFileOf, viewsFileOf } from '../config/readConfig.ts';
import { rereader } from '../config/rereadConfig.ts';
import { type Connection, hostOf, openConnection, whyRefused } from '../connection.ts';
import { stateDirectory } from '../directories.ts';
import type { Invocation } from '../invocation.ts';
import { type KeptLists, openKeptLists, removeLists } from '../kept/keptLists.ts';
import type { Log } from '../log.ts';
import type { CommandRun, RunSettings } from '../settings.ts';
import { type Login, type LoginState, loginOf, loginState } from '../state/accounts.ts';
import { leaveAside } from '../state/crashed.ts';
import { messageKeeper } from '../state/messages.ts';
import { openState, type StateHost } from '../state/state.ts';
import { takeOver } from '../state/takeOver.ts';
import { environmentFor, withheldFrom } from '../token.ts';

/** Opens the accounts of a run, which share the audit log. */
export type AccountOpener = ReturnType<typeof accountOpener>;

interface OpenerOptions extends Pick<CommandRun, 'child'> {
  invocation: Pick<Invocation, 'command' | 'options' | 'demo'>;
  host: StateHost;
  files: Files;
  /** Absent where no program is run. */
  terminal?: Pick<Terminal, 'runChild'>;
  onCall: (call: Call) => void;
  /** The longest that rate limits may delay it in all, where it ends by itself. */
  pauseBudgetMs?: number;
  /** Told, as a sentence, when the audit log cannot be written. */
  onFailure: (says: string) => void;
}

export function accountOpener(given: OpenerOptions) {
  const { invocation, host, files, terminal, child, onCall, pauseBudgetMs, onFailure } = given;
  const { options } = invocation;
  const { env } = host;
  // A wall shows what is now, and a plan is carried out without a screen.
  const isDashboard = invocation.command === 'dashboard';
  const connections = new Set<Connection>();
  /** Everything that is kept of all accounts. */
  const state = openState(stateDirectory(env), host.geteuid?.());
  const keptLists: KeptLists[] = [];
  const tokens: string[] = [];
  const variables: string[] = [];
  const environment = () => environmentFor(env, { tokens, variables });
  let audit: Log | undefined;

  let limits = auditLimits();
  const auditLog = () => {
    audit ??= openAuditLog(stateDirectory(env), onFailure, limits);
    return audit;
  };
  /** By profile: a shell is recorded apart from the client of its account. */
  const audits = new Map<string, AccountAudit>();
  const withoutTokens = (text: string) =>
    tokens.reduce((rest, token) => rest.replaceAll(token, redaction), clean(text));
  /** A read-only account may open shells, for which the log is opened then. */
  const late: Pick<Log, 'write' | 'commit'> = {
    write: (entry) => auditLog().write(entry),
    commit: async (entry) => auditLog().commit(entry),
  };
  function auditOf(settings: RunSettings): AccountAudit {
    const { profile, demo, readOnly, configuration } = settings;
    limits = auditLimits(configuration);
    const files = demo ? undefined : { log: readOnly ? late : auditLog(), directory: stateDirectory(env) };
    const own = accountAudit(auditOwner(profile, hostOf(settings)), files, Date.now);
    audits.set(profile, own);
    return own;
  }

  /** The lists that are kept of an account; none where nobody wants them, and then those from before go. */
  function keptFor(
    settings: RunSettings,
    login: Login | undefined,
    own: LoginState | undefined,
  ): KeptLists | undefined {
    if (!login || !own || !isDashboard || options.noCache) return undefined;
    if (settings.own?.cache === false) {
      removeLists(state, login.profile);
      return undefined;
    }
    const kept = openKeptLists(state, login, own);
    keptLists.push(kept);
    return kept;
  }

  return {
    /** Throws a UsageError when the settings are invalid, or the audit log cannot be written. */
    open(settings: RunSettings) {
      const session = createSession(Date.now);
      const { lines, source } = auditOf(settings);
      const isRecorded = settings.demo || !settings.readOnly;
      const connection = openConnection(settings, invocation.demo, {
        ...{ child, pauseBudgetMs },
        onCall: (call) => {
          // The data of an answer is shown before its entry in the session.
          if (terminal) setImmediate(() => session.noteCall(call));
          else session.noteCall(call);
          onCall(call);
        },
        ...(isRecorded && auditHooks(lines)),
      });
      connections.add(connection);
      const { account, configuration, profile } = settings;
      const login = loginOf(settings);
      const own = login && loginState(state, login, host);
      if (own) takeOver(state, profile, own);
      if (own && isDashboard) leaveAside(state, profile, own);
      const kept = keptFor(settings, login, own);
      if (account) tokens.push(account.token.value);
      variables.push(...settings.tokenVariables);
      const onAccount = (account: string) => {
        source.owner.setState({ account });
        own?.confirm(account);
      };
      // With the API away the account is asked again once it answers: the kept lists may be of another one.
      const whyRefusedNow = (baseUrl: string): Promise<string | undefined> =>
        whyRefused(connection.api, baseUrl, onAccount, () => {
          if (!kept?.hasLists()) return false;
          void answered(session).then(() => whyRefusedNow(baseUrl));
          return true;
        });
      return {
        parts: {
          api: connection.api,
          session,
          settings,
          configuration,
          reread: rereader(settings, options, env, (more) => variables.push(...more)),
          files,
          programs:
            terminal &&
            openPrograms({ env: environment, terminal, record: isRecorded ? programRecord(lines) : undefined }),
          audit: source,
          isWatched: !isDashboard,
          persist: {
            ...{ state: own, ...filesBeside(settings.configPath), lists: kept },
            onNotice: own && isDashboard ? messageKeeper(own, profile, withoutTokens) : undefined,
          },
        },
        whyRefused: async () => {
          const why = account && (await whyRefusedNow(account.baseUrl));
          return isAccepted(session) ? undefined : why;
        },
        close: async () => {
          if (connections.delete(connection)) await connection.close();
        },
      };
    },
    /** Writes the line of the audit log about a shell; rejects with an Error of one sentence where that fails. */
    record: async (entry: ShellEntry, profile: string) => {
      const own = audits.get(profile);
      if (!own) throw new Error(`Nothing was run, because the profile ${profile} is not open.`);
      await programRecord(own.lines)(entry);
    },
    /** Why the audit log lacks lines, as a sentence. */
    get failure() {
      return audit?.failure;
    },
    /** The environment of other programs, without the token of any account that was opened. */
    env: environment,
    /** The variables that these do not get. */
    withheld: () => withheldFrom(env, { tokens, variables }),
    state,
    /** Resolves when the lists of all accounts are kept. */
    keep: async () => {
      await Promise.all(keptLists.map((kept) => kept.close()));
    },
    /** Closes all connections and the log. */
    close: async () => {
      await Promise.all([...connections, ...keptLists].map((one) => one.close()));
      audit?.close();
      state.close();
    },
  };
}

/** Resolves when the API has answered again. */
function answered({ subscribe, getState }: Session): Promise<void> {
  const before = getState().answeredAt;
  return until({ subscribe }, () => !getState().trouble && getState().answeredAt !== before);
}

/** The files beside the configuration that change while the program runs; what writes them is loaded then. */
const filesBeside = (configFile: string | undefined): { views?: ViewsFile; commands?: CommandsFile } => {
  if (configFile === undefined) return {};
  const views = viewsFileOf(configFile);
  return {
    views: {
      path: views,
      change: async (alter) => (await import('../config/besideFiles.ts')).changeViewsFile(views, alter),
    },
    commands: {
      path: commandsFileOf(configFile),
      add: async (command) => (await import('../config/besideFiles.ts')).addToCommandsFile(configFile, command),
    },
  };
};
