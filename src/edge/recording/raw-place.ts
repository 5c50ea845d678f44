/**
 * Where a recording may lie that nobody redacted: where git will not take it along. A secret that was committed once is
 * out for good, so this is asked before the first byte is written.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The nearest folder that is there. */
function nearest(folder: string): string {
  let at = folder
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  return at
}

/** The top of the working tree that a folder is in; undefined when it is in none. */
function workingTree(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}

/** Whether git passes over a path; undefined when nobody can tell. */
function isIgnored(path: string, folder: string): boolean | undefined {
  try {
    execFileSync('git', ['check-ignore', '--quiet', '--', path], { cwd: folder, stdio: 'ignore' })
    return true
  } catch (error) {
    const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined
    return status === 1 ? false : undefined
  }
}

/** Why a raw recording must not lie there; undefined when it may. */
export function whyNotRaw(path: string): string | undefined {
  const whole = resolve(path)
  const folder = nearest(dirname(whole))
  const root = workingTree(folder)
  if (root === undefined) return undefined
  const ignored = isIgnored(whole, folder)
  if (ignored === true) return undefined
  const wrong =
    ignored === false
      ? 'git does not ignore it, and a raw recording holds secrets and people as they were'
      : 'nobody can say whether git ignores it, and a raw recording holds secrets and people as they were'
  const better = join(root, 'recordings', 'raw', basename(whole))
  return `recording raw to ${path}: ${wrong}. Record to an ignored place such as ${better}, or leave the redaction on`
}
