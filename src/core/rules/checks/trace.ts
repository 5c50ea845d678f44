/**
 * The trace of a certification: the exchanges with the service, and the step of which procedure each belongs to. Every
 * verdict is a function of a trace, so that it can be recomputed from a recording.
 */
import { compact } from '../../base/compact.ts'
import { tryParseJson } from '../../traffic/json/try-parse-json.ts'
import { type OperationId, operation as operationRow } from '../../protocol/catalogue.ts'
import type { Capability, Operation } from '../../protocol/operation.ts'
import type { DialectChoice } from '../../protocol/dialects/catalogue.ts'
import { tokenFieldsIn } from '../../traffic/token-fields.ts'
import type { ProtocolGeneration } from '../../protocol/dialects/settings.ts'
import type { Role } from '../../protocol/role.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { v2OperationOf } from '../../protocol/v1/operation-names.ts'
import type { BodyPart } from '../../protocol/translation/translator.ts'
import { endOf, type Exchange, headerValue } from '../../traffic/exchange.ts'
import { wasInFlight } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordedVerdict } from '../../traffic/recording/session-end.ts'
import { retainedPart } from '../invariants/judge/retained-exchange.ts'
import { newBeginnings, ofRestarts } from './blameless.ts'
import { type DocumentForm, documentForm } from './document-form.ts'

/** What is known of a certification when its procedures are over: plain data. */
export interface TraceData {
  /** The role of the service. */
  readonly role: Role
  /** The generation of the protocol in which the service was met. */
  readonly speaks: ProtocolGeneration
  /** The dialect in which it was met; undefined for the documents’ own form. */
  readonly dialect?: DialectChoice | undefined
  /** The capabilities that are certified. */
  readonly capabilities: readonly Capability[]
  /** Exchanges of which the service is one side, in the order in which they began. */
  readonly exchanges: readonly Exchange[]
  /** The step of an exchange, by its number: `order-life/confirm`. Only of those that a procedure made itself. */
  readonly steps: Readonly<Record<number, string>>
  /** What procedures have written down, in their order. */
  readonly notes: readonly TraceNote[]
  /** Procedures that were not carried out, or not to their end, and why. */
  readonly skipped: Readonly<Record<string, string>>
  /** What the rules of the session say of all its traffic, as the recording has it; absent where nothing was judged. */
  readonly rules?: readonly RecordedVerdict[]
  /** The service was gone after this instant of the session: what came later is no part of the trace. */
  readonly until?: number | undefined
}

/** What was over when the service was last there. */
export const exchangesUntil = <Each extends Exchange>(
  exchanges: readonly Each[],
  until: number | undefined,
): readonly Each[] => exchanges.filter((each) => until === undefined || endOf(each) <= until)

/** What a procedure has written down for its checks: `cancelled-order` and the order's id. */
export interface TraceNote {
  readonly procedure: string
  readonly name: string
  readonly text: string
  /** The member of bodies that holds the text, where it is free text: a recording has its length only. */
  readonly member?: string | undefined
  /** The number of the last exchange before it; 0 when there was none. */
  readonly after: number
}

/** Whether the service has certainly had so long between two instants of the session, also by a clock of its own. */
export type HasPassed = (from: number, to: number, ms: number) => boolean

/** An exchange in the documents’ form, with its bodies parsed on first use. */
export interface Observed {
  readonly exchange: Exchange
  readonly operation: OperationId | undefined
  readonly step: string | undefined
  /** The service sent the request. */
  readonly isCall: boolean
  /** Status of the reply; 0 when there was none. */
  readonly status: number
  /** JSON of the request's body; undefined when there is none, or it is no JSON. */
  readonly request: unknown
  /** JSON of the reply's body; undefined when there is none, or it is no JSON. */
  readonly reply: unknown
  readonly url: URL
  readonly requestHeader: (name: string) => string | undefined
  readonly replyHeader: (name: string) => string | undefined
  /** Of a session; in a recording its times are all that is known. */
  readonly hasPassed: HasPassed | undefined
}

/** An event in an exchange: in a webhook request, or one of a poll's reply. */
export interface ObservedEvent {
  readonly observed: Observed
  /** The event's members, without the wrapper that those of Customer and Loyalty may have. */
  readonly event: UnknownRecord
  readonly eventId: string | undefined
  readonly eventType: string | undefined
  readonly orderId: string | undefined
}

