/** Polls that are answered and bring nothing, or the same again and again: filters, headers, pauses, acknowledgments. */
import { firstFew } from '../mistake.ts'
import { type AnsweredRequest, eventsText, type AcceptedMistake } from './answered-request.ts'
import { hastyPauseMs } from './client-habits.ts'

const minuteMs = 60_000
/** Idle polls in a row after which a haste is no accident. */
const maxHastyPolls = 5
/** Polls that return an event before its acknowledgment is missed. */
const maxReturns = 3

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

/** The merchants that a poll names. */
const namedMerchants = ({ input }: AnsweredRequest): readonly string[] =>
  listed(input.header('x-polling-merchants') ?? '')

/** Events in the mailbox that are for none of these merchants. */
function waitingForOthers({ input }: AnsweredRequest, merchants: readonly string[]): number {
  const { mailbox, events } = input.world.ordering
  let count = 0
  for (const eventId of mailbox.keys()) {
    const event = events.get(eventId)
    if (event && !merchants.includes(event.merchantId)) count++
  }
  return count
}

const waitingText = (count: number): string =>
  count === 0 ? '' : `; ${eventsText(count, 'wait')} for others`

/** Parameters of a query that are not read, and what was probably meant. */
const misnamedParameters: Readonly<Record<string, string>> = {
  eventTypes: 'eventType',
  event_type: 'eventType',
  event_types: 'eventType',
  type: 'eventType',
  types: 'eventType',
  event: 'eventType',
  events: 'eventType',
  group: 'eventType',
  groups: 'eventType',
  merchant: 'the header x-polling-merchants',
  merchants: 'the header x-polling-merchants',
  merchantId: 'the header x-polling-merchants',
  'x-polling-merchants': 'the header x-polling-merchants',
}

/** Headers that are not read, in place of x-polling-merchants. */
const misnamedHeaders = [
  'x-polling-merchant',
  'polling-merchants',
  'x-merchants',
  'x-merchant-id',
  'x-app-merchantid',
] as const

export const pollMistakes: readonly AcceptedMistake[] = [
  {
    name: 'unknown-merchant',
    clauses: ['ORD-UND-09'],
    againMs: minuteMs,
    lineFor: (poll) => {
      const known = poll.input.settings.merchants.map(({ merchantId }) => merchantId)
      const named = namedMerchants(poll)
      const unknown = named.filter((merchant) => !known.includes(merchant))
      if (known.length === 0 || unknown.length === 0) return undefined
      return `there is no merchant ${firstFew(unknown, 3).slice(0, 120)} here, as x-polling-merchants says: merchants are ${firstFew(known)}${waitingText(waitingForOthers(poll, named))}`
    },
  },
  {
    name: 'merchant-of-others',
    clauses: ['AUT-CRE-01'],
    againMs: minuteMs,
    lineFor: (poll) => {
      const allowed = poll.input.client?.merchants
      const foreign = allowed && namedMerchants(poll).filter((each) => !allowed.includes(each))
      return foreign && foreign.length > 0
        ? `these credentials are not for ${firstFew(foreign, 3).slice(0, 120)}, as x-polling-merchants says: they are for ${firstFew(allowed)}`
        : undefined
    },
  },
  {
    name: 'misnamed-filter',
    clauses: ['ORD-UND-09'],
    againMs: minuteMs,
    lineFor: ({ input }) => {
      const name = Object.keys(misnamedParameters).find((each) => input.query(each).length > 0)
      if (name !== undefined)
        return `the query has ${name}, which is not read: polls are filtered by ${misnamedParameters[name]}`
      const header = misnamedHeaders.find((each) => input.header(each) !== undefined)
      return header === undefined
        ? undefined
        : `the header ${header} is not read: the merchants of a poll are named in x-polling-merchants`
    },
  },
  {
    name: 'filtered-out',
    clauses: ['ORD-OPS-02'],
    againMs: minuteMs,
    lineFor: ({ facts, input }) => {
      const filtered = facts.flatMap((fact) =>
        fact.kind === 'events.acknowledged' && fact.filtered ? fact.eventIds : [],
      )
      if (filtered.length === 0) return undefined
      const types = filtered.map((id) => input.world.ordering.events.get(id)?.eventType ?? id)
      return `eventType=${input.query('eventType').join(',').slice(0, 80)} leaves out ${eventsText(filtered.length)} (${firstFew([...new Set(types)])}): they count as acknowledged and do not come again; poll without a filter to get all`
    },
  },
  {
    name: 'never-acknowledged',
    clauses: ['ORD-OPS-02'],
    againMs: 'never',
    lineFor: ({ facts, habits, input }) => {
      const again = facts
        .flatMap((fact) => (fact.kind === 'events.polled' ? fact.eventIds : []))
        .filter((eventId) => (habits.returned.get(eventId) ?? 0) >= maxReturns)
      const [eventId] = again
      if (eventId === undefined) return undefined
      const event = input.world.ordering.events.get(eventId)
      return `the same ${eventsText(new Set(again).size)} came ${maxReturns} times (${event?.eventType ?? 'event'} ${eventId}): acknowledge them with POST ${input.base}/events/acknowledgment {"eventIds":["${eventId}"]}, or they come with each poll`
    },
  },
  {
    name: 'polls-too-fast',
    clauses: ['TRN-STA-10'],
    againMs: 'never',
    lineFor: ({ habits }) =>
      habits.hastyPolls >= maxHastyPolls
        ? `${habits.hastyPolls} polls in a row came less than ${hastyPauseMs} ms after the one before and brought nothing: wait some seconds between two polls; a partner may answer 429`
        : undefined,
  },
]
