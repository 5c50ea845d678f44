/**
 * TLS for a session: what its servers show, and whom its client trusts. Certificates are made here, or read from files
 * that the user names; checks are never switched off (TRN-CON-02).
 */
import { compact } from '../../compact.ts'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { createServer as createPlainServer, RequestListener, ServerOptions } from 'node:http'
import { createServer } from 'node:https'
import { resolve } from 'node:path'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Problem, problem } from '../../problem.ts'
import { wallNow } from '../clock/clock.ts'
import { fileProblem } from '../files/file-problem.ts'
import { isLoopback } from '../server/loopback.ts'
import { configurationDirectory } from '../recording/redaction-key.ts'
import { openAuthority } from './authority.ts'
import { makeServerCertificate } from './certificate.ts'

interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

interface Material {
  readonly server?: ServerCertificate
  readonly trusted: readonly string[]
  readonly authority?: string
}

export interface SessionTls {
  /** Makes our servers; they speak plain HTTP without it. */
  readonly createServer?: typeof createPlainServer
  /** What our client checks certificates against. */
  readonly trust?: SecureContext
  /** The file for others to trust, where we made the certificate ourselves. */
  readonly authority?: string
}

export interface TlsWish {
  readonly tls: boolean | { readonly cert: string; readonly key: string }
  /** The address that the servers listen on. */
  readonly host: string
  /** A file with the authority of the user's service. */
  readonly ca?: string | undefined
}

const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

function textOf(file: string, what: string): string {
  const path = resolve(file)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Problem(fileProblem(`reading ${what} ${path}`, error), 2)
  }
}

/** The files must fit each other, and be what they are said to be, before anything listens. */
function checked(certificate: ServerCertificate, files: string): ServerCertificate {
  try {
    // A context takes an empty text for no certificate, and a server without one refuses every caller.
    const { publicKey } = new X509Certificate(certificate.cert)
    if (/-BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(certificate.key))
      throw new Error('the key is encrypted, and nobody is asked for its passphrase here')
    if (!createPublicKey(createPrivateKey(certificate.key)).equals(publicKey))
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

/** Node passes over whatever is no certificate, and then trusts nobody more than before. */
function authorityIn(file: string): string {
  const text = textOf(file, 'the certificate authority')
  try {
    const blocks = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END [A-Z\d ]+-----/g
    const certificates = (text.match(blocks) ?? []).map((each) => new X509Certificate(each))
    if (certificates.length === 0) throw new Error('there is no certificate in it')
    return text
  } catch (error) {
    throw problem(
      `reading the certificate authority ${resolve(file)}`,
      error instanceof Error ? error.message : String(error),
      'Name a file with one certificate or more, as PEM, in ca of the subject',
    )
  }
}

function made({ host }: TlsWish, directory: string): Material {
  if (!isLoopback(host) && !everywhere.has(host))
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

function named({ cert, key }: Exclude<TlsWish['tls'], boolean>): Material {
  const files = { cert: textOf(cert, 'the certificate'), key: textOf(key, 'the key') }
  const server = checked(files, `${cert} and ${key}`)
  // Whoever signed it: our own servers may be called by our own client.
  return { server, trusted: [server.cert] }
}

/** What connections are checked against: the authorities of the machine, those the user added, and these. */
const trusting = (trusted: readonly string[]): SecureContext =>
  createSecureContext({
    ca: [...getCACertificates('default'), ...trusted],
    // A certificate that the user named is trusted for itself, whoever signed it.
    allowPartialTrustChain: true,
  })

const secureServer =
  (certificate: ServerCertificate): typeof createPlainServer =>
  (options: ServerOptions | RequestListener = {}, listener?: RequestListener) =>
    typeof options === 'function'
      ? createServer(certificate, options)
      : createServer({ ...options, ...certificate }, listener)

export function sessionTls(wish: TlsWish, directory = configurationDirectory()): SessionTls {
  const { tls, ca } = wish
  const { server, trusted, authority }: Material =
    tls === false ? { trusted: [] } : tls === true ? made(wish, directory) : named(tls)
  const foreign = ca === undefined ? [] : [authorityIn(ca)]
  return {
    ...(server ? { createServer: secureServer(server) } : {}),
    trust: trusting([...trusted, ...foreign]),
    ...compact({ authority }),
  }
}