export interface Trace extends Pick<
  TraceData,
  'role' | 'speaks' | 'capabilities' | 'skipped' | 'rules'
> {
  /** Of a dialect; undefined for the documents’ own. */
  readonly form: DocumentForm | undefined
  readonly all: readonly Observed[]
  /** Where the service began anew, by the numbers of the last exchanges before it and before its end. */
  readonly beginsAnew: readonly { readonly from: number; readonly to: number }[]
  /** Requests of the service; of these operations only, if any are listed. */
  readonly calls: (...operations: readonly OperationId[]) => readonly Observed[]
  /** Requests to the service; of these operations only, if any are listed. */
  readonly answers: (...operations: readonly OperationId[]) => readonly Observed[]
  /** Exchanges of a step: `order-life/confirm`, or all of a procedure: `order-life`. */
  readonly at: (step: string) => readonly Observed[]
  /** The notes of this name. */
  readonly notes: (name: string) => readonly TraceNote[]
  /** Events that the service has handed over, in polls and by webhook; a repetition is another one. */
  readonly emitted: () => readonly ObservedEvent[]
  /** Events that were handed to the service. */
  readonly received: () => readonly ObservedEvent[]
  /** The same without the calls that these procedures made themselves. */
  readonly without: (procedures: readonly string[]) => Trace
}

/** What is known of a message, in every trace of the same dialect: each part after its first use, since few are used. */
class ParsedExchange {
  readonly form: DocumentForm | undefined
  readonly #exchange: Exchange
  readonly #bodies = new Map<BodyPart, unknown>()
  #url: URL | undefined

  constructor(exchange: Exchange, form: DocumentForm | undefined) {
    this.form = form
    this.#exchange = exchange
  }

