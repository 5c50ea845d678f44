/**
 * How the CRM works with customer data of its own accord (CUS-GEN-09): it applies what it has taken, pulls what the
 * Ordering Application holds where this session pulls, and now and then hears from a customer who wants no more mail.
 */
import { type RecordKind, recordKinds } from '../protocol/customer/batch.ts'
import type { Saved } from '../engine/customer/fact.ts'
import { pace } from '../engine/customer/partner.ts'
import { resourceOf } from '../engine/customer/pull.ts'
import { exchanges } from '../engine/customer/share.ts'
import { crmSide } from '../engine/customer/side.ts'
import type { Context } from '../engine/decision.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import type { Planned } from '../engine/agenda/item.ts'
import { draw, loop, plan } from './habit.ts'
import { type HostTemperament, hostTemperaments } from './customer-temperament.ts'
import type { TemperamentName } from './temperament.ts'

const stream = 'customer-host'

/** Each record takes effect on its own, in the order in which they came. */
function applied(
  { intake, from }: Extract<Fact, { kind: 'customer.accepted' }>,
  temperament: HostTemperament,
  { settings, chance }: Context,
): readonly Planned[] {
  const { processing } = settings.conduct.customer
  const drawn = chance(stream)
  // A fork of one name always draws the same: so everything takes as long, and nothing overtakes.
  const own = temperament.inOrder ? drawn.fork('processing') : drawn
  const after = processing ?? draw(temperament.processing, own)
  return intake.map((entry) => plan({ kind: 'customer.apply', entry, from }, after))
}

/** A customer may have had enough after an order. */
function whim(
  saved: Saved,
  temperament: HostTemperament,
  { world, chance }: Context,
): readonly Planned[] {
  if (saved.entity !== 'order' || saved.order.fate !== 'completed') return []
  const { customerId } = saved.order
  const drawn = chance(stream)
  if (customerId === undefined || !drawn.oneIn(temperament.optsOutOneIn)) return []
  if (!crmSide.store(world).customers.get(customerId)?.document.consent?.marketing) return []
  return [
    plan(
      { kind: 'customer.consent', customerId, marketing: false },
      draw(temperament.optsOutAfter, drawn),
    ),
  ]
}

const pullPage = (resource: RecordKind, page: number, afterMs: number): Planned =>
  loop({ kind: 'customer.pull', resource, page }, afterMs)

/** The first page of the next round, no sooner than the other side wants to be asked again. */
const nextRound = (resource: RecordKind, { settings }: Context, leastMs = 0): Planned =>
  pullPage(resource, 1, Math.max(settings.conduct.customer.pullEvery, leastMs))

/** The page after this one, no sooner than the pace allows; or the next round. */
function readOn(fact: Extract<Fact, { kind: 'customer.pulled' }>, context: Context): Planned {
  const { resource, next, from, to } = fact
  if (next === undefined) return nextRound(resource, context)
  return loop(
    { kind: 'customer.pull', resource, page: next, period: { from, to } },
    Math.ceil(1000 / pace(crmSide, context)),
  )
}

/** The first rounds, one resource after the other. */
const begin = ({ settings }: Context): readonly Planned[] =>
  settings.customerMode === 'push'
    ? []
    : recordKinds
        .filter((kind) => exchanges(kind, settings))
        .map((kind, index) => pullPage(kind, 1, index * 500))

export const customerHost =
  (name: TemperamentName): Reactor =>
  (fact, context) => {
    const temperament = hostTemperaments[name]
    switch (fact.kind) {
      case 'partner.accepted':
        return fact.from === 'crm' && fact.partner === 'ordering-application' ? begin(context) : []
      case 'customer.accepted':
        return applied(fact, temperament, context)
      case 'customer.saved':
        return whim(fact.saved, temperament, context)
      case 'customer.pulled':
        return [readOn(fact, context)]
      case 'call.concluded': {
        // A pull that came to nothing: its round is begun again, at the usual time.
        const resource = resourceOf(fact.call)
        const isOver = fact.call.from === 'crm' && !fact.ok && !fact.retry
        return resource !== undefined && isOver
          ? [nextRound(resource, context, fact.retryAfterMs)]
          : []
      }
      default:
        return []
    }
  }
