/** The version of this package, as its package.json has it. */
import { readFileSync } from 'node:fs'

let known: string | undefined

export function version(): string {
  if (known !== undefined) return known
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  known = (JSON.parse(text) as { version: string }).version
  return known
}
