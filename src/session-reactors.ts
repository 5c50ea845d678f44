/** Who reacts to facts in a session: the counterparts that we play, and the channels that carry their events. */
import type { Configuration } from './configuration.ts'
import { polling } from './channels/polling.ts'
import { webhook } from './channels/webhook.ts'
import {
  castOf,
  type CastOptions,
  handoverDelay,
  orderingTemperamentOf,
} from './counterparts/cast.ts'
import type { Reactor } from './engine/engine.ts'
import type { Role } from './protocol/role.ts'

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
        every === undefined || every === 0
          ? undefined
          : { everyMs: every, ...(limit === undefined ? {} : { limit }) },
    },
    store: configuration.counterparts['software-service'],
    makeOrder,
  }
  const handover = {
    delayMs: handoverDelay(cast),
    repeatsOneIn: orderingTemperamentOf(cast).repeatsOneIn,
  }
  const channels = roles.includes('ordering-application')
    ? [polling(handover), webhook(handover)]
    : []
  return [...castOf(cast), ...channels]
}
