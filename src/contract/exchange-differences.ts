/** Compares one exchange with the operation of a contract: parameters, request body, status, headers and response body. */
import { headerIn } from '../invariants/judge/retained-exchange.ts'
import type { Exchange, HeaderPairs } from '../traffic/exchange.ts'
import type { Contract } from './contract.ts'
import {
  type ContractBody,
  type ContractOperation,
  type ContractParameter,
  responseFor,
} from './contract-operations.ts'
import type { SchemaMismatch } from './mismatch.ts'
import type { MessageDirection } from './normalise-schema.ts'
import {
  cookieValue,
  type ParsedQuery,
  ownsQueryName,
  parseQuery,
  queryValue,
  simpleValue,
} from './parameter-values.ts'
import { childOf, type DocumentLocation } from './source.ts'

/** One difference between an exchange and its contract. */
export interface ContractDifference {
  readonly side: MessageDirection
  /** Where in the message: `body /items/0/price`, `query limit`, `status`. */
  readonly place: string
  readonly text: string
  readonly demand: DocumentLocation | undefined
  /** The whole body was read, so that the protocol can be asked about it. */
  readonly isBody?: true
  /** Nothing forbids it. */
  readonly isAdvice?: true
}

export interface ComparedMessage {
  readonly contract: Contract
  readonly operation: ContractOperation
  readonly exchange: Exchange
  /** Texts of the path parameters. */
  readonly values: ReadonlyMap<string, string>
}

type Found = Omit<ContractDifference, 'side'>

const isEmpty = (body: string | undefined): boolean => body === undefined || body === ''

function queryTextOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : (url.slice(at + 1).split('#')[0] ?? '')
}

const none: readonly Found[] = []

/** Mostly there is nothing to add. */
function addAll(found: Found[], more: readonly Found[]): void {
  if (more.length > 0) found.push(...more)
}

const asFound = ({ place, text, demand }: SchemaMismatch, where: string): Found => ({
  place: `${where}${place === '' ? '' : ` ${place}`}`,
  text,
  demand,
})

function parameterDifferences(
  contract: Contract,
  parameter: ContractParameter,
  value: unknown,
): readonly Found[] {
  const { name, in: place, required, location, schema, isJson } = parameter
  const where = `${place} parameter ${name}`
  if (value === undefined)
    return required
      ? [{ place: where, text: 'is missing, and the contract requires it', demand: location }]
      : []
  if (!schema) return []
  let read = value
  if (isJson && typeof value === 'string')
    try {
      read = JSON.parse(value)
    } catch {
      return [{ place: where, text: 'expected JSON', demand: location }]
    }
  const mismatches = contract.validators.check(isJson ? 'request' : 'text', schema, read)
  return mismatches.length === 0 ? none : mismatches.map((mismatch) => asFound(mismatch, where))
}

function parameterValue(
  parameter: ContractParameter,
  { exchange: { request }, values }: ComparedMessage,
  query: ParsedQuery,
): unknown {
  const { name } = parameter
  switch (parameter.in) {
    case 'path': {
      const value = values.get(name)
      return value === undefined ? undefined : simpleValue(value, parameter)
    }
    case 'query':
      return queryValue(query, parameter)
    case 'header': {
      const value = headerIn(request.headers, parameter.lowerName)
      return value === undefined ? undefined : simpleValue(value, parameter)
    }
    default:
      return cookieValue(headerIn(request.headers, 'cookie'), name)
  }
}

function unknownNames(
  { contract, operation }: ComparedMessage,
  query: ParsedQuery,
): readonly Found[] {
  if (query.size === 0) return none
  return [...query.keys()]
    .filter(
      (name) =>
        !contract.credentialNames.has(name) &&
        !operation.query.some((parameter) => ownsQueryName(name, parameter)),
    )
    .map((name) => ({
      place: `query parameter ${name}`,
      text: 'is no parameter that the contract has',
      demand: operation.location,
      isAdvice: true,
    }))
}

