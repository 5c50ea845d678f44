/** The version and the folder of this package. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** With a slash at the end. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url))

let cached: string | undefined

export function packageVersion(): string {
  if (cached !== undefined) return cached
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  cached = (JSON.parse(text) as { version: string }).version
  return cached
}
