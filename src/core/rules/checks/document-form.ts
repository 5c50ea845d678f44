/**
 * Messages of a dialect in the documents’ form, by the data with which our hosts speak it: checks know that form alone. A
 * body in the documents’ own form is none of the dialect’s, and what the dialect has no place for is not missing.
 */
import type { z } from 'zod'
import { Conduct } from '../../protocol/conduct.ts'
import { type OperationId, operation } from '../../protocol/catalogue.ts'
import { pullOperations, pushOperations } from '../../engine/customer/partner.ts'
import {
  batchKeys,
  type BatchKeys,
  recordsOfBatch,
  ingestBodyOf,
  recordKinds,
} from '../../protocol/customer/batch.ts'
import { formatExternalId, ExternalId } from '../../protocol/customer/identifier.ts'
import { ReducedOrder, toReducedOrder } from '../../protocol/customer/related-order.ts'
import { dialect, type DialectChoice } from '../../protocol/dialects/catalogue.ts'
import type { Dialect } from '../../protocol/dialects/dialect.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { errorBodySchemas, errorShapeOf } from '../../protocol/errors.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import { bodyTranslator, type BodyPart } from '../../protocol/translation/translator.ts'
import {
  type JsonObject,
  parseBodyPath,
  updateAt,
  updateObjects,
} from '../../protocol/translation/body-path.ts'
import { wordsOf } from '../../protocol/translation/words.ts'
import type { BodyTranslation, WireWord } from '../../protocol/translation/settings.ts'
import type { Capability } from '../../protocol/operation.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { noteLacking, noteVerdict } from './form-notes.ts'
import { availabilityRequestBody, creationRequestBody } from '../../engine/logistics/requests.ts'
import { type CustomerDocument, customerView } from '../../protocol/customer/customer-view.ts'
import { Order } from '../../protocol/orders/order.ts'
import { readDeliveryPlaces } from '../../protocol/logistics/place.ts'

/** A customer of the documents, as far as it is whole, with typed lists. */
function withLists(customer: UnknownRecord): UnknownRecord {
  const { id, identifier, externalIds, consent, createdAt, updatedAt, status, ...fields } = customer
  if (!isUnknownRecord(identifier) || !Array.isArray(externalIds)) return customer
  const document = { id, identifier, externalIds, consent, createdAt, updatedAt, fields }
  const { status: written, ...view } = customerView(
    { document: document as unknown as CustomerDocument, status: 'active' },
    { customerShape: 'lists', statusField: 'status' },
  )
  return status === undefined ? view : { ...view, status: written }
}

/** An order with the fields of the reduced record besides its own. */
function withReduced(order: UnknownRecord): UnknownRecord {
  const parsed = Order.safeParse(order)
  if (!parsed.success) return order
  const { items = [], customer, ...reduced } = toReducedOrder(parsed.data, undefined)
  return {
    ...reduced,
    ...order,
    ...(parsed.data.customer ? { customer: { ...parsed.data.customer, ...customer } } : {}),
    items: parsed.data.items.map((item, index) => ({ ...items?.[index], ...item })),
  }
}

/** A question or an order for a delivery, where it is whole, with what the public standard requires besides. */
function withGoods(id: OperationId, body: UnknownRecord, form: Conduct['logistics']): unknown {
  const { orderId, pickup, dropoff } = body
  if (!form.publishedFields || !isUnknownRecord(pickup) || !isUnknownRecord(dropoff)) return body
  const demand = {
    ...readDeliveryPlaces(body),
    orderId: typeof orderId === 'string' ? orderId : '',
  }
  const written =
    id === 'createDelivery'
      ? creationRequestBody(demand, form)
      : availabilityRequestBody(demand, form)
  const own = id === 'createDelivery' && !('merchant' in body) ? { merchant: undefined } : {}
  return { ...body, ...written, orderId, ...own }
}

const isEvent = (id: OperationId): boolean => /^receive(Customer|Loyalty)Event/.test(id)

