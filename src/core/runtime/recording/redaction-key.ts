/**
 * HMAC key for pseudonyms in recordings. Stored in the user's configuration directory, never in a project: with the
 * key, trying all document numbers would undo the redaction. Created once, readable by its owner only; a lost key only
 * means new pseudonyms.
 */
import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { KeyedHash } from '../../traffic/redaction/pseudonyms.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { lockFile } from './file-lock.ts'
import { makeFolder } from '../files/make-folder.ts'
import { saveFileSync } from '../files/output.ts'

export interface RedactionKey {
  /** Written to recording headers; identifies the key without revealing anything about it. */
  readonly keyId: string
  readonly hash: KeyedHash
}

const keyBytes = 32
const written = /^[\da-f]{64}\n?$/
/** What an interrupted write leaves, which no recording can have used: nothing, a part of a key, or zeros. */
const unfinished = /^(?:[\da-f]{0,63}|\0+)$/

export function redactionKeyFrom(secret: Uint8Array): RedactionKey {
  // A key object is prepared once; bytes are at every call.
  const key = createSecretKey(secret)
  return {
    keyId: createHash('sha256').update('sparring key id').update(secret).digest('hex').slice(0, 8),
    hash: (text) => createHmac('sha256', key).update(text).digest('hex'),
  }
}

let keyOfProcess: RedactionKey | undefined

/** With a key that no file has and that ends with the process, made at the first use; for what is shown. */
export const processHash: KeyedHash = (text) =>
  (keyOfProcess ??= redactionKeyFrom(randomBytes(keyBytes))).hash(text)

type Environment = Readonly<Record<string, string | undefined>>

/** The user's configuration directory for this program. */
export function configurationDirectory(environment: Environment = process.env): string {
  const { APPDATA: windows, XDG_CONFIG_HOME: unix } = environment
  if (process.platform === 'win32' && windows) return join(windows, 'sparring')
  return join(unix || join(homedir(), '.config'), 'sparring')
}

/** The user's key, created when absent. */
export function loadRedactionKey(
  directory = configurationDirectory(),
): Result<RedactionKey, string> {
  const file = join(directory, 'redaction.key')
  const attempted = `reading the redaction key ${file}`
  try {
    makeFolder(directory, 0o700)
    make(file, false)
    if (unfinished.test(readFileSync(file, 'utf8'))) {
      const replaced = replaceUnfinished(file)
      if (!replaced.ok) return replaced
    }
    const text = readFileSync(file, 'utf8')
    if (!written.test(text))
      return err(
        `${attempted}: it is not 64 hexadecimal digits. Remove the file to get a new key; ` +
          'stand-ins in new recordings will then differ from those in old ones',
      )
    chmodSync(file, 0o600)
    return ok(redactionKeyFrom(Buffer.from(text.trim(), 'hex')))
  } catch (error) {
    return err(fileProblem(attempted, error))
  }
}

/** Locked, so that no other session has begun to use the key that is replaced. */
function replaceUnfinished(file: string): Result<void, string> {
  const lock = lockFile(file)
  if (!lock.ok) return lock
  try {
    if (!unfinished.test(readFileSync(file, 'utf8'))) return ok(undefined)
    make(file, true)
    process.emitWarning(
      `The redaction key ${file} was never finished, as on a full disk. It was replaced by a new one.`,
      'SparringWarning',
    )
    return ok(undefined)
  } finally {
    lock.value.release()
  }
}

/** Two sessions may start at once: one creates the file, both read it. */
function make(file: string, replace: boolean): void {
  try {
    saveFileSync(file, `${randomBytes(keyBytes).toString('hex')}\n`, {
      replace,
      mode: 0o600,
    })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
