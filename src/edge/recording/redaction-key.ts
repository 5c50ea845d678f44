/**
 * The key of the stand-ins in recordings. It lies in the user's own configuration directory, never in a project: with
 * the key beside the recordings, trying all documents numbers would undo the redaction. Made once, readable for its
 * owner alone; whoever loses it gets other stand-ins from then on, nothing worse.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { KeyedHash } from '../../traffic/redaction/pseudonyms.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { makeFolder } from '../files/make-folder.ts'

export interface RedactionKey {
  /** Stands in the header of a recording; tells keys apart and nothing about them. */
  readonly keyId: string
  readonly hash: KeyedHash
}

const keyBytes = 32
const written = /^[\da-f]{64}\n?$/

export function redactionKeyFrom(secret: Uint8Array): RedactionKey {
  return {
    keyId: createHash('sha256').update('sparring key id').update(secret).digest('hex').slice(0, 8),
    hash: (text) => createHmac('sha256', secret).update(text).digest('hex'),
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Where this user's programs keep their configuration. */
export function configurationDirectory(environment: Environment = process.env): string {
  const { APPDATA: windows, XDG_CONFIG_HOME: unix } = environment
  if (process.platform === 'win32' && windows) return join(windows, 'sparring')
  return join(unix || join(homedir(), '.config'), 'sparring')
}

/** The user's key, made when there is none yet. */
export function redactionKey(directory = configurationDirectory()): Result<RedactionKey, string> {
  const file = join(directory, 'redaction.key')
  const attempted = `reading the redaction key ${file}`
  try {
    makeFolder(directory, 0o700)
    make(file)
    const text = readFileSync(file, 'utf8')
    if (!written.test(text))
      return no(
        `${attempted}: it is not 64 hexadecimal digits. Remove the file to get a new key; ` +
          'stand-ins in new recordings will then differ from those in old ones',
      )
    chmodSync(file, 0o600)
    return ok(redactionKeyFrom(Buffer.from(text.trim(), 'hex')))
  } catch (error) {
    return no(fileProblem(attempted, error))
  }
}

/** Two sessions may start at once: the file is made by one of them, and both read it. */
function make(file: string): void {
  try {
    writeFileSync(file, `${randomBytes(keyBytes).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
