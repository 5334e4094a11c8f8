/**
 * Makes all that is published of the tagged commit, in `release/`: the package of npm, the executable file and the Debian
 * package of this platform, their bill of materials and the digests of all: `npm run release`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'release';
const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const tag = `v${version}`;
if (git('status', '--porcelain') !== '') throw new Error('The sources differ from the commit; commit or stash them.');
if (!git('tag', '--points-at', 'HEAD').split('\n').includes(tag)) {
  throw new Error(`The commit has no tag ${tag}, as the version in package.json wants; git tag ${tag} gives it one.`);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
execFileSync(process.execPath, [process.platform === 'linux' ? 'scripts/deb.ts' : 'scripts/executable.ts'], {
  stdio: 'inherit',
});
for (const name of readdirSync('dist').filter((one) => /^skydeck[-_]/.test(one))) {
  copyFileSync(join('dist', name), join(folder, name));
}
execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
copyFileSync('dist/materials.cdx.json', join(folder, `skydeck-${version}.cdx.json`));
const sums = readdirSync(folder)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
