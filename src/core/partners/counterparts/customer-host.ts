/**
 * The CRM's autonomous behaviour with customer data (CUS-GEN-09): applies accepted records, pulls from the Ordering
 * Application where the session pulls, and sometimes withdraws a customer's marketing consent.
 */
import { type RecordKind, recordKinds } from '../../protocol/customer/batch.ts'
import type { SavedRecord } from '../../engine/customer/world.ts'
import { callsPerSecond } from '../../engine/customer/partner.ts'
import { pulledResource } from '../../engine/customer/pull.ts'
import { exchangesRecords } from '../../engine/customer/announce-changes.ts'
import { crmSide } from '../../engine/customer/side.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { drawDuration, loop, plan } from './planning.ts'
import { type CustomerHostBehaviour, customerHostBehaviours } from './customer-behaviour.ts'
import type { BehaviourName } from './behaviour.ts'

const stream = 'customer-host'

/** Schedules each accepted record separately, in order of arrival. */
function applied(
  { intake, from }: Extract<Fact, { kind: 'customer.accepted' }>,
  behaviour: CustomerHostBehaviour,
  { settings, chance }: DecisionContext,
): readonly PlannedCommand[] {
  const { processing } = settings.conduct.customer
  const drawn = chance(stream)
  // A fork of the same name always draws the same value, so equal delays keep the order.
  const own = behaviour.inOrder ? drawn.fork('processing') : drawn
  const after = processing ?? drawDuration(behaviour.processing, own)
  return intake.map((entry) => plan({ kind: 'customer.apply', entry, from }, after))
}

/** A customer may withdraw marketing consent after a completed order. */
function consentWithdrawal(
  saved: SavedRecord,
  behaviour: CustomerHostBehaviour,
  { world, chance }: DecisionContext,
): readonly PlannedCommand[] {
  if (saved.entity !== 'order' || saved.order.fate !== 'completed') return []
  const { customerId } = saved.order
  const drawn = chance(stream)
  if (customerId === undefined || !drawn.oneIn(behaviour.optsOutOneIn)) return []
  if (!crmSide.store(world).customers.get(customerId)?.document.consent?.marketing) return []
  return [
    plan(
      { kind: 'customer.consent', customerId, marketing: false },
      drawDuration(behaviour.optsOutAfter, drawn),
    ),
  ]
}

const pullPage = (resource: RecordKind, page: number, afterMs: number): PlannedCommand =>
  loop({ kind: 'customer.pull', resource, page }, afterMs)

/** The first page of the next round, no sooner than `minMs`. */
const nextRound = (
  resource: RecordKind,
  { settings }: DecisionContext,
  minMs = 0,
): PlannedCommand => pullPage(resource, 1, Math.max(settings.conduct.customer.pullEvery, minMs))

/** The next page at the allowed call rate, or the next round after the last page. */
function nextPage(
  fact: Extract<Fact, { kind: 'customer.pulled' }>,
  context: DecisionContext,
): PlannedCommand {
  const { resource, next, from, to } = fact
  if (next === undefined) return nextRound(resource, context)
  return loop(
    { kind: 'customer.pull', resource, page: next, period: { from, to } },
    Math.ceil(1000 / callsPerSecond(crmSide, context)),
  )
}

/** The first pull rounds, one resource after the other. */
const firstRounds = ({ settings }: DecisionContext): readonly PlannedCommand[] =>
  settings.customerMode === 'push'
    ? []
    : recordKinds
        .filter((kind) => exchangesRecords(kind, settings))
        .map((kind, index) => pullPage(kind, 1, index * 500))

export const customerHost =
  (name: BehaviourName): Reactor =>
  (fact, context) => {
    const behaviour = customerHostBehaviours[name]
    switch (fact.kind) {
      case 'partner.accepted':
        return fact.from === 'crm' && fact.partner === 'ordering-application'
          ? firstRounds(context)
          : []
      case 'customer.accepted':
        return applied(fact, behaviour, context)
      case 'customer.saved':
        return consentWithdrawal(fact.saved, behaviour, context)
      case 'customer.pulled':
        return [nextPage(fact, context)]
      case 'call.concluded': {
        // A pull that failed finally: its round restarts after the regular interval.
        const resource = pulledResource(fact.call)
        const isOver = fact.call.from === 'crm' && !fact.ok && !fact.retry
        return resource !== undefined && isOver
          ? [nextRound(resource, context, fact.retryAfterMs)]
          : []
      }
      default:
        return []
    }
  }
