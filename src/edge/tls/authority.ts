/**
 * The authority of this user's machine: made once, kept in the user's configuration directory, trusted once. Its key is
 * readable for its owner alone and good for loopback names only, so whoever steals it can pose as nobody else.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problem, Problem } from '../../problem.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { makeFolder } from '../files/make-folder.ts'
import { authorityDays, dayMs, type Issued, makeAuthority } from './certificate.ts'

export interface Authority extends Issued {
  /** Where its certificate lies, for others to trust. */
  readonly file: string
}

/** One that is older than this is made anew: it must outlive what it signs. */
const mostAgeMs = (authorityDays - 120) * dayMs

interface Read extends Issued {
  readonly madeAt: number
}

const pem = (label: string): RegExp =>
  new RegExp(`-----BEGIN ${label}-----[\\s\\S]+?-----END ${label}-----\\n?`)

function write(file: string, now: number): void {
  const { certificate, key } = makeAuthority(now)
  const made = `Made ${new Date(now).toISOString()}\n`
  const text = `${made}${key.export({ type: 'pkcs8', format: 'pem' }).toString()}${certificate}`
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Two sessions may start at once: the file is made by one of them, and both read it.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function read(file: string): Read {
  const text = readFileSync(file, 'utf8')
  const [certificate] = pem('CERTIFICATE').exec(text) ?? []
  const [key] = pem('PRIVATE KEY').exec(text) ?? []
  try {
    if (certificate === undefined || key === undefined) throw new Error('a part of it is missing')
    const madeAt = Date.parse(/^Made (\S+)/.exec(text)?.[1] ?? '')
    const issued = { certificate, key: createPrivateKey(key), madeAt }
    if (!createPublicKey(certificate).equals(createPublicKey(issued.key)))
      throw new Error('its certificate and its key do not belong together')
    return issued
  } catch (error) {
    throw problem(
      `reading the certificate authority ${file}`,
      error instanceof Error ? error.message : String(error),
      'Remove the file to get a new one, and trust that one',
    )
  }
}

/** The user's authority, made when there is none yet or when it has grown old. */
export function openAuthority(directory: string, now: number): Authority {
  const kept = join(directory, 'authority.key.pem')
  const file = join(directory, 'authority.pem')
  try {
    makeFolder(directory, 0o700)
    write(kept, now)
    let issued = read(kept)
    if (!(now - issued.madeAt < mostAgeMs)) {
      rmSync(kept)
      write(kept, now)
      issued = read(kept)
    }
    chmodSync(kept, 0o600)
    // Whoever reads it meanwhile sees all of it.
    writeFileSync(`${file}.part`, issued.certificate)
    renameSync(`${file}.part`, file)
    return { certificate: issued.certificate, key: issued.key, file }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(fileProblem(`making the certificate authority ${kept}`, error), 2)
  }
}