function parametersOf(message: ComparedMessage, found: Found[]): void {
  const { contract, operation, exchange } = message
  const query = parseQuery(queryTextOf(exchange.request.url))
  for (const parameter of operation.parameters) {
    const value = parameterValue(parameter, message, query)
    if (value !== undefined || parameter.required)
      addAll(found, parameterDifferences(contract, parameter, value))
  }
  addAll(found, unknownNames(message, query))
}

interface Body {
  readonly side: MessageDirection
  readonly text: string
  readonly headers: HeaderPairs
}

/** Fields of a form, each with its value or all of them. */
const formFields = (text: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...parseQuery(text)].map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : [...values],
    ]),
  )

function bodyDifferences(
  contract: Contract,
  { content, entryFor, location }: ContractBody,
  { side, text, headers }: Body,
): readonly Found[] {
  const header = headerIn(headers, 'content-type')
  const entry = entryFor(header)
  if (entry === undefined)
    return [
      {
        place: 'header Content-Type',
        text: `is ${header}, and the contract has ${[...content.keys()].join(', ')}`,
        demand: childOf(location, 'content'),
      },
    ]
  const schema = content.get(entry.name)
  if (!schema) return none
  if (entry.kind === 'json') {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return [
        { place: 'body', text: 'is no JSON', demand: childOf(location, 'content', entry.name) },
      ]
    }
    const mismatches = contract.validators.check(side, schema, value)
    if (mismatches.length === 0) return none
    return mismatches.map((mismatch) => ({ ...asFound(mismatch, 'body'), isBody: true }))
  }
  if (entry.kind === 'other') return none
  const value = entry.kind === 'form' ? formFields(text) : text
  return contract.validators.check('text', schema, value).map((each) => asFound(each, 'body'))
}

const noDifferences: readonly ContractDifference[] = []

const onSide = (found: readonly Found[], side: MessageDirection): readonly ContractDifference[] =>
  found.length === 0 ? noDifferences : found.map((each) => ({ ...each, side }))

export function requestDifferences(message: ComparedMessage): readonly ContractDifference[] {
  const { contract, operation, exchange } = message
  const { requestBody, location } = operation
  const { body: text = '', headers, wire } = exchange.request
  const found: Found[] = []
  parametersOf(message, found)
  if (wire?.base64 === undefined) {
    if (isEmpty(text)) {
      if (requestBody?.required)
        found.push({
          place: 'body',
          text: 'is missing, and the contract requires it',
          demand: requestBody.location,
        })
    } else if (requestBody)
      addAll(found, bodyDifferences(contract, requestBody, { side: 'request', text, headers }))
    else
      found.push({
        place: 'body',
        text: 'is there, and the contract has none',
        demand: location,
        isAdvice: true,
      })
  }
  return onSide(found, 'request')
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export function responseDifferences(message: ComparedMessage): readonly ContractDifference[] {
  const { contract, operation, exchange } = message
  const { reply, failure, request } = exchange
  if (!reply) return []
  const { status, headers, body: text = '', wire } = reply
  const response = responseFor(operation, status)
  const found: Found[] = []
  if (!response)
    found.push({
      place: 'status',
      text: `is ${status}, and the contract has ${[...operation.responses.keys()].join(', ') || 'none'}`,
      demand: childOf(operation.location, 'responses'),
    })
  for (const header of response?.headers ?? []) {
    const value = headerIn(headers, header.lowerName)
    const read = value === undefined ? undefined : simpleValue(value, header)
    if (read === undefined && !header.required) continue
    for (const each of parameterDifferences(contract, header, read))
      found.push({ ...each, place: each.place.replace('header parameter', 'header') })
  }
  // Of an incomplete answer only the head was received.
  if (response && !failure && wire?.base64 === undefined && request.method !== 'HEAD') {
    if (!isEmpty(text)) {
      if (response.body)
        addAll(found, bodyDifferences(contract, response.body, { side: 'response', text, headers }))
      else
        found.push({
          place: 'body',
          text: `of the answer ${status} is there, and the contract has none`,
          demand: response.location,
        })
    } else if (response.body && !bodiless.has(status))
      found.push({
        place: 'body',
        text: `of the answer ${status} is missing, and the contract has one`,
        demand: response.body.location,
      })
  }
  return onSide(found, 'response')
}
