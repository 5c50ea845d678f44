/**
 * Entity views of customers, leads and reviews: rows, and one in detail with the moves of both sides. Source: the CRM;
 * where its store is empty because it is not ours, the Ordering Application.
 */
import { customerView } from '../protocol/customer/customer-view.ts'
import type { World } from '../engine/world.ts'
import { type EntityView, forcedIf, viewOf } from './entity-view.ts'
import type { EntityRow, Move } from '../session-api/entities.ts'
import { applicationSide, crmSide, type CustomerSide } from '../engine/customer/side.ts'
import { customerById, customerName, customersByKeys } from '../engine/customer/store.ts'
import {
  type CustomerRecord,
  type CustomerStore,
  type LeadRecord,
  recordKey,
  type ReviewRecord,
} from '../engine/customer/world.ts'
import {
  customerStep,
  customerTriggers,
  customerTriggerTarget,
} from '../protocol/customer/lifecycle.ts'
import { ratingOf } from '../protocol/customer/review.ts'

/** The side whose records are shown. */
function shownStore(world: World): { readonly side: CustomerSide; readonly store: CustomerStore } {
  const { customers, leads, reviews } = crmSide.store(world)
  const isEmpty = customers.size + leads.size + reviews.size === 0
  const side = isEmpty ? applicationSide : crmSide
  return { side, store: side.store(world) }
}

const consentText = ({ document }: CustomerRecord): string => {
  const { marketing } = document.consent ?? {}
  if (marketing === undefined) return 'consent unknown'
  return marketing ? 'marketing' : 'no marketing'
}

function customerRow(record: CustomerRecord): EntityRow {
  const { document, status, since } = record
  const { type, value } = document.identifier
  const { merchantId } = document.fields
  return {
    kind: 'customer',
    id: document.id,
    label: customerName(record),
    status,
    text: `${type} ${value} · ${consentText(record)}`,
    since,
    ...(typeof merchantId === 'string' ? { merchant: merchantId } : {}),
  }
}

/** Moves of one side on its own customer record. */
function movesAt(side: CustomerSide, record: CustomerRecord, suffix: string): readonly Move[] {
  const customerId = record.document.id
  const { prefix: word, role: by } = side
  const consents = record.document.consent?.marketing
  const status: readonly Move[] = customerTriggers.map((trigger) => {
    const step = customerStep(record.status, trigger)
    return forcedIf(step.kind === 'moves' ? undefined : `no ${trigger} from ${record.status}`, {
      trigger: `${trigger}${suffix}`,
      to: customerTriggerTarget[trigger],
      by,
      command: { kind: `${word}.move`, customerId, trigger },
    })
  })
  const consent: readonly Move[] = [true, false].map((marketing) => ({
    trigger: `${marketing ? 'opt-in' : 'opt-out'}${suffix}`,
    to: marketing ? 'marketing' : 'no marketing',
    by,
    command: { kind: `${word}.consent`, customerId, marketing },
    ...(consents === marketing ? { invalid: 'that is what was said last' } : {}),
  }))
  const review: Move = {
    trigger: `review${suffix}`,
    to: '5 stars',
    by,
    command: { kind: `${word}.review`, customerId, rating: 5 },
  }
  return [...status, ...consent, review]
}

/** Moves on the same customer at the Ordering Application, where we play both sides. */
function applicationMoves(record: CustomerRecord, world: World): readonly Move[] {
  const store = applicationSide.store(world)
  const [applicationRecord] = customersByKeys(record.keys, store)
  if (!applicationRecord) return []
  const push: Move = {
    trigger: 'push@app',
    to: 'CRM',
    by: applicationSide.role,
    command: { kind: 'relation.push', entity: 'customer', id: applicationRecord.document.id },
  }
  return [...movesAt(applicationSide, applicationRecord, '@app'), push]
}

export const customerEntities: EntityView = {
  *rows(world) {
    for (const record of shownStore(world).store.customers.values()) yield customerRow(record)
  },
  detail(id, world) {
    const { side, store } = shownStore(world)
    const record = customerById(id, store)
    if (!record) return undefined
    const { outcome } =
      world.customer.pushResults.get(recordKey('customer', record.document.id)) ?? {}
    const shared = side === applicationSide && outcome ? { shared: outcome } : {}
    return {
      row: customerRow(record),
      statusHistory: record.way,
      regularStatuses: ['lead', 'active', 'inactive'],
      moves: [
        ...movesAt(side, record, ''),
        ...(side === crmSide ? applicationMoves(record, world) : []),
      ],
      document: {
        ...customerView(record, { customerShape: 'union', statusField: 'status' }),
        ...shared,
      },
    }
  },
}

function leadRow({ id, document, changedAt }: LeadRecord): EntityRow {
  const { name, source, status, contact } = document
  const label = typeof name === 'string' ? name : id
  const where = typeof contact === 'string' ? contact : contact?.value
  return {
    kind: 'lead',
    id,
    label,
    status: status ?? 'unknown',
    text: [source, where].filter((part) => part).join(' · '),
    since: changedAt,
  }
}

export const leadEntities = viewOf({
  records: (world) => shownStore(world).store.leads,
  row: leadRow,
  rest({ id, document, changedAt, convertedAt }, world) {
    const { side } = shownStore(world)
    const status = document.status ?? 'unknown'
    const convert: Move = {
      trigger: 'convert',
      to: 'active customer',
      by: side.role,
      command: { kind: `${side.prefix}.convert`, leadId: id },
      ...(convertedAt === undefined ? {} : { invalid: 'it is converted already' }),
    }
    return {
      statusHistory: [{ status, at: changedAt }],
      regularStatuses: [...new Set([status, 'converted'])],
      moves: [convert],
      document,
    }
  },
})

function reviewRow({ id, document, customerId, changedAt }: ReviewRecord, world: World): EntityRow {
  const { store } = shownStore(world)
  const rating = ratingOf(document)
  const customer = customerId === undefined ? undefined : customerById(customerId, store)
  const { comment, orderId, merchantId } = document
  return {
    kind: 'review',
    id,
    label: customer ? customerName(customer) : 'unknown',
    status: rating === undefined ? 'no rating' : String(rating),
    text: typeof comment === 'string' ? comment : '',
    since: changedAt,
    ...(orderId ? { orderId } : {}),
    ...(merchantId ? { merchant: merchantId } : {}),
  }
}

export const reviewEntities = viewOf({
  records: (world) => shownStore(world).store.reviews,
  row: reviewRow,
  rest(review, world) {
    const { id, changedAt, document } = review
    const { side } = shownStore(world)
    const { status } = reviewRow(review, world)
    const applicationRecord = applicationSide.store(world).reviews.has(id)
    const push: Move = {
      trigger: side === applicationSide ? 'push' : 'push@app',
      to: 'CRM',
      by: applicationSide.role,
      command: { kind: 'relation.push', entity: 'review', id },
    }
    return {
      statusHistory: [{ status, at: changedAt }],
      regularStatuses: [status],
      moves: applicationRecord ? [push] : [],
      document,
    }
  },
})
