/** Which test files reach a source file through imports, nearest first; those that name it are nearer. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const specifier =
  /^(?:import|export)\s+(?!type\s)(?:[^'"();]*?\sfrom\s+)?['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm

/** What a file starts as a process, which no import shows. */
const started: Readonly<Record<string, readonly string[]>> = {
  'test/support/spawn-sparring.ts': ['src/sparring/main.ts'],
}

/** They read the tree as text, or are about mutants: they say nothing about behaviour. */
const left = [
  'src/architecture.test.ts',
  'src/names.test.ts',
  'test/mutation',
  'test/nightly',
  'bench',
]

export interface RelatedTests {
  /** Those that reach a source file. */
  readonly of: (path: string) => readonly string[]
  /** Whether a test starts the built program. */
  readonly startsProgram: (test: string) => boolean
}

const folder = (path: string): string => dirname(path)
/** The file name before the first dot: that of a test is that of what it tests. */
const stem = (path: string): string => basename(path).replace(/\..*/, '')
const room = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Reads all imports below a root once. */
export function createRelatedTests(root: string): RelatedTests {
  const texts = new Map(
    globSync('{src,test}/**/*.{ts,tsx}', { cwd: root }).map((file) => [
      file,
      readFileSync(join(root, file), 'utf8'),
    ]),
  )
  const importers = new Map<string, string[]>()
  for (const [file, text] of texts) {
    const imported = Array.from(text.matchAll(specifier), ([, own, late]) =>
      join(file, '..', own ?? late ?? ''),
    )
    for (const target of [...imported, ...(started[file] ?? [])])
      importers.set(target, [...(importers.get(target) ?? []), file])
  }

  /** The number of imports between the file and each that reaches it. */
  function distances(path: string): ReadonlyMap<string, number> {
    const known = new Map([[path, 0]])
    for (const [file, steps] of known)
      for (const next of importers.get(file) ?? []) if (!known.has(next)) known.set(next, steps + 1)
    return known
  }

  const starters = new Set(
    [...texts].filter(([, text]) => text.includes('SPARRING_TESTED')).map(([file]) => file),
  )
  const starting = new Set([...starters].flatMap((file) => [...distances(file).keys()]))

  function relatedTo(path: string): readonly string[] {
    // A name of one word says little.
    const name = stem(path).includes('-') ? stem(path) : undefined
    const known = distances(path)
    const rank = (test: string): number =>
      (known.get(test) ?? 0) +
      (stem(test) === stem(path) ? -300 : 0) +
      (name !== undefined && texts.get(test)?.includes(name) ? -90 : 0) +
      (folder(test) === folder(path) ? -200 : room(test) === room(path) ? -100 : 0)
    return [...known.keys()]
      .filter((file) => /(?<!\.soak)\.test\.tsx?$/.test(file))
      .filter((file) => !left.some((each) => file.startsWith(each)))
      .toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other))
  }

  return { of: relatedTo, startsProgram: (test) => starting.has(test) }
}
