/** The version of this package, from its package.json. */
import { readFileSync } from 'node:fs'

let cached: string | undefined

export function packageVersion(): string {
  if (cached !== undefined) return cached
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  cached = (JSON.parse(text) as { version: string }).version
  return cached
}
