/** Converts the decisions of a recording to a scenario, with the recorded outcome as expectations. */
import { literal } from '../../core/scenario/examples.ts'
import { compact } from '../../core/base/compact.ts'
import { formatDuration } from '../../core/protocol/duration.ts'
import { Order } from '../../core/protocol/orders/order.ts'
import { beforeItemCancellations } from '../../core/protocol/orders/totals.ts'
import { type ScenarioInput, scenarioSubjects } from '../../core/scenario/schema.ts'
import {
  type PartnerDecisions,
  type DecidedOrder,
  isOrderOver,
} from '../../core/scenario/decision.ts'
import { knownMerchants } from '../../core/partners/seed-data/merchants.ts'
import { storesOfOrders } from '../../core/session/stores.ts'
import { stepsOf, type StepOptions } from './steps-of.ts'
import { pluralise } from '../../core/protocol/count-text.ts'

type Document = Readonly<Record<string, unknown>>

export interface ScenarioOfOptions extends StepOptions {
  /** Name of the scenario: a short sentence. */
  readonly name: string
  /** Transforms an order document, e.g. shifts its times. As recorded when absent. */
  readonly document?: (document: Document, order: DecidedOrder) => Document
}

export type DerivedScenario = ReturnType<typeof scenarioOf>

type OrderInput = NonNullable<ScenarioInput['orders']>[string]
type SessionInput = NonNullable<ScenarioInput['session']>

/** `concludeAfter` when the recorded partner never concluded. */
const neverConcludes = '1h'

/** Order document without id, times and status, which the session assigns. */
function placeableDocument({
  id: _id,
  createdAt: _at,
  status: _status,
  lastEvent: _last,
  ...rest
}: Document) {
  return rest
}

function orderInput(
  decided: DecidedOrder,
  { document: change = (same) => same }: ScenarioOfOptions,
  warn: (text: string) => void,
): OrderInput {
  const { type, items, document, slot } = decided
  const generated: OrderInput = {
    ...compact({ type }),
    ...(items === undefined ? {} : { items: Math.min(100, Math.max(1, items)) }),
  }
  if (!document) return generated
  const order = placeableDocument(change(document, decided))
  const whole = { ...order, id: slot, createdAt: '2026-01-01T00:00:00Z', status: 'CREATED' }
  const { success, data, error } = Order.safeParse(whole)
  if (success) return { order: { ...order, ...beforeItemCancellations(data) } as never }
  const [issue] = error.issues
  warn(
    `the document of ${slot} cannot be placed again (at ${issue?.path.join('.')}: ${issue?.message}): one is made up`,
  )
  return generated
}

/** With causes alone to wait for, an order is concluded soon as well, in ms. */
const soonestConcludeMs = 1000

/** Merchants of the recorded orders, where these are not the made-up ones: a service refuses orders of others. */
function merchantsInput(decisions: PartnerDecisions): Pick<SessionInput, 'merchants'> {
  const stores = storesOfOrders(decisions)
  const known = new Set(knownMerchants({}).map(({ id }) => id))
  return stores.every(({ id }) => known.has(id)) ? {} : { merchants: [...stores] }
}

function sessionInput(decisions: PartnerDecisions, { timing }: StepOptions): SessionInput {
  const { pace, capabilities, deliveredBy, orders, subject } = decisions
  const anyIsOver = orders.some(isOrderOver)
  const concludeAfter =
    pace.concludeAfter === undefined
      ? anyIsOver
        ? { concludeAfter: neverConcludes }
        : {}
      : {
          concludeAfter: formatDuration(
            timing === 'asap'
              ? Math.min(soonestConcludeMs, pace.concludeAfter)
              : pace.concludeAfter,
          ),
        }
  const processing =
    pace.processing === undefined ? {} : { processing: formatDuration(pace.processing) }
  const deliveries = deliveredBy.includes('ordering-application')
  const has = (name: PartnerDecisions['capabilities'][number]): boolean =>
    capabilities.includes(name)
  const customer = has('customer')
  // Where we play every role, all capabilities are on by default.
  const capability =
    subject === 'none'
      ? { indoor: has('indoor'), customer, reviews: customer, loyalty: customer }
      : {
          ...(has('indoor') ? { indoor: true } : {}),
          ...(customer ? { customer, reviews: true, loyalty: true } : {}),
        }
  const logistics = subject === 'none' || has('logistics') ? { logistics: has('logistics') } : {}
  return {
    ...(decisions.speaksV1 ? { dialect: 'v1' as const } : {}),
    ...merchantsInput(decisions),
    counterparts: {
      'ordering-application': {
        ...processing,
        ...concludeAfter,
        ...(deliveries || subject === 'none' ? { deliveries } : {}),
      },
      ...(subject === 'none' && deliveredBy.includes('software-service')
        ? { 'software-service': { deliveries: true } }
        : {}),
    },
    ...(Object.keys(capability).length > 0 || has('logistics')
      ? { capabilities: { ...capability, ...logistics } }
      : {}),
  }
}

