/** From what a session is told to what its engine works with. */
import type { Configuration } from './configuration.ts'
import type { Client, Settings } from './engine/settings.ts'
import { type Role, roles } from './protocol/role.ts'

/** The roles that exist so far; the others follow with their capabilities. */
export const playableRoles = ['ordering-application', 'software-service'] as const satisfies Role[]
export type PlayableRole = (typeof playableRoles)[number]

/** The roles that we play: those asked for, or all that the subject does not. */
export function rolesOf(
  subject: Role | undefined,
  only?: readonly Role[],
): readonly PlayableRole[] {
  return playableRoles.filter(
    (role) => role !== subject && (only === undefined || only.length === 0 || only.includes(role)),
  )
}

/** Everybody who may ask for tokens: the subject, our own counterparts, and whom the user adds. */
function clientsOf({ subject, clients }: Configuration): readonly Client[] {
  const own = playableRoles
    .filter((role) => role !== subject.role)
    .map((role) => ({ role, clientId: `sparring-${role}`, clientSecret: `secret-of-${role}` }))
  // A subject that has not said who it is may still call: it is taken for a Software Service.
  const role = subject.role ?? 'software-service'
  const added = clients.map(({ merchants, ...client }) => ({
    ...client,
    ...(merchants ? { merchants } : {}),
  }))
  // Our own come first: a role that we play identifies itself as itself.
  return [...own, { ...subject.credentials, role }, ...added]
}

export function settingsOf(
  configuration: Configuration,
  played: readonly Role[],
  merchants: readonly { readonly id: string; readonly name: string }[],
): Settings {
  const { protocol, conduct, subject, counterparts } = configuration
  const channel = counterparts['ordering-application'].channel ?? 'polling'
  return {
    protocol: { ...protocol, supportedVersions: [protocol.version] },
    conduct,
    roles: played,
    ...(subject.role ? { subject: subject.role } : {}),
    channels: { polling: channel !== 'webhook', webhook: channel !== 'polling' },
    clients: clientsOf(configuration),
    merchants: merchants.map(({ id, name }) => ({ merchantId: id, name, status: 'OPEN' })),
  }
}

/** The port of each role: its own, or the next ones after the control port; 0 there chooses all. */
export function portsOf({ port, counterparts }: Configuration): (role: Role) => number {
  return (role) => {
    const own = role in counterparts ? counterparts[role as PlayableRole].port : undefined
    return own ?? (port === 0 ? 0 : port + 1 + roles.indexOf(role))
  }
}
