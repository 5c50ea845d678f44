/** Gives advice on requests that were accepted, each mistake of a client once or from time to time. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { TokenRequest } from '../../../protocol/auth/token.ts'
import {
  acknowledgedIds,
  type Acknowledgment,
  acknowledgmentExample,
} from '../../../protocol/orders/acknowledgment.ts'
import {
  hasRequirements,
  type UnmetRequirement,
} from '../../../protocol/partner-requirements/catalogue.ts'
import { bodyTranslator } from '../../../protocol/translation/translator.ts'
import { signatureFormOf, signatureSentence } from '../../../protocol/signature.ts'
import { setBounded } from '../../../engine/bounded.ts'
import type { Fact } from '../../../engine/fact.ts'
import type { HandlerInput } from '../../../engine/handler.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { Client, Settings } from '../../../engine/settings.ts'
import { boundedLine } from '../../../traffic/stated-reason.ts'
import { diagnose, firstFew, unmetRequirementsLine } from '../mistake.ts'
import { acknowledgmentMistakes } from './acknowledgments.ts'
import {
  type AcceptedMistake,
  type AnsweredRequest,
  type ClientHabits,
  createClientHabits,
  eventsText,
  hastyPauseMs,
  noteAcknowledgment,
  notePoll,
  noteToken,
  servedCall,
} from './answered-request.ts'

/**
 * Polls that are answered and bring nothing, or the same again and again: filters, headers, pauses, acknowledgments.
 */
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

