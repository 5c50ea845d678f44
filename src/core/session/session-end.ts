/** What a session tells its recording when it ends: its verdicts, its faults, and its orders by their slots. */
import { compact } from '../base/compact.ts'
import type { World } from '../engine/world.ts'
import { recordedVerdicts } from '../rules/invariants/recorded-verdicts.ts'
import type { SessionEnd } from '../traffic/recording/session-end.ts'
import { faultRows } from '../views/fault-rows.ts'
import type { SessionJudge } from './verdicts.ts'

/** Orders of one recording at most, the newest ones. */
const maxOrders = 1000

/** Undefined where there is nothing to tell. */
export function sessionEnd(
  world: World,
  sessionJudge: SessionJudge | undefined,
): SessionEnd | undefined {
  const verdicts = recordedVerdicts(sessionJudge?.verdicts() ?? [])
  const faults = faultRows(world).map(({ name, text, fired, over }) => ({
    name,
    text,
    fired,
    ...compact({ over: over === undefined ? undefined : (true as const) }),
  }))
  const orders = Array.from(world.faults.slotByOrder, ([orderId, slot]) => ({ orderId, slot }))
  return verdicts.length + faults.length + orders.length === 0
    ? undefined
    : { verdicts, faults, orders: orders.slice(-maxOrders) }
}
