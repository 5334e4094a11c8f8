/** Makes a Debian package of the executable file, `dist/skydeck_VERSION_ARCHITECTURE.deb`: `npm run deb`, on Linux. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import './executable.ts';
import { nodeFor } from './node.ts';

const { version, description } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
/** All files have the time of the commit, so that two packages of it are equal. */
const [maintainer = '', seconds = '', date = ''] = execFileSync('git', ['show', '-s', '--format=%an <%ae>%n%ct%n%aD'], {
  encoding: 'utf8',
}).split('\n');

const executable = `dist/skydeck-${process.platform}-${process.arch}`;
const root = mkdtempSync(resolve('dist/skydeck-unfinished-'));

/** Writes a file of the package: its path, its content, and whether it can be run. */
function put(path: string, content: string | Buffer, mode = 0o644): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

const compressed = (text: string | Buffer): Buffer => gzipSync(text, { level: 9 });
const printed = (...args: string[]): string =>
  execFileSync(executable, args, { encoding: 'utf8', env: { HOME: root, XDG_CACHE_HOME: join(root, 'none') } });

try {
  chmodSync(root, 0o755);
  const documents = 'usr/share/doc/skydeck';
  put('usr/share/bash-completion/completions/skydeck', printed('completion', 'bash'));
  put('usr/share/zsh/vendor-completions/_skydeck', printed('completion', 'zsh'));
  put('usr/share/fish/vendor_completions.d/skydeck.fish', printed('completion', 'fish'));
  put(`${documents}/examples/completion.ps1`, printed('completion', 'powershell'));
  rmSync(join(root, 'none'), { recursive: true, force: true });
  put('usr/bin/skydeck', readFileSync(executable), 0o755);
  put('usr/share/man/man1/skydeck.1.gz', compressed(readFileSync('docs/skydeck.1')));
  put(`${documents}/examples/commands.toml`, readFileSync('docs/commands.toml'));
  put(`${documents}/manual.md.gz`, compressed(readFileSync('docs/manual.md')));
  put(`${documents}/materials.cdx.json.gz`, compressed(readFileSync('dist/materials.cdx.json')));
  put(`${documents}/changelog.gz`, compressed(changelog()));
  put(`${documents}/copyright`, copyright());
  const licence = join(dirname(nodeFor(`${process.platform}-${process.arch}`)), '../LICENSE');
  put(`${documents}/node.txt.gz`, compressed(readFileSync(licence)));
  put(`${documents}/packages.txt.gz`, compressed(readFileSync('dist/THIRD-PARTY-NOTICES')));
  // Node is inside as its makers publish it, with its libraries.
  put('usr/share/lintian/overrides/skydeck', 'skydeck: embedded-library *\nskydeck: hardening-no-pie *\n');
  put('DEBIAN/control', control());
  put('DEBIAN/md5sums', sums());
  const file = `dist/skydeck_${version}_${architecture}.deb`;
  const env = { ...process.env, SOURCE_DATE_EPOCH: seconds };
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
} finally {
  rmSync(root, { recursive: true });
}

function control(): string {
  const kilobytes = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0];
  return `Package: skydeck
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5)
Recommends: openssh-client
Section: admin
Priority: optional
Description: ${description?.replace(/^A /, '')}
 Servers, volumes, images, DNS, NodeBalancers, object storage, managed
 monitoring, tickets and billing as screens that keys lead through, and as
 commands for scripts. It needs no Node.
`;
}

/** The package is made of its own sources, so the log of changes has no other part. */
function changelog(): string {
  return `skydeck (${version}) unstable; urgency=medium

  * See the CHANGELOG of the sources.

 -- ${maintainer}  ${date}
`;
}

/** The licences of Node and of the packages have files of their own, as they are long. */
function copyright(): string {
  return `${readFileSync('LICENSE', 'utf8')}
Node.js is inside, under its licences, which node.txt.gz has; the licences of the packages of npm that are inside are in
packages.txt.gz.
`;
}

/** The digests of all files, as dpkg verifies them. */
function sums(): string {
  const files = execFileSync('find', ['usr', '-type', 'f', '-print0'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
    .sort();
  return execFileSync('md5sum', files, { cwd: root, encoding: 'utf8' });
}
