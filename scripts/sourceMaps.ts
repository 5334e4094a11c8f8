import { dirname, relative, resolve } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

interface SourceMap {
  version: 3;
  sources: string[];
  mappings: string;
}

/**
 * A source map of lines without columns, with paths from the root of the project: a tenth of the full size.
 * @param file the path of the map, to which its sources are relative
 */
export function linesOnly(map: string, file: string): string {
  const { sources, mappings } = JSON.parse(map) as SourceMap;
  const lines = decode(mappings).map((segments) => {
    const kept: SourceMapSegment[] = [];
    let last: SourceMapSegment | undefined;
    for (const segment of segments) {
      if (last && segment[1] === last[1] && segment[2] === last[2]) continue;
      last = segment;
      const [column, source, line] = segment;
      kept.push(source === undefined || line === undefined ? [column] : [column, source, line, 0]);
    }
    return kept;
  });
  const named = sources.map((source) => fromRoot(source, file));
  return JSON.stringify({ version: 3, sources: named, names: [], mappings: encode(lines) });
}

/** Sources of bundler plugins, like `required:node:fs`, have no file. */
const fromRoot = (source: string, file: string): string =>
  /^\w+:/.test(source) ? source : relative('.', resolve(dirname(file), source));
