/** Builds the reactors of a session: the counterparts that we play, and the channels that hand their events over. */
import { compact } from '../base/compact.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { type HandoverOptions, pollingReactor } from '../engine/channels/polling.ts'
import { webhookReactor } from '../engine/channels/webhook.ts'
import {
  createCast,
  type CastOptions,
  handoverDelay,
  orderingBehaviourOf,
} from '../partners/counterparts/cast.ts'
import { accountEventHandover } from '../partners/counterparts/indoor-host.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Role } from '../protocol/role.ts'
import { switchedOffCapabilities } from './settings.ts'

export type MakeOrder = CastOptions['makeOrder']

/** What the counterparts of a session are composed from, but for the orders that they make. */
export function castOptions(
  configuration: Configuration,
  roles: readonly Role[],
  reachable: ReadonlySet<Role>,
): Omit<CastOptions, 'makeOrder'> {
  const ordering = configuration.counterparts['ordering-application']
  const { every, limit, mix } = ordering.orders
  return {
    roles,
    reachable,
    webhooks: (ordering.channel ?? 'polling') !== 'polling',
    ordering: {
      ...ordering,
      mix,
      arrivals:
        every === undefined || every === 0 ? undefined : { everyMs: every, ...compact({ limit }) },
    },
    switchedOff: switchedOffCapabilities(configuration),
    store: configuration.counterparts['software-service'],
    platform: configuration.counterparts['delivery-platform'],
    crm: configuration.counterparts.crm,
  }
}

export function createReactors(
  configuration: Configuration,
  roles: readonly Role[],
  reachable: ReadonlySet<Role>,
  makeOrder: MakeOrder,
): readonly Reactor[] {
  const cast = { ...castOptions(configuration, roles, reachable), makeOrder }
  const handover = {
    delayMs: handoverDelay(cast),
    repeatsOneIn: orderingBehaviourOf(cast).repeatsOneIn,
  }
  const atOnce = { delayMs: () => 0, repeatsOneIn: 0 }
  const handovers: Readonly<Partial<Record<Role, HandoverOptions>>> = {
    'ordering-application': handover,
    'software-service': accountEventHandover(cast.store.behaviour),
  }
  return [
    ...createCast(cast),
    ...(roles.includes('ordering-application') ? [pollingReactor(handover)] : []),
    webhookReactor((role) => handovers[role] ?? atOnce),
  ]
}
