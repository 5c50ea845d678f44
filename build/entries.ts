/** The import paths of the package and their sources: what `exports` of package.json promises is what is built. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Manifest = z.object({
  exports: z.record(
    z.string(),
    z.union([z.string(), z.object({ types: z.string(), default: z.string() })]),
  ),
})

/** Names of the built modules below `dist` without ending, such as `index`; `src/index.ts` is the source of it. */
export function libraryEntries(): readonly string[] {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return Object.values(Manifest.parse(JSON.parse(text)).exports).flatMap((target) => {
    const [, name] =
      /^\.\/dist\/(.+)\.js$/.exec(typeof target === 'string' ? target : target.default) ?? []
    return name === undefined ? [] : [name]
  })
}