/** The body that a procedure has in the documents’ form, before its words are translated. */
function sentForm(id: OperationId, body: unknown, conduct: Conduct): unknown {
  const { customer, loyalty, logistics } = conduct
  if (!isUnknownRecord(body)) return body
  if (id === 'createDelivery' || id === 'checkDeliveryAvailability')
    return withGoods(id, body, logistics)
  const { event } = body
  const isFlat = id.startsWith('receiveLoyalty')
    ? loyalty.eventBody === 'flat'
    : customer.eventEnvelope === 'flat'
  if (isEvent(id) && isFlat && isUnknownRecord(event)) return event
  const kind = recordKinds.find((each) => Object.values(pushOperations[each]).includes(id))
  if (kind === undefined) return body
  const keys = batchKeys[kind]
  const several = body[keys.many]
  const records = keys.one in body ? [body[keys.one]] : Array.isArray(several) ? several : []
  if (records.length === 0 || !records.every(isUnknownRecord)) return body
  const written = records.map((record: UnknownRecord) =>
    kind === 'customer' && customer.customerShape === 'lists'
      ? withLists(record)
      : kind === 'order' && customer.orderShape === 'reduced'
        ? withReduced(record)
        : record,
  )
  return ingestBodyOf(written, keys, customer)
}

type WireExchange = Pick<Exchange, 'operation' | 'to' | 'reply'>

export interface DocumentForm {
  readonly name: string
  /** What the dialect’s hosts and clients do. */
  readonly conduct: Conduct
  /** A request or a reply of the wire as the documents would have it. */
  readonly body: (exchange: WireExchange, part: BodyPart, body: unknown) => unknown
  /** The status that stands for this one in the documents. */
  readonly status: (id: OperationId, status: number) => number
  /** A body of ours as the dialect has it. */
  readonly sent: (id: OperationId, body: unknown) => unknown
  /** How a word of ours is read again behind the wire; undefined where the dialect has none for it. */
  readonly wordOf: (
    id: OperationId,
    part: BodyPart,
    field: string,
    word: string,
  ) => string | undefined
  /** The words of a problem, in the documents’ form, as they are on the wire. */
  readonly problem: (text: string, ids: readonly (OperationId | undefined)[]) => string
}

/** Every object at a path. */
function visit(body: unknown, path: readonly string[], look: (object: JsonObject) => void): void {
  updateAt(body, path, (found) =>
    updateObjects(found, (object) => {
      look(object)
      return object
    }),
  )
}

const startsWith = (path: string, start: string): boolean =>
  path === start || path.startsWith(`${start}.`)

/** The names of the documents for what the dialect has elsewhere; on the wire they say nothing. */
const movedNames = ({ fields }: BodyTranslation): readonly string[] => {
  const theirs = Object.values(fields)
  return Object.keys(fields).filter(
    (ours) => !theirs.some((path) => startsWith(path, ours) || startsWith(ours, path)),
  )
}

const withoutPath = (body: unknown, path: string): unknown =>
  updateAt(body, parseBodyPath(path), () => undefined)

/** A word of the documents, where the dialect has another one, is no word of either. */
function markedWord(word: unknown, table: Readonly<Record<string, WireWord>>): unknown {
  if (typeof word !== 'string' || !Object.hasOwn(table, word)) return word
  const isTheirs = Object.values(table).some((each) => wordsOf(each).includes(word))
  return isTheirs ? word : `${word} (the documents’ word)`
}

const withoutDocumentNames = (object: JsonObject, translation: BodyTranslation): JsonObject =>
  Object.entries(translation.words).reduce(
    (changed, [path, table]) =>
      updateAt(changed, parseBodyPath(path), (word) => markedWord(word, table)) as JsonObject,
    movedNames(translation).reduce(withoutPath, object) as JsonObject,
  )