const pollMistakes: readonly AcceptedMistake[] = [
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
      const { orderId = '', eventType = 'event' } = input.world.ordering.events.get(eventId) ?? {}
      const { acknowledgment } = input.settings.conduct
      const own = acknowledgmentExample({ eventId, orderId, eventType }, acknowledgment)
      const { id, text } = servedCall(input, 'events.acknowledge')
      const translator = bodyTranslator(input.settings.conduct)
      const example = JSON.stringify(id ? (translator?.toWire(id, 'request', own) ?? own) : own)
      return `the same ${eventsText(new Set(again).size)} came ${maxReturns} times (${eventType} ${eventId}): acknowledge them with ${text} ${example}, or they come with each poll`
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

/** Tokens in a row for one call each after which it is a habit. */
const maxTokensForOneCall = 3

const tokenMistakes: readonly AcceptedMistake[] = [
  {
    name: 'token-for-each-call',
    clauses: ['AUT-TOK-03', 'AUT-TOK-04'],
    againMs: 'never',
    lineFor: ({ habits, input }) =>
      habits.tokensForOneCall >= maxTokensForOneCall
        ? `a token is requested for each call (${habits.tokens} tokens so far): keep it for all calls until its expires_in is over, ${Math.round(input.settings.conduct.tokenLife / 1000)} s`
        : undefined,
  },
]

/** Of every call, where every call is signed. */
const callMistakes: readonly AcceptedMistake[] = [
  {
    name: 'unsigned-call',
    againMs: 'never',
    lineFor: ({ input }) => {
      const form = signatureFormOf(input.settings.conduct)
      if (form?.over !== 'request' || input.header(form.header.toLowerCase()) !== undefined)
        return undefined
      return `the call has no ${form.header}, and was taken without: sign every call but that for a token; ${signatureSentence(form, 'your client secret')}`
    },
  },
]

type Note = (habits: ClientHabits, input: HandlerInput, facts: readonly Fact[], at: Instant) => void

interface AdvisedOperation {
  /** Takes the request into what is known of its client. */
  readonly note: Note
  readonly mistakes: readonly AcceptedMistake[]
}

const polls: AdvisedOperation = {
  note: (habits, _input, facts, at) =>
    notePoll(
      habits,
      facts.flatMap((fact) => (fact.kind === 'events.polled' ? fact.eventIds : [])),
      at,
    ),
  mistakes: pollMistakes,
}

const acknowledgments: AdvisedOperation = {
  note: (habits, { body, world }) =>
    noteAcknowledgment(
      habits,
      acknowledgedIds(body as Acknowledgment).map(
        (id) => world.ordering.eventIdByAlias.get(id) ?? id,
      ),
    ),
  mistakes: acknowledgmentMistakes,
}

/** The operations whose requests show a habit of their client. */
const advisedOperations: Readonly<Partial<Record<OperationId, AdvisedOperation>>> = {
  pollingEvents: polls,
  pollEventsV1: polls,
  acknowledgeEvents: acknowledgments,
  acknowledgeEventsV1: acknowledgments,
  issueToken: { note: noteToken, mistakes: tokenMistakes },
}

export interface Adviser {
  /** Counts a call of a client. */
  readonly called: (client: Client) => void
  /** Advice on an accepted request of the user's service; `at` is on its clock. */
  readonly advise: (accepted: AcceptedRequest, at: Instant) => string | undefined
}

export interface AcceptedRequest extends Omit<AnsweredRequest, 'habits'> {
  /** The partner requirements that it does not meet. */
  readonly unmet: () => readonly UnmetRequirement[]
}

/** Milliseconds until the same unmet requirements of an operation are reported again. */
const requirementsAgainMs = 10_000

const maxClients = 100

export function createAdviser({ clients, roles, conduct }: Settings): Adviser {
  const habitsByClient = new Map<string, ClientHabits>()

  function habitsOf({ clientId }: Client): ClientHabits {
    const known = habitsByClient.get(clientId)
    if (known) return known
    const habits = createClientHabits()
    setBounded(habitsByClient, clientId, habits, maxClients)
    return habits
  }

  /** A token request names its client in the body. */
  const clientOf = ({ client, body }: HandlerInput): Client | undefined =>
    client ?? clients.find(({ clientId }) => clientId === (body as TokenRequest).client_id)

  /** The mistake as it is reported: not while it was reported lately. */
  function lineOnce({ lineFor, name, againMs }: AcceptedMistake, of: AnsweredRequest, at: Instant) {
    const { advisedAt } = of.habits
    const last = advisedAt.get(name)
    if (last !== undefined && (againMs === 'never' || at - last < againMs)) return undefined
    const line = lineFor(of)
    if (line !== undefined) advisedAt.set(name, at)
    return line
  }

  /** The requirements that every partner makes and the request does not meet; not while they were reported lately. */
  function requirementsLine(
    { operation, unmet }: AcceptedRequest,
    { advisedAt }: ClientHabits,
    at: Instant,
  ): string | undefined {
    if (!hasRequirements(operation)) return undefined
    const all = unmet()
    if (all.length === 0) return undefined
    const key = [operation, ...new Set(all.map(({ requirement }) => requirement.at))].join(' ')
    const last = advisedAt.get(key)
    if (last !== undefined && at - last < requirementsAgainMs) return undefined
    advisedAt.set(key, at)
    return unmetRequirementsLine(all)
  }

  return {
    called(client) {
      const habits = habitsByClient.get(client.clientId)
      if (habits) habits.callsSinceToken++
    },
    advise(accepted, at) {
      const { operation, input, facts } = accepted
      const advised = advisedOperations[operation]
      // Settings change while a session runs.
      const isSigned = input.client !== undefined && signatureFormOf(conduct)?.over === 'request'
      if (!advised && !isSigned && !hasRequirements(operation)) return undefined
      const client = clientOf(input)
      if (!client || roles.includes(client.role)) return undefined
      const habits = habitsOf(client)
      advised?.note(habits, input, facts, at)
      const line = requirementsLine(accepted, habits, at)
      if (line !== undefined) return boundedLine(line)
      // While a fault is active, what looks like a habit may come of it.
      if (input.world.faults.live.size > 0) return undefined
      const possible = [...(isSigned ? callMistakes : []), ...(advised?.mistakes ?? [])]
      const mistakes = possible.map((mistake) => ({
        ...mistake,
        lineFor: (of: AnsweredRequest) => lineOnce(mistake, of, at),
      }))
      const habit = diagnose(mistakes, { operation, input, facts, habits })
      return habit === undefined ? undefined : boundedLine(habit)
    },
  }
}
