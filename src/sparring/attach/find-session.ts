/**
 * Finds the session to attach to: its URL, a token that it takes, an authority that is trusted, and the same version.
 */
import { resolve } from 'node:path'
import { compact } from '../../core/base/compact.ts'
import {
  type ControlTarget,
  createControlClient,
  isErrorReply,
  notSparring,
} from '../../core/runtime/control-client/control-client.ts'
import { readTextSync } from '../../core/runtime/files/text-file.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import { problem } from '../../core/base/problem.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { chooseSession, registeredToken } from '../verbs/support/choose-session.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { isCi, type Io } from '../../terminal/cli/io.ts'
import type { AttachFlags } from './attach-flags.ts'

/** Tokens that are asked for before it is abandoned. */
const maxAttempts = 3

/** `host:7100` without a scheme is meant for http. */
const urlOfAddress = (url: string): string =>
  /^(?:[\w.-]+|\[[\da-f:]+\]):\d+(?:\/|$)/i.test(url) ? `http://${url}` : url

function readAuthority(file: string, cwd: string): string {
  const attempt = `reading the certificate authority ${file}`
  const text = readTextSync(attempt, resolve(cwd, file))
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw problem(
    attempt,
    'there is no certificate in it',
    'Name a PEM file: -----BEGIN CERTIFICATE-----.',
  )
}

/** Major and minor version: other patches understand each other. */
const series = (version: string): string => version.split('.').slice(0, 2).join('.')

function checkVersion(url: string, version: string): void {
  const own = packageVersion()
  if (series(version) === series(own)) return
  throw problem(
    `attaching to the session at ${url}`,
    `it is Sparring ${version}, and this is ${own}`,
    `Use the same version: npx sparring@${version} attach ${url}`,
  )
}

/** The version of the session; undefined where it does not take the token. */
async function versionOf(target: ControlTarget): Promise<string | undefined> {
  const { url } = target
  const { status, body } = await createControlClient(target).send('GET', '/session', {
    allowUnauthorized: true,
  })
  if (status === 401) return undefined
  const version = isUnknownRecord(body) && !isErrorReply(body) ? body['version'] : undefined
  if (typeof version !== 'string') throw notSparring(url)
  return version
}

const tokenRemedy = 'Name its token with --token or SPARRING_TOKEN; sparring up printed it.'

/** Undefined without a terminal. */
async function askToken({ url, token }: ControlTarget, io: Io): Promise<string | undefined> {
  if (!io.isTTY || isCi(io.env)) return undefined
  const { askSecret } = await import('../../core/runtime/secret-prompt.ts')
  const wrong = token === undefined ? '' : 'That token is wrong. '
  const typed = await askSecret({
    input: io.stdin(),
    output: io.stderr,
    question: `${wrong}Token of the session at ${url}: `,
  })
  if (typed === undefined)
    throw problem(
      `attaching to the session at ${url}`,
      'no token was typed',
      tokenRemedy,
      exitCode.interrupted,
    )
  return typed
}

/** Asks for the token on a terminal while the session takes none that is known. */
export async function findSession(flags: AttachFlags, io: Io): Promise<ControlTarget> {
  const { url: typed, control: flagged, token, ca } = flags
  const wanted = typed ?? flagged
  const chosen = await chooseSession(
    compact({ control: wanted === undefined ? undefined : urlOfAddress(wanted), token }),
  )
  const authority = ca === undefined ? undefined : readAuthority(ca, io.cwd)
  const freshToken = token === undefined ? () => registeredToken(chosen.url) : undefined
  let target: ControlTarget = { ...chosen, ...compact({ authority, freshToken }) }
  for (let attempt = 0; ; attempt++) {
    const version = await versionOf(target)
    if (version !== undefined) {
      checkVersion(target.url, version)
      return target
    }
    const asked = attempt < maxAttempts ? await askToken(target, io) : undefined
    if (asked === undefined || asked === '')
      throw problem(
        `attaching to the session at ${target.url}`,
        target.token === undefined ? 'it asks for a token' : 'it does not take this token',
        tokenRemedy,
        exitCode.unreachable,
      )
    target = { ...target, token: asked }
  }
}