/** Contacts and external ids in lists, as the object and the texts of the documents. */
function customerOfLists(customer: JsonObject): JsonObject {
  const { contacts, externalIds } = customer
  const pairs = (Array.isArray(contacts) ? contacts.filter(isUnknownRecord) : []).map(
    ({ type, value }) => [String(type), value] as const,
  )
  const isIds = (value: unknown): value is ExternalId => ExternalId.safeParse(value).success
  return {
    ...customer,
    ...(Array.isArray(contacts) ? { contacts: Object.fromEntries(pairs) } : {}),
    ...(isUnknownRecord(contacts) ? { contacts: [contacts] } : {}),
    ...(Array.isArray(externalIds)
      ? {
          externalIds: externalIds.map((each: unknown) =>
            isUnknownRecord(each) && isIds(each) ? formatExternalId(each) : [each],
          ),
        }
      : {}),
  }
}

const operationsWith = (
  kind: 'customer' | 'order',
  single: OperationId,
): ReadonlySet<OperationId> =>
  new Set([...Object.values(pushOperations[kind]), ...Object.values(pullOperations[kind]), single])
const customerOperations = operationsWith('customer', 'getCustomerById')
const orderOperations = operationsWith('order', 'getOrderById')

/** The body with each of its records replaced. */
const updateRecords = (
  body: unknown,
  keys: BatchKeys,
  update: (record: JsonObject) => JsonObject,
): unknown =>
  recordsOfBatch(body, keys).reduce(
    (whole, { path }) => updateAtPath(whole, path, (record) => updateObjects(record, update)),
    body,
  )

function updateAtPath(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  update: (found: unknown) => unknown,
): unknown {
  if (key === undefined) return update(value)
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (at === key ? updateAtPath(each, rest, update) : each))
  return isUnknownRecord(value)
    ? { ...value, [key]: updateAtPath(value[key], rest, update) }
    : value
}

const problemWith = (schema: z.ZodType, value: unknown): string | undefined => {
  const parsed = schema.safeParse(value)
  return parsed.success ? undefined : jsonProblemText(parsed.error, value)
}

function errorOf(
  conduct: Conduct,
  { operation: id, to, reply }: WireExchange,
  body: unknown,
): unknown {
  const shape = errorShapeOf(conduct, to.role)
  const status = reply?.status ?? 0
  const capability = id && operation(id).capability
  // Discovery and tokens have errors in a wrapper in the public standard as well.
  const isFree = capability === 'discovery' || capability === 'auth'
  if (shape === 'wrapped' || !isUnknownRecord(body) || (isFree && 'error' in body)) return body
  const problem = problemWith(errorBodySchemas[shape]([]), body)
  if (problem !== undefined) {
    const { error: _error, ...rest } = body
    noteVerdict(rest, `it is not in the form ${shape} of the dialect: ${problem}`)
    return rest
  }
  const { code, title, message, detail } = body
  const retryable = status === 429 || status >= 500
  return { error: { code: code ?? title, message: message ?? detail ?? title, retryable } }
}

