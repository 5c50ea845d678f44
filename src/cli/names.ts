/**
 * Names that help and completion show. The protocol's own lists come with their schemas, which take longer to load
 * than a help text may; these are held equal to them by the compiler.
 */
import type { channelNames, Configuration } from '../configuration.ts'
import type { ThemeName } from '../dashboard/text/palette.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { ClockMode } from '../session-face.ts'

const namesOf = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] =>
  Object.keys(names) as Name[]

type PlayableRole = keyof Configuration['counterparts']

/** The roles that we can play, and that a service which plays against us can have. */
export const roleNames = namesOf<PlayableRole>({
  'ordering-application': true,
  'software-service': true,
})

export const themes = namesOf<ThemeName>({
  auto: true,
  'cb-dark': true,
  'cb-light': true,
  mono: true,
  'high-contrast': true,
})

export const clockNames = namesOf<ClockMode>({ real: true, stepped: true, virtual: true })

export const channels = namesOf<(typeof channelNames)[number]>({
  polling: true,
  webhook: true,
  both: true,
})

export const orderTypeNames = namesOf<OrderType>({ DELIVERY: true, TAKEOUT: true, INDOOR: true })

export const statusNames = namesOf<OrderStatus>({
  CREATED: true,
  CONFIRMED: true,
  PREPARING: true,
  READY: true,
  IN_DELIVERY: true,
  DELIVERED: true,
  CANCELLED: true,
  CONCLUDED: true,
})
