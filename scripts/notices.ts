import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name?: string };
}

/** The licences of all bundled packages, which demand to be distributed with them. */
export async function noticesOf(metafiles: readonly Metafile[]): Promise<string> {
  const parts = await Promise.all(bundledPackages(metafiles).map(noticeOf));
  // A package may be installed twice, for two others that need it.
  return ['Skydeck contains the following packages.\n', ...new Set(parts)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** A component of a bill of materials, as CycloneDX 1.6 has it. */
interface Component {
  type: 'application' | 'library';
  name: string;
  version: string;
  purl?: string;
  licenses?: readonly object[];
}

/** The bill of materials of the program, as CycloneDX 1.6 has it: all bundled packages. */
export async function materialsOf(metafiles: readonly Metafile[]): Promise<object> {
  const manifests = await Promise.all(['.', ...bundledPackages(metafiles)].map(manifestIn));
  const [program, ...libraries] = manifests.map(
    ({ name, version, license }, index): Component => ({
      type: index === 0 ? 'application' : 'library',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(license !== undefined && {
        licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }],
      }),
    }),
  );
  const components = [...new Map(libraries.map((library) => [library.purl, library])).values()];
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: program }, components };
}

const manifestIn = async (directory: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));

/** The directories of the packages with code in a bundle. */
function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const packages = inputs.map(([path]) => /^(?:[^:]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set(packages.filter((path) => path !== undefined))].sort();
}

async function noticeOf(directory: string): Promise<string> {
  const manifest = await manifestIn(directory);
  const files = (await readdir(directory)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  const all = texts.length > 0 ? texts : [await namedLicence(manifest)];
  const title = `${manifest.name} ${manifest.version} (${manifest.license})\n`;
  return [title, ...all.map((text) => `${text.trim()}\n`)].join('\n');
}

/** The licence of a package that names it only: our own MIT text with the package's author. */
async function namedLicence({ name, license, author }: Manifest): Promise<string> {
  const holder = typeof author === 'string' ? author : author?.name;
  if (license !== 'MIT' || !holder) throw new Error(`${name} has no text of its licence`);
  return (await readFile('LICENSE', 'utf8')).replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}
