/**
 * Guard for unredacted recordings: they may only be written where git ignores them. Checked before the first byte,
 * since a committed secret is leaked for good.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { outputPlaceOf } from '../files/output-place.ts'

/** Permissions of what holds secrets: only its owner may read it. */
export const rawFileMode = 0o600

/** The nearest existing ancestor folder. */
function nearest(folder: string): string {
  let at = folder
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  return at
}

/** The root of the git working tree; undefined outside of one. */
function workingTree(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}

/** Whether git ignores a path; undefined when it cannot be determined. */
function isIgnored(path: string, folder: string): boolean | undefined {
  try {
    execFileSync('git', ['check-ignore', '--quiet', '--', path], { cwd: folder, stdio: 'ignore' })
    return true
  } catch (error) {
    const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined
    return status === 1 ? false : undefined
  }
}

/** Why a raw recording must not be written there; undefined when it may, as into a pipe, which keeps nothing. */
export function rawRecordingRefusal(path: string, cwd?: string): string | undefined {
  const place = outputPlaceOf(path, cwd)
  if (place.kind !== 'file') return undefined
  const whole = place.path
  const folder = nearest(dirname(whole))
  const root = workingTree(folder)
  if (root === undefined) return undefined
  const ignored = isIgnored(whole, folder)
  if (ignored === true) return undefined
  const reason =
    ignored === false
      ? 'git does not ignore it, and a raw recording holds secrets and people as they were'
      : 'nobody can say whether git ignores it, and a raw recording holds secrets and people as they were'
  const suggestion = join(root, 'recordings', 'raw', basename(whole))
  return `recording raw to ${path}: ${reason}. Record to an ignored place such as ${suggestion}, or leave the redaction on`
}
