/** Converts a configuration to the engine's settings. */
import { compact } from '../base/compact.ts'
import { type OwnMerchants, ownMerchantsOf } from '../session-api/configuration/own-merchants.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { Client, Settings } from '../engine/settings.ts'
import { loyaltySeeds } from '../partners/seed-data/loyalty.ts'
import type { MerchantIdentity } from '../partners/seed-data/merchants.ts'
import { stableAddressOf } from '../partners/seed-data/stable-address.ts'
import { problem } from '../base/problem.ts'
import { hasModule } from '../protocol/customer/conduct.ts'
import { speaksV1 } from '../protocol/dialects/settings.ts'
import { type FeatureSwitch, featureSwitches } from '../protocol/operation.ts'
import { type Role, roles } from '../protocol/role.ts'
import type { FetchHandler } from '../session-api/session.ts'
import { majorVersionOf } from '../protocol/version.ts'

/** The capability without which a role is not played. */
const requiredCapability: Readonly<Partial<Record<Role, FeatureSwitch>>> = {
  'delivery-platform': 'logistics',
  crm: 'customer',
}

/**
 * The roles that we play: those of `only`, or all that neither the subject nor a partner plays and whose capability is on.
 */
export function playedRoles(
  configuration: Configuration,
  only: readonly Role[] = [],
): readonly Role[] {
  const { subject, counterparts } = configuration
  const off = switchedOffCapabilities(configuration)
  return roles.filter((role) => {
    const needs = requiredCapability[role]
    if (role === subject.role || counterparts[role].url !== undefined) return false
    if (needs && off.has(needs)) return false
    return only.length === 0 || only.includes(role)
  })
}

/** The roles that can be called: those that we play, those of partners, and the subject if it has an address. */
export const reachableRoles = (
  played: readonly Role[],
  { subject: { role, url }, counterparts }: Pick<Configuration, 'subject' | 'counterparts'>,
  handler: FetchHandler | undefined,
): ReadonlySet<Role> =>
  new Set([
    ...played,
    ...roles.filter((each) => counterparts[each].url !== undefined),
    ...(role && (handler !== undefined || url !== undefined) ? [role] : []),
  ])

/** All OAuth clients: the subject, our own counterparts, and those the user adds. */
function clientsOf({ subject, clients, counterparts }: Configuration): readonly Client[] {
  const own = roles
    .filter((role) => role !== subject.role)
    .map((role) => ({ role, ...counterparts[role].credentials }))
  // A subject without a role may still call: it is treated as a Software Service.
  const role = subject.role ?? 'software-service'
  const added = [{ ...subject.credentials, role }, ...clients].map(({ merchants, ...client }) => ({
    ...client,
    ...compact({ merchants }),
  }))
  // Our own come first, so that a role that we play is identified as itself.
  return [...own, ...added]
}

/** Customer and Indoor came with V2 (MIG-CUS-01, MIG-IND-01); Logistics is supported in V2 only. */
const isInVersion = (each: FeatureSwitch, { conduct, protocol }: Configuration): boolean =>
  each === 'orders' ||
  (!speaksV1(conduct) && (each === 'logistics' || (majorVersionOf(protocol.version) ?? 2) >= 2))

/** Reviews and Loyalty are modules of Customer and need it. */
const isOn = (each: FeatureSwitch, { capabilities, conduct }: Configuration): boolean =>
  capabilities[each] &&
  (each === 'reviews' || each === 'loyalty'
    ? capabilities.customer && hasModule(conduct.customer, each)
    : true)

export const switchedOffCapabilities = (configuration: Configuration): ReadonlySet<FeatureSwitch> =>
  new Set(
    featureSwitches.filter(
      (each) => !isOn(each, configuration) || !isInVersion(each, configuration),
    ),
  )

/** Where couriers pick up, for the user's own merchants that have an address. Routes need coordinates. */
function pickupAddressesOf({
  merchants = [],
}: OwnMerchants): NonNullable<Settings['pickupAddresses']> {
  return new Map(
    merchants.flatMap(({ id, address }) => {
      if (!address) return []
      const { latitude, longitude, ...lines } = address
      const coordinates =
        latitude === undefined || longitude === undefined
          ? stableAddressOf(id)['coordinates']
          : { latitude, longitude }
      return [[id, { ...compact(lines), coordinates }]]
    }),
  )
}

export function engineSettings(
  configuration: Configuration,
  played: readonly Role[],
  merchants: readonly MerchantIdentity[],
): Settings {
  const { protocol, conduct, subject, counterparts } = configuration
  const channel = counterparts['ordering-application'].channel ?? 'polling'
  return {
    protocol: { ...protocol, supportedVersions: [protocol.version] },
    conduct,
    roles: played,
    ...compact({ subject: subject.role }),
    channels: { polling: channel !== 'webhook', webhook: channel !== 'polling' },
    switchedOff: switchedOffCapabilities(configuration),
    trackingMode: counterparts['delivery-platform'].trackingMode,
    customerMode: counterparts.crm.mode,
    clients: clientsOf(configuration),
    merchants: merchants.map(({ id, status = 'OPEN', ...named }) => ({
      merchantId: id,
      ...named,
      status,
    })),
    pickupAddresses: pickupAddressesOf(ownMerchantsOf(configuration)),
    loyalty: loyaltySeeds(merchants, conduct.loyalty),
  }
}

const lastPort = 65_535

/** The port of each role: configured, or allocated after the control port; 0 as control port makes all ephemeral. */
export function rolePorts({ port, counterparts }: Configuration): (role: Role) => number {
  return (role) => {
    const own = counterparts[role].port
    const number = own ?? (port === 0 ? 0 : port + 1 + roles.indexOf(role))
    if (number <= lastPort) return number
    throw problem(
      `choosing a port for the ${role}`,
      `the roles take the ports after the control port ${port}, and ${lastPort} is the last there is`,
      `Choose one up to ${lastPort - roles.length} with --port <n>; --port 0 finds free ones.`,
    )
  }
}
