import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { readAuditLog } from '../../src/program/auditLog/readAuditLog.ts';
import { readCache } from '../../src/program/compiled.ts';
import { changeViewsFile } from '../../src/program/config/besideFiles.ts';
import { readConfig, viewsFileOf } from '../../src/program/config/readConfig.ts';
import { openLog } from '../../src/program/log.ts';
import { readPlan, whyUnsafePlan } from '../../src/program/plans/planCommand.ts';
import { openPrivate, readPrivate, type Trusted } from '../../src/program/privateFile.ts';
import { tokenOf } from '../../src/program/token.ts';
import { samplePlan } from '../config/plan.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const { uid: me } = userInfo();
const nobody = 65534;

let home: string;
let folder: string;
beforeEach(() => {
  home = temporaryFolder('private');
  folder = join(home, 'own');
  mkdirSync(folder, { mode: 0o700 });
});

/** The sentence of an error; nothing where there is none. */
const saidBy = async (act: () => unknown): Promise<string | undefined> => {
  try {
    await act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** A use of a file that is trusted: it resolves with why the file was refused, as a sentence. */
interface Use {
  name: string;
  text: string;
  use: (file: string) => Promise<string | undefined>;
  /** The program keeps it, and no link is followed. */
  isOwn?: true;
}

const plan = JSON.stringify(samplePlan());
const uses: readonly Use[] = [
  { name: 'config.toml', text: '[profiles.p]\n', use: (file) => saidBy(() => readConfig(file, true)) },
  {
    name: 'views.toml',
    text: '[views.mine]\narea = "servers"\n',
    use: async (file) => {
      const { mistakes } = await readConfig(join(dirname(file), 'config.toml'), false);
      expect(viewsFileOf(join(dirname(file), 'config.toml'))).toBe(file);
      return mistakes[0]?.says ?? saidBy(() => changeViewsFile(file, () => ({})));
    },
  },
  { name: 'token', text: 'sesame', use: (file) => saidBy(() => tokenOf({ token_file: file }, {}, file)) },
  {
    name: 'plan.json',
    text: plan,
    use: async (file) => {
      const says = await saidBy(() => readPlan(file, true));
      expect('plan' in readPlan(file, false)).toBe(true);
      expect(says).toBe(whyUnsafePlan(file));
      return says;
    },
  },
  {
    name: 'audit.jsonl',
    text: '{"n":1}\n',
    isOwn: true,
    use: async (file) => {
      const before = readFileSync(file, 'utf8');
      const read = await readAuditLog(dirname(file), () => {});
      const written = await saidBy(() => {
        const log = openAuditLog(dirname(file));
        log.close();
      });
      expect(written === undefined).toBe(read === undefined);
      expect(readFileSync(file, 'utf8')).toBe(before);
      return written;
    },
  },
  { name: 'calls.log', text: '{"n":1}\n', use: (file) => saidBy(() => openLog(file).close()) },
  {
    name: 'code',
    text: '',
    isOwn: true,
    use: async (file) => {
      const data = Buffer.from([1, 2, 3, 0, 0, 0, 0]);
      writeFileSync(file, data);
      const trusted: Trusted = { called: 'The compiled code' };
      const why = await saidBy(() => openPrivate(file, trusted));
      if (why !== undefined) expect(readCache(file, 'build', me)).toBeUndefined();
      return why;
    },
  },
];

describe.each(uses)('$name', ({ name, text, use, isOwn }) => {
  const make = (mode = 0o600): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };

  test('is believed where it is its owner alone who can have written it', async () => {
    expect(await use(make())).toBeUndefined();
  });

  test.each([0o620, 0o602, 0o666])('of mode %o is refused, with what mends it', async (mode) => {
    const file = make(mode);
    expect(await use(file)).toMatch(
      new RegExp(
        `${file} can be (changed|read) by others \\(mode 0${mode.toString(8)}\\).*; run: chmod (go-w|600) ${file}`,
      ),
    );
  });

  test.each([0o777, 0o770, 0o703])('in a directory of mode %o is refused, with what mends it', async (mode) => {
    const file = make();
    chmodSync(folder, mode);
    expect(await use(file)).toContain(`lies in ${folder}, which can be changed by others (mode 0${mode.toString(8)})`);
    expect(await use(file)).toContain(`; run: chmod go-w ${folder}`);
  });

  test.skipIf(me !== 0)('of another user is refused, with what mends it', async () => {
    const file = make();
    chownSync(file, nobody, nobody);
    expect(await use(file)).toContain(`${file} belongs to another user (uid ${nobody})`);
    expect(await use(file)).toContain(`; run: chown ${me} ${file}`);
  });

  test.skipIf(me !== 0)('in the directory of another user is refused, with what mends it', async () => {
    const file = make();
    chownSync(folder, nobody, nobody);
    expect(await use(file)).toContain(`lies in ${folder}, which belongs to another user (uid ${nobody})`);
    expect(await use(file)).toContain(`; run: chown ${me} ${folder}`);
  });

  if (isOwn) return;

  test('in a directory where others may write, though replace nothing, is believed', async () => {
    const file = make();
    chmodSync(folder, 0o1777);
    expect(await use(file)).toBeUndefined();
  });
});

describe('a link', () => {
  const linked = (): { file: string; there: string } => {
    const there = join(home, 'there');
    mkdirSync(there, { mode: 0o700 });
    writeFileSync(join(there, 'config.toml'), '[profiles.p]\n', { mode: 0o600 });
    symlinkSync(join(there, 'config.toml'), join(folder, 'config.toml'));
    return { file: join(folder, 'config.toml'), there };
  };

  test('to a file of the user is followed, and the directory there looked at', async () => {
    const { file, there } = linked();
    expect(await saidBy(() => readConfig(file, true))).toBeUndefined();
    chmodSync(there, 0o777);
    expect(await saidBy(() => readConfig(file, true))).toContain(`lies in ${there}, which can be changed by others`);
  });

  test.skipIf(me !== 0)('to a file of another user is refused', async () => {
    const { file, there } = linked();
    chownSync(join(there, 'config.toml'), nobody, nobody);
    expect(await saidBy(() => readConfig(file, true))).toContain(`belongs to another user (uid ${nobody})`);
  });
});

describe('memory that is there already', () => {
  const text = 'of twenty characters';
  const readWith = (bytes: number) => {
    const file = join(folder, 'kept');
    writeFileSync(file, text, { mode: 0o600 });
    const room = Buffer.alloc(bytes);
    const content = readPrivate(file, { called: 'It' }, me, room);
    return { says: String(content), isRoom: content.buffer === room.buffer };
  };

  test.each([text.length, text.length + 1, 4096])('takes a file where it has %d bytes', (bytes) => {
    expect(readWith(bytes)).toEqual({ says: text, isRoom: true });
  });

  test('is left alone where the file is larger', () => {
    expect(readWith(text.length - 1)).toEqual({ says: text, isRoom: false });
  });
});

describe.skipIf(me !== 0)('what root keeps', () => {
  const user = 1000;
  const opened = (trusted: Omit<Trusted, 'called'>) => {
    const file = join(folder, 'config.toml');
    writeFileSync(file, '', { mode: 0o644 });
    chmodSync(folder, 0o755);
    return saidBy(() => openPrivate(file, { called: 'The configuration', ...trusted }, undefined, user));
  };

  test('as in /etc is believed by every user', async () => {
    expect(await opened({ isUsers: true })).toBeUndefined();
  });

  test('is not what the program keeps of a user', async () => {
    expect(await opened({})).toContain('belongs to another user (uid 0)');
  });
});
