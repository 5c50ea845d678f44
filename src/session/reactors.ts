/** Builds the reactors of a session: the counterparts that we play, and the channels that hand their events over. */
import { compact } from '../compact.ts'
import type { Configuration } from '../configuration/schema.ts'
import { type Handover, polling } from '../channels/polling.ts'
import { webhook } from '../channels/webhook.ts'
import {
  castOf,
  type CastOptions,
  handoverDelay,
  orderingTemperamentOf,
} from '../counterparts/cast.ts'
import { accountHandover } from '../counterparts/indoor-host.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Role } from '../protocol/role.ts'
import { switchedOff } from './settings.ts'

export type MakeOrder = CastOptions['makeOrder']

export function reactorsOf(
  configuration: Configuration,
  roles: readonly Role[],
  reachable: ReadonlySet<Role>,
  makeOrder: MakeOrder,
): readonly Reactor[] {
  const ordering = configuration.counterparts['ordering-application']
  const { every, limit, mix } = ordering.orders
  const cast: CastOptions = {
    roles,
    reachable,
    webhooks: (ordering.channel ?? 'polling') !== 'polling',
    ordering: {
      ...ordering,
      mix,
      arrivals:
        every === undefined || every === 0 ? undefined : { everyMs: every, ...compact({ limit }) },
    },
    switchedOff: switchedOff(configuration),
    store: configuration.counterparts['software-service'],
    platform: configuration.counterparts['delivery-platform'],
    crm: configuration.counterparts.crm,
    makeOrder,
  }
  const handover = {
    delayMs: handoverDelay(cast),
    repeatsOneIn: orderingTemperamentOf(cast).repeatsOneIn,
  }
  const atOnce = { delayMs: () => 0, repeatsOneIn: 0 }
  const handovers: Readonly<Partial<Record<Role, Handover>>> = {
    'ordering-application': handover,
    'software-service': accountHandover(cast.store.temperament),
  }
  return [
    ...castOf(cast),
    ...(roles.includes('ordering-application') ? [polling(handover)] : []),
    webhook((role) => handovers[role] ?? atOnce),
  ]
}
