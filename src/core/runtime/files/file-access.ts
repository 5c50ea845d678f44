/**
 * What may be read, run and called for a caller who is not the user, such as an agent: files of one folder, and services of
 * this machine. Everything, where no such caller is known.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import { type Problem, problem } from '../../base/problem.ts'
import { isLoopback } from '../server/loopback.ts'
import { packageFolder } from '../version.ts'
import { realPathOf } from './output-place.ts'

export interface FileAccess {
  /** Files are read and written below it only. */
  readonly folder: string
  /** Programs, such as a configuration in TypeScript, are run. */
  readonly runsPrograms: boolean
  /** Hosts besides this machine that may be called. */
  readonly hosts: readonly string[]
}

interface Caller extends FileAccess {
  /** Folders whose files the caller may have: its own, this package's, and those made for it meanwhile. */
  readonly folders: string[]
}

const current = new AsyncLocalStorage<Caller | undefined>()

/** Runs the function, and whatever it begins, for such a caller. */
export const withFileAccess = <Value>(access: FileAccess, run: () => Value): Value =>
  current.run({ ...access, folders: [access.folder, packageFolder] }, run)

/** Runs the function for the user, for whom the program keeps files of its own. */
export const withoutFileAccess = <Value>(run: () => Value): Value => current.run(undefined, run)

/** Whether a path, with its links followed, is in a folder or the folder itself; it need not exist. */
export function isInFolder(path: string, folder: string): boolean {
  const rest = relative(realPathOf(folder), realPathOf(path))
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest)
}

/** A new folder for files that are not kept, which the caller may have: `minimise` plays there what it is about to write. */
export function makeTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  current.getStore()?.folders.push(folder)
  return folder
}

/** Whether the caller may have this file. */
export const isReadable = (path: string): boolean =>
  current.getStore()?.folders.some((folder) => isInFolder(path, folder)) ?? true

/** Throws a `Problem` for a file that the caller may not have; `attempted` is such as `reading a.yaml`. */
export function checkFile(attempted: string, path: string): void {
  if (isReadable(path)) return
  throw problem(
    attempted,
    `it is outside of ${current.getStore()?.folder ?? ''}, the folder of sparring mcp, or a link leads out of it`,
    'Name a file in that folder, or start sparring mcp with --folder and one that holds both.',
  )
}

/** Throws a `Problem` where no program may be run. */
export function checkProgram(attempted: string): void {
  if (current.getStore()?.runsPrograms === false)
    throw problem(
      attempted,
      'it is a program, and sparring mcp --read-only runs none',
      'Name a YAML or JSON file.',
    )
}

/** Why a URL may not be called; undefined where it may. */
export function callRefusal(url: string): Problem | undefined {
  const access = current.getStore()
  const { hostname = '', host = '' } = URL.parse(url) ?? {}
  if (access === undefined || isLoopback(hostname)) return undefined
  if (access.hosts.some((each) => each === hostname || each === host)) return undefined
  return problem(
    `calling ${url}`,
    'it is not this machine, and nothing is sent to others for an agent',
    `Allow it where the agent cannot: sparring mcp --allow-target ${hostname || '<host>'}.`,
  )
}
