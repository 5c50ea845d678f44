/**
 * Guard for unredacted recordings: they may only be written where git ignores them, unless the user says that it is unsafe. Checked before the first byte,
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

/** Where a raw recording, or what is made from one, may not be written, and why. */
interface RawObjection {
  readonly reason: string
  /** A place where it may be. */
  readonly place: string
  /** It is in a working tree, and could be committed. */
  readonly isInTree: boolean
}

/** Undefined where git ignores it, and for a pipe or a device, which keeps nothing. */
function objectionTo(path: string, cwd?: string): RawObjection | undefined {
  const place = outputPlaceOf(path, cwd)
  if (place.kind !== 'file') return undefined
  const folder = nearest(dirname(place.path))
  const root = workingTree(folder)
  if (root === undefined)
    return {
      reason: 'it is in no git repository that ignores it',
      place: 'a place that a repository ignores',
      isInTree: false,
    }
  const ignored = isIgnored(place.path, folder)
  if (ignored === true) return undefined
  return {
    reason:
      ignored === false ? 'git does not ignore it' : 'git could not be asked whether it ignores it',
    place: `an ignored place such as ${join(root, 'recordings', 'raw', basename(place.path))}`,
    isInTree: true,
  }
}

/** Why a raw recording must not be written there; undefined when it may. */
export function rawRecordingRefusal(path: string): string | undefined {
  const objection = objectionTo(path)
  if (!objection) return undefined
  return (
    `recording raw to ${path}: ${objection.reason}, and a raw recording holds secrets and people as they were. ` +
    `Record to ${objection.place}, leave the redaction on, or say --raw=unsafe (in a configuration unsafe: true)`
  )
}

/**
 * Why what is made from a raw recording must not be written there: it holds the same secrets, and could be committed.
 */
export function rawExportRefusal(path: string, cwd: string): string | undefined {
  const objection = objectionTo(path, cwd)
  if (!objection?.isInTree) return undefined
  return (
    `writing what is made from a raw recording to ${path}: ${objection.reason}, and it holds secrets and people as they ` +
    `were. Name ${objection.place}, or redact the recording first: sparring import`
  )
}
