/** What package.json says about the build: the import paths, and the packages that are not bundled. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  exports: z.record(
    z.string(),
    z.union([z.string(), z.object({ types: z.string(), default: z.string() })]),
  ),
})

const readManifest = () =>
  Manifest.parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))

/** Packages that are installed with ours. */
export const runtimePackages = (): readonly string[] => Object.keys(readManifest().dependencies)

/** Names of the built modules below `dist` without ending, such as `index`; `src/sparring/library/index.ts` is its source. */
export function libraryEntries(): readonly string[] {
  return Object.values(readManifest().exports).flatMap((target) => {
    const [, name] =
      /^\.\/dist\/(.+)\.js$/.exec(typeof target === 'string' ? target : target.default) ?? []
    return name === undefined ? [] : [name]
  })
}

/** The source of a built module, below the root of the package. */
export const librarySource = (name: string): string => `src/sparring/library/${name}.ts`
