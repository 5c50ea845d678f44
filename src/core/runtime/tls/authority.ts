/**
 * The user's local certificate authority: created once, stored in the user's configuration directory, trusted once.
 * Its key is readable for its owner only and constrained to loopback names, so a stolen key cannot impersonate other
 * hosts.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problem, Problem } from '../../base/problem.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { makeFolder } from '../files/make-folder.ts'
import { saveFileSync } from '../files/output.ts'
import {
  authorityValidityDays,
  certificateDayMs,
  type IssuedCertificate,
  makeAuthority,
} from './certificate.ts'

export interface Authority extends IssuedCertificate {
  /** Path of its certificate, for other programs to trust. */
  readonly file: string
}

/** An older authority is replaced: it must outlive the certificates it signs. */
const maxAgeMs = (authorityValidityDays - 120) * certificateDayMs

interface StoredAuthority extends IssuedCertificate {
  readonly madeAt: number
}

const pem = (label: string): RegExp =>
  new RegExp(`-----BEGIN ${label}-----[\\s\\S]+?-----END ${label}-----\\n?`)

function write(file: string, now: number, replace: boolean): void {
  const { certificate, key } = makeAuthority(now)
  const header = `Made ${new Date(now).toISOString()}\n`
  const text = `${header}${key.export({ type: 'pkcs8', format: 'pem' }).toString()}${certificate}`
  try {
    saveFileSync(file, text, { replace, mode: 0o600 })
  } catch (error) {
    // Two sessions may start at once: one of them creates the file, and both read it.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function read(file: string): StoredAuthority {
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

/** Opens the user's authority; creates it when it is missing or too old. */
export function openAuthority(directory: string, now: number): Authority {
  const keyFile = join(directory, 'authority.key.pem')
  const file = join(directory, 'authority.pem')
  try {
    makeFolder(directory, 0o700)
    write(keyFile, now, false)
    let issued = read(keyFile)
    if (!(now - issued.madeAt < maxAgeMs)) {
      write(keyFile, now, true)
      issued = read(keyFile)
    }
    chmodSync(keyFile, 0o600)
    saveFileSync(file, issued.certificate, { replace: true })
    return { certificate: issued.certificate, key: issued.key, file }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(fileProblem(`making the certificate authority ${keyFile}`, error), 2)
  }
}
