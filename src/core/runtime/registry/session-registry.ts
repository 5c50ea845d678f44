/**
 * Registry of the sessions that run on this machine: a file for each in the user's state folder, written at the start and
 * removed at the end. The file of a process that is gone is removed by its next reader.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { err, ok, type Result } from '../../protocol/result.ts'
import { wallNow } from '../clock/clock.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { saveOutput } from '../files/output.ts'
import { uniqueSuffix, type WrittenFile } from '../files/replacement.ts'
import { buildVersion } from '../version.ts'
import { ownIdentity, standingOf } from './process-identity.ts'
import { parseSessionEntry, type SessionDetails, type SessionEntry } from './session-entry.ts'
import {
  type EnvironmentVariables,
  isOwnFolder,
  makePrivateFolder,
  stateFolders,
} from './state-folder.ts'

/** A session file is a few hundred bytes. */
const maxBytes = 65_536

/** Writes the file of this process's session; the error says why there is none. */
export async function registerSession(
  details: SessionDetails,
  cwd: string,
  environment: EnvironmentVariables = process.env,
): Promise<Result<WrittenFile, string>> {
  const entry: SessionEntry = {
    format: 1,
    ...ownIdentity(),
    since: Math.floor(wallNow()),
    cwd,
    version: buildVersion(),
    ...details,
  }
  const name = `${process.pid}-${uniqueSuffix()}.json`
  let problem = 'there is no folder for it'
  for (const folder of stateFolders('sessions', environment)) {
    const file = join(folder, name)
    try {
      makePrivateFolder(folder)
      const written = await saveOutput(file, `${JSON.stringify(entry)}\n`, {
        replace: false,
        mode: 0o600,
        unsynced: true,
      })
      if (written) return ok(written)
    } catch (error) {
      problem = fileProblem(`writing ${file}`, error)
    }
  }
  return err(problem)
}

export interface RegisteredSession extends SessionEntry {
  /** Whether the process is certainly the one that wrote the file. */
  readonly isSure: boolean
}

export interface SessionRegistry {
  /** The sessions of this machine, oldest first. */
  readonly sessions: readonly RegisteredSession[]
  /** Files that cannot be read, with the reason. */
  readonly broken: readonly { readonly file: string; readonly wrong: string }[]
}

/** The session files of a folder: none of a folder that another user could write to. */
function filesIn(folder: string): readonly string[] {
  try {
    if (!isOwnFolder(folder)) return []
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Undefined when the file was removed meanwhile. */
function readEntry(file: string): Result<SessionEntry, string> | undefined {
  try {
    if (statSync(file).size > maxBytes) return err('it is too long for a session file')
    return parseSessionEntry(readFileSync(file, 'utf8'))
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : err(fileProblem(`reading ${file}`, error))
  }
}

export function readSessionRegistry(
  environment: EnvironmentVariables = process.env,
): SessionRegistry {
  const sessions: RegisteredSession[] = []
  const broken: { readonly file: string; readonly wrong: string }[] = []
  for (const file of stateFolders('sessions', environment).flatMap(filesIn)) {
    const read = readEntry(file)
    if (!read) continue
    if (!read.ok) {
      broken.push({ file, wrong: read.error })
      continue
    }
    const standing = standingOf(read.value)
    if (standing === 'gone') rmSync(file, { force: true })
    // The process of another machine or container cannot be looked at from here.
    if (standing === 'running' || standing === 'unsure')
      sessions.push({ ...read.value, isSure: standing === 'running' })
  }
  return { sessions: sessions.sort((a, b) => a.since - b.since), broken }
}