function createForm(spoken: Dialect): DocumentForm {
  const { name, conduct: settings, earlierInvalidTransition: earlier = {} } = spoken
  const conduct = Conduct.parse(settings)
  const translator = bodyTranslator(conduct)
  const translations = Object.values(conduct.translations)
  const of = (id: OperationId, part: BodyPart): readonly BodyTranslation[] =>
    translations.filter(
      ({ operations, of: whole }) =>
        operations.includes(id) && (whole === 'both' || whole === part),
    )
  const { customerShape, orderShape } = conduct.customer

  const success = (id: OperationId, part: BodyPart, wire: unknown): unknown => {
    const plain = of(id, part).reduce(
      (whole, each) =>
        each.at.reduce(
          (changed, place) =>
            updateAt(changed, parseBodyPath(place), (found) =>
              updateObjects(found, (object) => withoutDocumentNames(object, each)),
            ),
          whole,
        ),
      wire,
    )
    const read = translator?.fromWire(id, part, plain) ?? plain
    const body =
      customerShape === 'lists' && customerOperations.has(id)
        ? updateRecords(read, batchKeys.customer, customerOfLists)
        : read
    for (const { at, absent, assumed } of of(id, part))
      for (const place of at)
        for (const path of absent.filter((each) => !Object.hasOwn(assumed, each))) {
          const whole = [...parseBodyPath(place), ...parseBodyPath(path)]
          visit(body, whole.slice(0, -1), (object) => noteLacking(object, whole.at(-1) ?? ''))
        }
    if (orderShape === 'reduced' && orderOperations.has(id))
      for (const { value } of recordsOfBatch(body, batchKeys.order))
        if (isUnknownRecord(value) && !('fulfillment' in value))
          noteVerdict(value, problemWith(ReducedOrder, value))
    return body
  }

  const ownStatus = (id: OperationId): readonly [ours: number, theirs: number] | undefined => {
    const theirs = conduct.statuses[id]
    return theirs === undefined ? undefined : [operation(id).success, theirs]
  }
  const usual = Conduct.parse({}).invalidTransition

  return {
    name,
    conduct,
    body: (exchange, part, wire) =>
      part === 'reply' && (exchange.reply?.status ?? 0) >= 400
        ? errorOf(conduct, exchange, wire)
        : exchange.operation
          ? success(exchange.operation, part, wire)
          : wire,
    status(id, status) {
      const [ours, theirs] = ownStatus(id) ?? []
      if (status === theirs) return ours ?? status
      if (status === ours) return theirs ?? status
      const { capability } = operation(id)
      if (capability !== 'orders' && capability !== 'indoor' && capability !== 'logistics')
        return status
      const theirOwn: Partial<Record<Capability, number>> = earlier
      const isTheirs = [conduct.invalidTransition[capability], theirOwn[capability]].includes(
        status,
      )
      return isTheirs ? usual[capability] : status
    },
    sent(id, body) {
      const written = sentForm(id, body, conduct)
      const wire = translator?.toWire(id, 'request', written) ?? written
      const isEmpty = isUnknownRecord(wire) && Object.keys(wire).length === 0
      return isEmpty && !conduct.emptyBodies ? undefined : wire
    },
    wordOf(id, part, field, word) {
      const tables = of(id, part).flatMap(({ words }) =>
        Object.entries(words).filter(([path]) => path === field || path.endsWith(`.${field}`)),
      )
      if (tables.some(([, words]) => words[word] === false)) return undefined
      const sent = { [field]: word, payload: {} }
      const wire = translator?.toWire(id, part, sent)
      const read = translator?.fromWire(id, part, wire)
      return isUnknownRecord(read) ? String(read[field]) : word
    },
    problem(text, ids) {
      const known = [...new Set(ids)].filter((id) => id !== undefined)
      const [ours, theirs] = known.map(ownStatus).find((pair) => pair !== undefined) ?? []
      const swapped = text.replaceAll(/\b\d{3}\b/g, (number) =>
        Number(number) === ours
          ? String(theirs)
          : Number(number) === theirs
            ? String(ours)
            : number,
      )
      const moved = known
        .flatMap((id) => [...of(id, 'request'), ...of(id, 'reply')])
        .flatMap(({ fields }) => Object.entries(fields))
        .filter(([path]) => new RegExp(`\\b${path.split('.').at(-1)}\\b`).test(text))
      const names = [...new Set(moved.map(([path, other]) => `${path} is ${other}`))].slice(0, 3)
      return names.length === 0 ? swapped : `${swapped} (in ${name}: ${names.join(', ')})`
    },
  }
}

/** A word of ours as it is read in the form of a trace; undefined where its dialect has none for it. */
export const wordIn = (
  { form }: { readonly form: DocumentForm | undefined },
  ...place: Parameters<DocumentForm['wordOf']>
): string | undefined => (form ? form.wordOf(...place) : place[3])

const forms = new WeakMap<Dialect, DocumentForm>()

/** The form of a dialect of V2; undefined for the documents’ own, and for V1, which has checks of its own. */
export function documentForm(choice: DialectChoice | undefined): DocumentForm | undefined {
  const spoken = choice && dialect(choice)
  if (!spoken || speaksV1({ speaks: spoken.conduct.speaks ?? 'v2' })) return undefined
  const form = forms.get(spoken) ?? createForm(spoken)
  forms.set(spoken, form)
  return form
}
