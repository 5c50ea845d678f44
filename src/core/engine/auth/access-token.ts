/**
 * An access token that says itself for what it was issued and until when: a session takes those of an earlier one,
 * since a service keeps its token when its partner is started again. Its checksum is keyed by the client secret, which
 * outlives both sessions.
 */
import { allScopeNames } from '../../protocol/auth/scopes.ts'
import type { Role } from '../../protocol/role.ts'
import { createChance } from '../chance.ts'
import type { Client, Settings } from '../settings.ts'
import type { IssuedToken, World } from '../world.ts'

/** Id, expiry and scopes (a bit field) in base 36, checksum. */
const pattern = /^([\da-f-]{36})\.([\da-z]{1,10})\.([\da-z]{1,10})\.([\da-f]{8})$/
const radix = 36

interface TokenParts {
  readonly id: string
  readonly expiry: string
  readonly scopeBits: string
}

/** The checksum tells our tokens from others: no cryptography, which a partner for tests does not need. */
function tokenText(
  { id, expiry, scopeBits }: TokenParts,
  host: Role,
  { clientId, clientSecret }: Client,
  { scopePrefix }: Settings['protocol'],
): string {
  const keyed = [clientSecret, clientId, host, scopePrefix, id, expiry, scopeBits].join('\n')
  return [id, expiry, scopeBits, createChance(0, keyed).uuid().slice(0, 8)].join('.')
}

export function composeAccessToken(
  id: string,
  { host, scopes, expiresAt }: IssuedToken,
  client: Client,
  protocol: Settings['protocol'],
): string {
  const names = allScopeNames(protocol.scopePrefix)
  const bits = names.reduce((sum, name, bit) => sum + (scopes.has(name) ? 2 ** bit : 0), 0)
  const parts = {
    id,
    expiry: Math.ceil(expiresAt).toString(radix),
    scopeBits: bits.toString(radix),
  }
  return tokenText(parts, host, client, protocol)
}

/** The token that a session with these clients and scopes gave out; undefined when none did. */
function readAccessToken(
  text: string,
  host: Role,
  { clients, protocol }: Pick<Settings, 'clients' | 'protocol'>,
): IssuedToken | undefined {
  const [, id, expiry, scopeBits] = pattern.exec(text) ?? []
  if (id === undefined || expiry === undefined || scopeBits === undefined) return undefined
  const parts = { id, expiry, scopeBits }
  const client = clients.find((each) => tokenText(parts, host, each, protocol) === text)
  if (!client) return undefined
  const bits = Number.parseInt(scopeBits, radix)
  const names = allScopeNames(protocol.scopePrefix)
  return {
    host,
    clientId: client.clientId,
    scopes: new Set(names.filter((_name, bit) => Math.floor(bits / 2 ** bit) % 2 === 1)),
    expiresAt: Number.parseInt(expiry, radix),
  }
}

/** Key of a client at a host. */
export const revocationKey = (of: Pick<IssuedToken, 'host' | 'clientId'>): string =>
  `${of.host} ${of.clientId}`

/** The token as it was issued by this host, in this session or in an earlier one; undefined when it is not valid. */
export function findAccessToken(
  text: string,
  host: Role,
  { tokens, revocations }: Pick<World, 'tokens' | 'revocations'>,
  settings: Pick<Settings, 'clients' | 'protocol'>,
): IssuedToken | undefined {
  const issued = tokens.get(text)
  if (issued) return issued.host === host ? issued : undefined
  const earlier = readAccessToken(text, host, settings)
  return earlier && !revocations.has(revocationKey(earlier)) ? earlier : undefined
}
