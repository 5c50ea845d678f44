/** The version and the folder of this package. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildCommit } from './build-commit.ts'

/** With a slash at the end. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url))

let cached: string | undefined

/** The version of package.json alone, such as `0.1.0`: for what is compared between builds. */
export function packageVersion(): string {
  if (cached !== undefined) return cached
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  cached = (JSON.parse(text) as { version: string }).version
  return cached
}

/** The version with the commit where one is known, such as `0.1.0 (abc1234)`: for people and reports. */
export const buildVersion = (commit: string | undefined = buildCommit): string =>
  commit === undefined ? packageVersion() : `${packageVersion()} (${commit})`