  body(part: BodyPart): unknown {
    if (this.#bodies.has(part)) return this.#bodies.get(part)
    const isToken = this.#exchange.operation === 'issueToken' && part === 'request'
    const wire = this.#exchange[part]?.body
    const text = this.form && isToken ? tokenFieldsIn(wire) : tryParseJson(wire)
    const body = this.form ? this.form.body(this.#exchange, part, text) : text
    this.#bodies.set(part, body)
    return body
  }

  get url(): URL {
    return (this.#url ??= new URL(this.#exchange.request.url))
  }
}
const parsed = new WeakMap<Exchange, ParsedExchange>()

function parsedExchange(exchange: Exchange, form: DocumentForm | undefined): ParsedExchange {
  const before = parsed.get(exchange)
  if (before && before.form === form) return before
  const found = new ParsedExchange(exchange, form)
  parsed.set(exchange, found)
  return found
}

/** Its parts are read when they are asked for: most checks look at a few. */
class ObservedExchange implements Observed {
  readonly exchange: Exchange
  readonly step: string | undefined
  readonly hasPassed: HasPassed | undefined
  readonly operation: OperationId | undefined
  readonly isCall: boolean
  readonly status: number
  readonly #form: DocumentForm | undefined

  constructor(
    exchange: Exchange,
    step: string | undefined,
    form: DocumentForm | undefined,
    hasPassed: HasPassed | undefined,
  ) {
    const { operation } = exchange
    const status = exchange.reply?.status ?? 0
    this.exchange = exchange
    this.step = step
    this.hasPassed = hasPassed
    this.operation = operation
    this.isCall = exchange.from.party === 'subject'
    this.status = operation && form ? form.status(operation, status) : status
    this.#form = form
  }

  get request(): unknown {
    return parsedExchange(this.exchange, this.#form).body('request')
  }
  get reply(): unknown {
    return parsedExchange(this.exchange, this.#form).body('reply')
  }
  get url(): URL {
    return parsedExchange(this.exchange, this.#form).url
  }
  get requestHeader(): Observed['requestHeader'] {
    return (name) => headerValue(this.exchange.request.headers, name)
  }
  get replyHeader(): Observed['replyHeader'] {
    return (name) => this.exchange.reply && headerValue(this.exchange.reply.headers, name)
  }
}

/** Most exchanges are in several traces: the whole one, and those without some procedures. */
const known = new WeakMap<
  Exchange,
  { readonly form: DocumentForm | undefined; readonly observed: Observed }
>()

function observedOf(
  exchange: Exchange,
  step: string | undefined,
  form: DocumentForm | undefined,
  hasPassed: HasPassed | undefined,
): Observed {
  const before = known.get(exchange)
  if (before && before.form === form && before.observed.step === step) return before.observed
  const made = new ObservedExchange(exchange, step, form, hasPassed)
  known.set(exchange, { form, observed: made })
  return made
}

/** What is kept of a message to be cited later: a stranger's bodies may be large. */
export const withoutBodies = ({ exchange, step, hasPassed }: Observed): Observed =>
  observedOf(retainedPart(exchange), step, undefined, hasPassed)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

function observedEvent(observed: Observed, value: unknown): readonly ObservedEvent[] {
  if (!isUnknownRecord(value)) return []
  const { event: wrapped } = value
  const event = isUnknownRecord(wrapped) && !('eventType' in value) ? wrapped : value
  return [
    {
      observed,
      event,
      eventId: textOf(event['eventId']) ?? textOf(event['id']),
      eventType: textOf(event['eventType']) ?? textOf(event['type']),
      orderId: textOf(event['orderId']),
    },
  ]
}

/** Session time at the begin of a message. */
export const startOf = ({ exchange }: Observed): number => exchange.startedAt

/** Session time at the end of a message. */
export const endOfCall = ({ exchange }: Observed): number => endOf(exchange)

/** Whether an operation receives events: a webhook, or the same at a path of the protocol. */
function receivesEvents(id: OperationId): boolean {
  const { webhook, declaredAs }: Operation = operationRow(id)
  return (
    webhook !== undefined ||
    declaredAs === 'receiveCustomerEvent' ||
    declaredAs === 'receiveLoyaltyEvent'
  )
}

export const isPoll = (id: OperationId | undefined): boolean =>
  id !== undefined && v2OperationOf(id) === 'pollingEvents'

/** Whether a message of this operation may carry events. */
export const carriesEvents = (id: OperationId | undefined): boolean =>
  id !== undefined && (receivesEvents(id) || isPoll(id))

/** Events of an exchange, in the order of its body. */
function eventsOf(observed: Observed): readonly ObservedEvent[] {
  const { operation, status } = observed
  if (operation === undefined) return []
  if (receivesEvents(operation)) return observedEvent(observed, observed.request)
  if (!isPoll(operation) || status !== 200 || !Array.isArray(observed.reply)) return []
  return observed.reply.flatMap((each) => observedEvent(observed, each))
}

// A webhook's sender is its emitter; a poll's is the one that answers it.
const isEmission = ({ observed }: ObservedEvent): boolean =>
  observed.isCall !== isPoll(observed.operation)

/** Events that the service has handed over in these exchanges. */
export const emittedEvents = (all: readonly Observed[]): readonly ObservedEvent[] =>
  all.flatMap(eventsOf).filter(isEmission)

export function createTrace(
  data: TraceData & { readonly hasPassed?: HasPassed | undefined },
): Trace {
  const form = documentForm(data.dialect)
  const isBlameless = ofRestarts(data)
  const all = data.exchanges
    .filter((each) => !wasInFlight(each) && !isBlameless(each))
    .map((each) => observedOf(each, data.steps[each.seq], form, data.hasPassed))
  const select = (isCall: boolean, operations: readonly OperationId[]): readonly Observed[] =>
    all.filter(
      (each) =>
        each.isCall === isCall &&
        (operations.length === 0 ||
          (each.operation !== undefined && operations.includes(each.operation))),
    )
  let events: readonly ObservedEvent[] | undefined
  const allEvents = (): readonly ObservedEvent[] => (events ??= all.flatMap(eventsOf))
  return {
    role: data.role,
    speaks: data.speaks,
    form,
    capabilities: data.capabilities,
    skipped: data.skipped,
    ...compact({ rules: data.rules }),
    all,
    beginsAnew: newBeginnings(data),
    calls: (...operations) => select(true, operations),
    answers: (...operations) => select(false, operations),
    at: (step) => all.filter((each) => each.step === step || each.step?.startsWith(`${step}/`)),
    notes: (name) => data.notes.filter((each) => each.name === name),
    emitted: () => allEvents().filter(isEmission),
    received: () => allEvents().filter((each) => !isEmission(each)),
    without: (procedures) =>
      createTrace({
        ...data,
        exchanges: data.exchanges.filter(
          ({ seq }) => !procedures.includes(data.steps[seq]?.replace(/\/.*$/s, '') ?? ''),
        ),
      }),
  }
}
