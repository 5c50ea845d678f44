/** Short texts of Customer facts and commands. */
import { batchKeys, type RecordKind } from '../protocol/customer/batch.ts'
import type { CustomerCommand } from '../engine/customer/command.ts'
import type { CustomerFact, SavedRecord } from '../engine/customer/fact.ts'
import { sideOfKind } from '../engine/customer/side.ts'
import { ratingOf } from '../protocol/customer/review.ts'
import { shortRoleName } from '../protocol/role.ts'
import { assertNever } from '../protocol/result.ts'
import { customerName } from './customers.ts'

const count = (number: number, entity: RecordKind): string =>
  `${number} ${number === 1 ? batchKeys[entity].one : batchKeys[entity].many}`

function savedText(saved: SavedRecord): string {
  switch (saved.entity) {
    case 'customer': {
      const name = customerName(saved.customer)
      const { trigger, joins = [] } = saved
      const joined = joins.length > 0 ? `, one with ${joins.length} more` : ''
      if (saved.isNew) return `customer ${name}, ${saved.customer.status}${joined}`
      const moved = trigger ? ` > ${saved.customer.status}${saved.forced ? ' (forced)' : ''}` : ''
      return `customer ${name}${moved}: ${saved.changed.join(', ') || 'known by more'}${joined}`
    }
    case 'lead':
      return `lead ${saved.lead.id}${saved.lead.convertedAt === undefined ? '' : ' converted'}`
    case 'order':
      return `order of the relationship, ${saved.order.fate}`
    case 'review':
      return `review of ${ratingOf(saved.review.document) ?? 'no rating'}`
    default:
      return assertNever(saved)
  }
}

export function customerFactText(fact: CustomerFact): string {
  const who = shortRoleName[sideOfKind(fact.kind).role]
  switch (fact.kind) {
    case 'customer.saved':
    case 'relation.saved':
      return `${who} has ${savedText(fact.saved)}`
    case 'customer.heard':
    case 'relation.heard':
      return `${who} received ${fact.eventType}`
    case 'customer.event-repeated':
    case 'relation.event-repeated':
      return `${who} received an event again`
    case 'customer.accepted':
      return `${count(fact.intake.length, fact.intake[0]?.entity ?? 'customer')} of ${shortRoleName[fact.from]} accepted for later`
    case 'customer.pulled':
      return `CRM pulled page ${fact.page}: ${count(fact.count, fact.resource)}`
    case 'customer.fell-back':
    case 'relation.fell-back':
      return `${who} switches to the paths of the flow`
    case 'relation.queued':
      return `OA collects ${fact.notices.length} to share`
    case 'relation.sent':
      return `OA pushes ${count(fact.sending.ids.length, fact.sending.entity)}, ${fact.left} left`
    case 'relation.told':
      return `OA tells ${fact.eventType}, ${fact.left} left`
    case 'relation.left-out':
      return `CRM does not accept this kind, ${fact.left} left`
    case 'relation.rested':
      return fact.left === 0 ? 'OA has shared everything' : `OA waits to share ${fact.left}`
    case 'relation.answered':
      return `push of ${count(fact.sending.ids.length, fact.sending.entity)} ${fact.outcome}${fact.because === undefined ? '' : `: ${fact.because}`}`
    default:
      return assertNever(fact)
  }
}

export function customerCommandText(command: CustomerCommand): string {
  const who = shortRoleName[sideOfKind(command.kind).role]
  switch (command.kind) {
    case 'customer.hear':
    case 'relation.hear':
      return `${command.event.eventType} reaches ${who}`
    case 'customer.enter':
    case 'relation.enter':
      return `a new ${command.entry.entity} at ${who}`
    case 'customer.consent':
    case 'relation.consent':
      return `a customer opts ${command.marketing ? 'in' : 'out'} at ${who}`
    case 'customer.move':
    case 'relation.move':
      return `${command.trigger} of a customer at ${who}${command.force ? ', forced' : ''}`
    case 'customer.convert':
    case 'relation.convert':
      return `lead ${command.leadId} becomes a customer at ${who}`
    case 'customer.review':
    case 'relation.review':
      return `a review of ${command.rating} at ${who}`
    case 'customer.ingest':
      return `${count(command.intake.length, command.intake[0]?.entity ?? 'customer')} pushed to CRM`
    case 'customer.apply':
      return `a ${command.entry.entity} of ${shortRoleName[command.from]} takes effect`
    case 'customer.pull':
      return `CRM pulls ${batchKeys[command.resource].many}, page ${command.page}`
    case 'relation.register':
      return 'OA registers who ordered'
    case 'relation.record':
      return `OA notes the order as ${command.fate}`
    case 'relation.share':
      return 'OA shares what is new'
    case 'relation.push':
      return `OA pushes ${command.entity} ${command.id} again`
    default:
      return assertNever(command)
  }
}
