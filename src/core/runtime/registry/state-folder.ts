/** Folders for what this program keeps of running processes: of the user, writable by no one else. */
import { chmodSync, lstatSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'
import { makeFolder } from '../files/make-folder.ts'

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The user's state folder for this program (XDG; LOCALAPPDATA on Windows). */
function stateDirectory({ HOME, LOCALAPPDATA, XDG_STATE_HOME: xdg }: EnvironmentVariables): string {
  const home = HOME || homedir()
  if (process.platform === 'win32')
    return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'sparring')
  // A relative XDG path is to be ignored, says its specification.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'state'), 'sparring')
}

/** Where files of a kind may be, in the order of preference: without a writable home in the temporary folder. */
export const stateFolders = (
  kind: 'sessions' | 'locks',
  environment: EnvironmentVariables = process.env,
): readonly string[] => [
  join(stateDirectory(environment), kind),
  join(environment['TMPDIR'] || tmpdir(), `sparring-${process.getuid?.() ?? 'user'}`, kind),
]

/** Whether a folder is this user's own: what others may write to is not believed. */
export function isOwnFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  if (process.getuid === undefined) return true
  return stats.uid === process.getuid() && (stats.mode & 0o022) === 0
}

/** Creates a folder that only this user can read; throws when there is one that belongs to another user. */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder, 0o700)
  const found = lstatSync(folder)
  // Of a symbolic link, chmod would change what it leads to.
  if (found.isDirectory() && found.uid === process.getuid?.()) chmodSync(folder, 0o700)
  if (!isOwnFolder(folder))
    throw Object.assign(new Error(`${folder} belongs to another user`), { code: 'EPERM' })
}