/** Expectations from the recorded outcome: final statuses, calls and their sequence, acknowledgments. */
function expectations({ orders }: PartnerDecisions): NonNullable<ScenarioInput['expect']> {
  const over = orders.filter(isOrderOver)
  const statuses = Object.fromEntries(
    over.map(({ slot, statusHistory }) => [slot, statusHistory.at(-1) ?? 'CREATED']),
  )
  const calls = over.flatMap(({ slot, calls: mine }) =>
    mine.map(({ call, times }) => ({
      call,
      order: slot,
      // A repeated call may have been redundant; one is enough.
      ...(times === 1 ? { times } : { 'at-least': 1, 'at-most': times }),
    })),
  )
  const sequence = Object.fromEntries(
    over
      .filter(({ calls: mine }) => mine.length > 1)
      .map(({ slot, calls: mine }) => [slot, mine.map(({ call }) => call)]),
  )
  return {
    ...(over.length > 0 ? { statuses } : {}),
    ...(calls.length > 0 ? { calls } : {}),
    ...(Object.keys(sequence).length > 0 ? { sequence } : {}),
    ...(over.length > 0 && over.length === orders.length && orders.every((o) => o.acknowledged)
      ? { acknowledged: 'all' as const }
      : {}),
  }
}

function aboutText({ name, orders, decisions, anomalies }: PartnerDecisions): string {
  const oddities = anomalies.length + decisions.filter(({ what }) => what.kind === 'fault').length
  const oddityText =
    oddities === 0
      ? 'nothing went wrong on the way'
      : `${pluralise(oddities, 'thing')} went wrong on the way`
  return `What the partner did in the recording ${name}: ${pluralise(orders.length, 'order')}, and ${oddityText}. Your service is to do what it did then.`
}

/** Builds the scenario; `warnings` lists what was generated and what cannot be reproduced. */
export function scenarioOf(decisions: PartnerDecisions, options: ScenarioOfOptions) {
  const warnings = [...decisions.warnings]
  const { steps, sources } = stepsOf(decisions, options)
  const subject = scenarioSubjects.find((each) => each === decisions.subject)
  if (!subject)
    warnings.push(
      `a scenario tests a software-service or an ordering-application, and the recorded service is the ${decisions.subject}: the scenario tests no service`,
    )
  const orders = decisions.orders.map(
    (order) => [order.slot, orderInput(order, options, (text) => warnings.push(text))] as const,
  )
  const scenario: ScenarioInput = {
    name: options.name.slice(0, 200) || 'A recording',
    about: aboutText(decisions),
    subject: subject ?? 'none',
    channel: decisions.channel,
    ...compact({ seed: decisions.seed }),
    session: sessionInput(decisions, options),
    ...(decisions.anomalies.length > 0
      ? { faults: decisions.anomalies.map(({ spec }) => spec as never) }
      : {}),
    orders: literal(Object.fromEntries(orders)),
    steps: [...steps],
    expect: expectations(decisions),
  }
  const guessed = decisions.orders.flatMap(({ orderId }, index) =>
    orders[index]?.[1].order === undefined ? [orderId] : [],
  )
  return {
    scenario,
    /** Exchanges that each step was derived from, by index in `steps`. */
    sources,
    warnings,
    /** Recorded ids of orders without a document: they are generated from the seed. */
    guessed,
  }
}
