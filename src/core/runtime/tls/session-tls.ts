/**
 * TLS of a session: its server certificate and its client's trusted authorities. Certificates are generated, or read
 * from files that the user names; verification is never disabled (TRN-CON-02).
 */
import { compact } from '../../base/compact.ts'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import type { createServer as createPlainServer, RequestListener, ServerOptions } from 'node:http'
import { createServer } from 'node:https'
import { join, resolve } from 'node:path'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Problem, problem } from '../../base/problem.ts'
import { wallNow } from '../clock/clock.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { readTextSync } from '../files/text-file.ts'
import { isLoopback, isWildcard } from '../server/loopback.ts'
import { configurationDirectory } from '../recording/redaction-key.ts'
import {
  authorityValidityDays,
  certificateDayMs,
  type IssuedCertificate,
  makeAuthority,
  makeServerCertificate,
} from './certificate.ts'
import { chmodSync, readFileSync } from 'node:fs'
import { makeFolder } from '../files/make-folder.ts'
import { saveFileSync } from '../files/output.ts'

/**
 * The user's local certificate authority: created once, stored in the user's configuration directory, trusted once. Its
 * key is readable for its owner only and constrained to loopback names, so a stolen key cannot impersonate other hosts.
 */
interface Authority extends IssuedCertificate {
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

function storeAuthority(file: string, now: number, replace: boolean): void {
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

function storedAuthority(file: string): StoredAuthority {
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
    storeAuthority(keyFile, now, false)
    let issued = storedAuthority(keyFile)
    if (!(now - issued.madeAt < maxAgeMs)) {
      storeAuthority(keyFile, now, true)
      issued = storedAuthority(keyFile)
    }
    chmodSync(keyFile, 0o600)
    saveFileSync(file, issued.certificate, { replace: true })
    return { certificate: issued.certificate, key: issued.key, file }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(fileProblem(`making the certificate authority ${keyFile}`, error), 2)
  }
}

interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

interface TlsMaterial {
  readonly server?: ServerCertificate
  readonly trusted: readonly string[]
  readonly authority?: string
}

export interface SessionTls {
  /** Creates our HTTPS servers; plain HTTP when absent. */
  readonly createServer?: typeof createPlainServer
  /** The certificate of such a server. */
  readonly serverContext?: SecureContext
  /** Trusted authorities of our client. */
  readonly trust?: SecureContext
  /** File of the authority for other programs to trust, where the certificate was generated here. */
  readonly authority?: string
}

export interface TlsOptions {
  readonly tls: boolean | { readonly cert: string; readonly key: string }
  /** The address that the servers listen on. */
  readonly host: string
  /** File with the authority of the user's service. */
  readonly ca?: string | undefined
}

function textOf(file: string, what: string): string {
  const path = resolve(file)
  return readTextSync(`reading ${what} ${path}`, path)
}

/** Why a certificate is not valid today; undefined when it is. */
function datesProblem({ validFrom, validTo }: X509Certificate): string | undefined {
  const now = wallNow()
  if (now > Date.parse(validTo)) return `the certificate has expired: it was good until ${validTo}`
  return now < Date.parse(validFrom)
    ? `the certificate is not valid yet: it is good from ${validFrom}`
    : undefined
}

/** Checks that certificate and key are valid and belong together, before any server listens. */
function checkCertificate(certificate: ServerCertificate, files: string): ServerCertificate {
  try {
    // createSecureContext takes an empty text as no certificate, and a server without one refuses all clients.
    const parsed = new X509Certificate(certificate.cert)
    const untimely = datesProblem(parsed)
    if (untimely !== undefined) throw new Error(untimely)
    if (/-BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(certificate.key))
      throw new Error('the key is encrypted, and there is no prompt for its passphrase')
    if (!createPublicKey(createPrivateKey(certificate.key)).equals(parsed.publicKey))
      throw new Error('the key is not the one of the certificate')
    createSecureContext(certificate)
    return certificate
  } catch (error) {
    throw problem(
      `reading ${files}`,
      error instanceof Error ? error.message : String(error),
      'Name a certificate and its own key, both as PEM, with tls: { cert, key }',
    )
  }
}

/** Reads an authority file and checks it: node silently ignores text that is no certificate. */
function readAuthority(file: string, named: string): string {
  const text = textOf(file, 'the certificate authority')
  try {
    const blocks = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END [A-Z\d ]+-----/g
    const certificates = (text.match(blocks) ?? []).map((each) => new X509Certificate(each))
    if (certificates.length === 0) throw new Error('there is no certificate in it')
    // A bundle may keep old ones beside those in use.
    const untimely = certificates.map(datesProblem)
    const [first] = untimely
    if (first !== undefined && !untimely.includes(undefined)) throw new Error(first)
    return text
  } catch (error) {
    throw problem(
      `reading the certificate authority ${resolve(file)}`,
      error instanceof Error ? error.message : String(error),
      `Name a file with one certificate or more, as PEM, ${named}`,
    )
  }
}

function generateMaterial({ host }: TlsOptions, directory: string): TlsMaterial {
  if (!isLoopback(host) && !isWildcard(host))
    throw problem(
      `making a certificate for ${host}`,
      'certificates made here are good for this machine’s own addresses alone',
      'Name a certificate for that address in the configuration with tls: { cert, key }, or listen on 127.0.0.1',
    )
  const now = wallNow()
  const authority = openAuthority(directory, now)
  const { certificate, key } = makeServerCertificate(authority.key, now)
  return {
    server: { cert: certificate, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() },
    trusted: [authority.certificate],
    authority: authority.file,
  }
}

function readMaterial({ cert, key }: Exclude<TlsOptions['tls'], boolean>): TlsMaterial {
  const files = { cert: textOf(cert, 'the certificate'), key: textOf(key, 'the key') }
  const server = checkCertificate(files, `${cert} and ${key}`)
  // Trusted itself, whatever its issuer, since our own client may call our own servers.
  return { server, trusted: [server.cert] }
}

/** Secure context of the client: node's default authorities, the user's additions (NODE_EXTRA_CA_CERTS) and these. */
const createTrust = (trusted: readonly string[]): SecureContext =>
  createSecureContext({
    ca: [...getCACertificates('default'), ...trusted],
    // A certificate that the user named is trusted itself, whatever its issuer.
    allowPartialTrustChain: true,
  })

/** Trusts the authorities of a file in addition. `named` says where the user names the file: `with --ca <file>`. */
export const trustAuthorityFile = (file: string, named: string): SecureContext =>
  createTrust([readAuthority(file, named)])

const secureServer =
  (certificate: ServerCertificate): typeof createPlainServer =>
  (options: ServerOptions | RequestListener = {}, listener?: RequestListener) =>
    typeof options === 'function'
      ? createServer(certificate, options)
      : createServer({ ...options, ...certificate }, listener)

export function createSessionTls(
  options: TlsOptions,
  directory = configurationDirectory(),
): SessionTls {
  const { tls, ca } = options
  const { server, trusted, authority }: TlsMaterial =
    tls === false
      ? { trusted: [] }
      : tls === true
        ? generateMaterial(options, directory)
        : readMaterial(tls)
  const subjectAuthority = ca === undefined ? [] : [readAuthority(ca, 'in ca of the subject')]
  return {
    ...(server
      ? { createServer: secureServer(server), serverContext: createSecureContext(server) }
      : {}),
    trust: createTrust([...trusted, ...subjectAuthority]),
    ...compact({ authority }),
  }
}
